extension AppReceipt {
    /// What of a transaction receipt has its place in an app receipt: the rest of
    /// the mill treats both as one. There is no creation date and no device hash.
    ///
    /// - Parameters:
    ///   - receipt: its texts without escapes.
    ///   - environment: what was made of the envelope's and the transaction's number.
    public init(_ receipt: TransactionReceipt, environment: ByteRange) {
        self.init()
        self.environment = environment
        bundleIdentifier = receipt.bundleIdentifier?.range
        appVersion = receipt.appVersion?.range
        appItemID = receipt.appItemID
        versionExternalIdentifier = receipt.versionExternalIdentifier
    }
}

extension InAppPurchase {
    /// The purchase of a transaction receipt whose texts hold no escapes. The
    /// store did not say then of which type a product is.
    public init(_ receipt: TransactionReceipt) {
        transactionIdentifier = receipt.transactionIdentifier.range
        quantity = receipt.quantity
        productIdentifier = receipt.productIdentifier?.range
        originalTransactionIdentifier = receipt.originalTransactionIdentifier?.range
        purchaseDate = receipt.purchaseDate
        originalPurchaseDate = receipt.originalPurchaseDate
        expiresDate = receipt.expiresDate
        cancellationDate = receipt.cancellationDate
        webOrderLineItemID = receipt.webOrderLineItemID
        isTrialPeriod = receipt.isTrialPeriod
        isInIntroOfferPeriod = receipt.isInIntroOfferPeriod
    }
}

/// The kinds of receipts. The raw values are those of the database.
public enum ReceiptKind: String, Sendable, Hashable, CaseIterable {
    /// Of iOS 7 and later, and of macOS: one installation, all its purchases.
    case appReceipt = "app_receipt"
    /// Of iOS 6 and before: one purchase.
    case transactionReceipt = "transaction_receipt"
}
