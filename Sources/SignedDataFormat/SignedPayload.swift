package import ReceiptFormat

/// What the payload of a signed string states. Texts are ranges of the buffer that
/// it was parsed in, dates milliseconds since 1970 UTC; nil where it states none, a
/// JSON null, or a value of another type. All of it is a claim until the signature
/// has been verified.
package struct SignedPayload: Sendable, Hashable {
    package var kind = ReceiptKind.signedTransaction
    /// When it was signed: `signedDate`, of an app transaction `receiptCreationDate`;
    /// nil where that is no number, or beyond the years 1 to 9999.
    package var signedDate: Int64?

    // The app. `Sandbox` reads `ProductionSandbox`, as receipts name it.
    package var environment, bundleID, applicationVersion, originalApplicationVersion, originalPlatform: ByteRange?
    package var appAppleID, versionExternalIdentifier: Int64?
    package var originalPurchaseDate, preorderDate: Int64?
    package var deviceVerification, deviceVerificationNonce: ByteRange?

    // A transaction, or the subscription that a renewal info is about.
    package var transactionID, originalTransactionID, productID, type: ByteRange?
    package var webOrderLineItemID, quantity: Int64?
    package var purchaseDate, expiresDate, revocationDate: Int64?
    package var subscriptionGroupID, ownership, storefront, transactionReason, currency: ByteRange?
    package var offerID, offerDiscountType, offerPeriod, appAccountToken, appTransactionID: ByteRange?
    package var offerType, price, revocationReason, revocationPercentage: Int64?
    package var revocationType: ByteRange?
    package var isUpgraded: Bool?

    // A renewal info.
    package var autoRenewProductID: ByteRange?
    package var autoRenewStatus, expirationIntent, priceIncreaseStatus, renewalPrice: Int64?
    package var gracePeriodExpiresDate, recentSubscriptionStartDate, renewalDate: Int64?
    package var isInBillingRetry: Bool?

    // A notification.
    package var notificationType, subtype, notificationUUID, consumptionRequestReason: ByteRange?
    package var status: Int64?
    /// The signed strings inside.
    package var signedTransaction, signedRenewal, signedAppTransaction: ByteRange?

    package init() {}

    /// Replaces every text but the strings that it holds, as where the texts are copied to another buffer.
    package mutating func mapTexts<Failure>(_ map: (ByteRange) throws(Failure) -> ByteRange) throws(Failure) {
        func replace(_ text: inout ByteRange?) throws(Failure) { if let former = text { text = try map(former) } }
        try replace(&environment)
        try replace(&bundleID)
        try replace(&applicationVersion)
        try replace(&originalApplicationVersion)
        try replace(&originalPlatform)
        try replace(&transactionID)
        try replace(&originalTransactionID)
        try replace(&productID)
        try replace(&type)
        try replace(&subscriptionGroupID)
        try replace(&ownership)
        try replace(&storefront)
        try replace(&transactionReason)
        try replace(&currency)
        try replace(&offerID)
        try replace(&offerDiscountType)
        try replace(&offerPeriod)
        try replace(&appAccountToken)
        try replace(&appTransactionID)
        try replace(&revocationType)
        try replace(&autoRenewProductID)
        try replace(&notificationType)
        try replace(&subtype)
        try replace(&notificationUUID)
        try replace(&consumptionRequestReason)
    }
}

/// The place of a document in the one that holds it. The raw values are those of the
/// database.
package enum SignedPart: String, Sendable, Hashable, CaseIterable {
    case transaction, renewal
    case appTransaction = "app_transaction"
}
