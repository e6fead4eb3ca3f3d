extension AppReceipt {
    /// The attributes of an app receipt that a transaction receipt also states, so that both kinds can be treated
    /// alike. There is no creation date and no device hash.
    ///
    /// - Parameters:
    ///   - receipt: a receipt whose texts contain no escapes.
    ///   - environment: the environment, derived from the envelope and the
    ///     transaction's identifier.
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
    /// The purchase of a transaction receipt whose texts contain no escapes. The product's type is nil, because
    /// transaction receipts don't state it.
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
