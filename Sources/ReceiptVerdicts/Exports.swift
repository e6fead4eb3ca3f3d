// Values that verifying takes and returns: whoever imports this target sees them.
@_exported public import ReceiptFormat
@_exported public import ReceiptTrust
