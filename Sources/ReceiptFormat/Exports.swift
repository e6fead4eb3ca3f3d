// Values that the parsers return: whoever imports this target sees them.
@_exported public import MillBytes
