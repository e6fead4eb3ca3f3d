// Clients of this target also see the types that verification takes and returns.
@_exported public import ReceiptFormat
@_exported public import ReceiptTrust
