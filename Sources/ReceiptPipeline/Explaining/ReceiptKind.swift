internal import ReceiptFormat

/// The kinds of document that the store has signed. The raw values are those of
/// the database.
enum ReceiptKind: String, Sendable {
    case appReceipt = "app_receipt"
    /// Of iOS 6 and before, a property list.
    case transactionReceipt = "transaction_receipt"

    /// Tells the kind by the first byte: no container begins with a brace.
    static func of(_ bytes: Span<UInt8>, _ receipt: ByteRange) -> ReceiptKind {
        let first = ByteReader(bytes, in: receipt).next
        return first == UInt8(ascii: "{") ? .transactionReceipt : .appReceipt
    }
}
