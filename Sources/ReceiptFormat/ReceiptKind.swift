/// The kinds of documents that Apple signs. The raw values are those of the database.
public enum ReceiptKind: String, Sendable, Hashable, CaseIterable {
    /// A receipt of iOS 7 and later or of macOS: one installation, and all of its purchases.
    case appReceipt = "app_receipt"
    /// A receipt of iOS 6 and earlier: one purchase.
    case transactionReceipt = "transaction_receipt"
    /// A transaction of StoreKit 2.
    case signedTransaction = "signed_transaction"
    /// The renewal info of a subscription.
    case signedRenewal = "signed_renewal"
    /// An app transaction: one installation.
    case appTransaction = "app_transaction"
    /// A server notification of version 2.
    case notification
    /// Apple's request for a message to a customer who is about to cancel.
    case realtimeRequest = "realtime_request"

    /// Whether documents of this kind are JWS (RFC 7515), not receipts.
    public var isSignedData: Bool { self != .appReceipt && self != .transactionReceipt }
}
