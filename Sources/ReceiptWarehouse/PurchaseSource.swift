package import ReceiptFormat
package import ReceiptTrust

/// The receipt that states purchases.
package struct PurchaseSource {
    package let kind: ReceiptKind
    package let digest: SHA256Digest
    /// Identifiers of the receipt and its app in the database.
    package let receipt, app: Int64
    package let verdict: Verdict
    let creationDate: Int64?

    /// The time that the merge rule compares, in milliseconds since 1970: when the receipt was created, or the
    /// document signed. A transaction receipt states no such time, and was made when its purchase was.
    func asOf(_ purchase: InAppPurchase) -> Int64 {
        switch kind {
        case .transactionReceipt: purchase.purchaseDate ?? 0
        case .appReceipt, .signedTransaction, .signedRenewal, .appTransaction, .notification: creationDate ?? 0
        }
    }
}
