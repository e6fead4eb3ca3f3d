// Clients of this target also see the types that parsers return.
@_exported public import MillBytes
