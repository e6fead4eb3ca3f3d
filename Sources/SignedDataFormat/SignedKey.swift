/// The members of payloads that are read (Apple, App Store Server API:
/// JWSTransactionDecodedPayload, JWSRenewalInfoDecodedPayload,
/// responseBodyV2DecodedPayload; StoreKit: AppTransaction).
package enum SignedKey: String, CaseIterable, Sendable {
    // Transactions.
    case transactionId, originalTransactionId, webOrderLineItemId, bundleId, productId
    case subscriptionGroupIdentifier, purchaseDate, originalPurchaseDate, expiresDate, quantity, type
    case appAccountToken, inAppOwnershipType, signedDate, revocationDate, revocationReason, revocationType
    case revocationPercentage, isUpgraded, offerType, offerIdentifier, offerDiscountType, offerPeriod
    case environment, storefront, transactionReason, price, currency, appTransactionId
    case deviceVerification, deviceVerificationNonce

    // Renewal infos.
    case autoRenewProductId, autoRenewStatus, expirationIntent, isInBillingRetryPeriod, priceIncreaseStatus
    case gracePeriodExpiresDate, recentSubscriptionStartDate, renewalDate, renewalPrice

    // App transactions.
    case receiptType, appAppleId, applicationVersion, versionExternalIdentifier, receiptCreationDate
    case originalApplicationVersion, preorderDate, originalPlatform

    // Notifications, and what they hold under one of the four keys that come last.
    case notificationType, subtype, notificationUUID, status, consumptionRequestReason
    case signedTransactionInfo, signedRenewalInfo, signedAppTransactionInfo, externalPurchaseId
    case data, summary, externalPurchaseToken, appData
}
