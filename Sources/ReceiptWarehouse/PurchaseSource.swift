package import ReceiptFormat
package import ReceiptTrust

/// The values that merging needs of the document that states purchases.
package struct PurchaseSource {
    package let kind: ReceiptKind
    package let digest: SHA256Digest
    /// Identifiers of the document and its app in the database.
    package let receipt, app: Int64
    package let verdict: Verdict
    let creationDate: Int64?

    /// The time that the merge rule compares, in milliseconds since 1970: the creation of a receipt, or the signing of
    /// signed data. A transaction receipt states neither, so its purchase date is used.
    func asOf(_ purchase: InAppPurchase) -> Int64 {
        (kind == .transactionReceipt ? purchase.purchaseDate : creationDate) ?? 0
    }
}
