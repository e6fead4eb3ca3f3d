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

    /// The time as of which the receipt states a purchase, in milliseconds since 1970, for the
    /// merge rule: the receipt's creation, or the signing. A transaction receipt, which states none, was made
    /// when its purchase was.
    func asOf(_ purchase: InAppPurchase) -> Int64 {
        switch kind {
        case .transactionReceipt: purchase.purchaseDate ?? 0
        case .appReceipt, .signedTransaction, .signedRenewal, .appTransaction, .notification: creationDate ?? 0
        }
    }
}
