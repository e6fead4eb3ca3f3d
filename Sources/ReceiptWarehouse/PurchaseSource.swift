internal import ReceiptFormat
internal import ReceiptTrust

/// The receipt that tells of purchases.
struct PurchaseSource {
    let kind: ReceiptKind
    let digest: SHA256Digest
    /// Numbers of the receipt and its app in the database.
    let number, app: Int64
    let verdict: Verdict
    let creationDate: Int64?

    /// When `purchase` was told, for the merge rule: at the receipt's creation.
    /// A transaction receipt, which states none, was made when it was purchased.
    func toldAt(_ purchase: InAppPurchase) -> Int64 {
        switch kind {
        case .appReceipt: creationDate ?? 0
        case .transactionReceipt: purchase.purchaseDate ?? 0
        }
    }
}
