internal import ReceiptFormat

/// What a field of signed data means (Apple, App Store Server API and Notifications:
/// JWSTransactionDecodedPayload, JWSRenewalInfoDecodedPayload, responseBodyV2DecodedPayload,
/// advancedCommerceInfo; StoreKit: AppTransaction; headers: RFC 7515, 4.1).
struct SignedFieldMeaning: Sendable {
    /// How a value reads in words.
    enum Form: Sendable {
        case plain
        /// Milliseconds since 1970 UTC.
        case date
        /// Milliunits of the currency that stands beside.
        case amount
        /// Thousandths of a percent.
        case share
        /// A number of ``SignedWords/numbers``.
        case number
        /// Another signed string.
        case signedString
    }

    let text: String
    let form: Form

    /// Meanings by names. A name means the same wherever it stands.
    static let payload: [DocumentText: SignedFieldMeaning] = dictionary(
        transaction + renewal + app + notification + commerce)

    /// Those of headers, of which `alg`, `x5c` and `crit` are used.
    static let header: [DocumentText: SignedFieldMeaning] = dictionary([
        ("alg", "algorithm of the signature; ES256 is the only one that is read", .plain),
        ("x5c", "certificates: the signer's, its issuer's, the root", .plain),
        ("kid", "name of the key; not used", .plain),
        ("typ", "type of the string; not used", .plain),
        ("cty", "type of the payload; not used", .plain),
        ("crit", "extensions that a reader must know: refused", .plain),
        ("jwk", "key; not used", .plain),
        ("jku", "address of keys; not used", .plain),
        ("x5u", "address of certificates; not used", .plain),
        ("x5t", "SHA-1 of the certificate; not used", .plain),
        ("x5t#S256", "SHA-256 of the certificate; not used", .plain),
    ])

    private typealias Entry = (name: DocumentText, text: String, form: Form)

    private static func dictionary(_ entries: [Entry]) -> [DocumentText: SignedFieldMeaning] {
        Dictionary(entries.map { ($0.name, SignedFieldMeaning(text: $0.text, form: $0.form)) }) { first, _ in first }
    }

    private static let transaction: [Entry] = [
        ("transactionId", "the transaction", .plain),
        ("originalTransactionId", "the first transaction of the purchase or subscription", .plain),
        ("webOrderLineItemId", "the purchase event of a subscription across devices", .plain),
        ("bundleId", "bundle identifier of the app", .plain),
        ("productId", "the product", .plain),
        ("subscriptionGroupIdentifier", "the group of the subscription", .plain),
        ("purchaseDate", "when the store charged for it, or restored it", .date),
        ("originalPurchaseDate", "when the first transaction was, or when the app was bought", .date),
        ("expiresDate", "when the subscription expires or renews", .date),
        ("quantity", "number of units", .plain),
        ("type", "type of the product", .plain),
        ("appAccountToken", "the app's own name for the customer's account", .plain),
        ("inAppOwnershipType", "bought by the customer, or shared by family", .plain),
        ("signedDate", "when the store signed this", .date),
        ("revocationDate", "when the store refunded or revoked it", .date),
        ("revocationReason", "why the store refunded it", .number),
        ("revocationType", "refunded whole, prorated, or taken from family or an organization's member", .plain),
        ("revocationPercentage", "share of the price that was refunded, in thousandths of a percent", .share),
        ("isUpgraded", "the customer went on to another subscription of the group", .plain),
        ("offerType", "type of the offer", .number),
        ("offerIdentifier", "the offer", .plain),
        ("offerDiscountType", "how the offer is paid", .plain),
        ("offerPeriod", "length of the offer (ISO 8601)", .plain),
        ("environment", "environment of the store", .plain),
        ("storefront", "country or region of the store (ISO 3166-1 alpha-3)", .plain),
        ("storefrontId", "number of the store's country or region", .plain),
        ("transactionReason", "the customer's purchase, or a renewal", .plain),
        ("price", "price in thousandths of the currency, after the offer, for the whole quantity", .amount),
        ("currency", "currency of the price (ISO 4217)", .plain),
        ("appTransactionId", "one account's ownership of the app", .plain),
        ("deviceVerification", "SHA-384 of the device's verification identifier with the nonce", .plain),
        ("deviceVerificationNonce", "nonce of the device verification", .plain),
        ("billingPlanType", "how a subscription is billed", .plain),
        ("commitmentInfo", "commitment of a subscription that is billed in parts", .plain),
        ("billingPeriodNumber", "which of the commitment's periods it is", .plain),
        ("totalBillingPeriods", "number of the commitment's periods", .plain),
        ("commitmentPrice", "price of the whole commitment, in thousandths of the currency", .amount),
        ("commitmentExpiresDate", "when the commitment ends", .date),
        ("previousOriginalTransactionId", "the purchase that this one came from", .plain),
    ]

    private static let renewal: [Entry] = [
        ("autoRenewProductId", "the product to which it will renew", .plain),
        ("autoRenewStatus", "whether it will renew", .number),
        ("expirationIntent", "why it expired", .number),
        ("isInBillingRetryPeriod", "whether the store tries to charge for it again", .plain),
        ("priceIncreaseStatus", "the customer's answer to a price increase", .number),
        ("gracePeriodExpiresDate", "when the grace period ends", .date),
        ("recentSubscriptionStartDate", "since when it runs without a gap of 60 days", .date),
        ("renewalDate", "when it will renew", .date),
        ("renewalPrice", "price of the next renewal, in thousandths of the currency", .amount),
        ("renewalBillingPlanType", "how the next renewal is billed", .plain),
        ("eligibleWinBackOfferIds", "win-back offers that the customer may take", .plain),
    ]

    private static let app: [Entry] = [
        ("receiptType", "environment of the store", .plain),
        ("appAppleId", "number of the app in the store", .plain),
        ("applicationVersion", "version of the app", .plain),
        ("versionExternalIdentifier", "number of the version in the store", .plain),
        ("receiptCreationDate", "when the store signed this", .date),
        (
            "originalApplicationVersion", "version that was first bought: a build on iOS, a short version on macOS",
            .plain
        ),
        ("originalPlatform", "platform on which the app was first bought", .plain),
        ("preorderDate", "when the app was ordered before its release", .date),
        ("requestDate", "when it was asked for", .date),
    ]

    private static let notification: [Entry] = [
        ("notificationType", "what happened", .plain),
        ("subtype", "what happened, more exactly", .plain),
        ("notificationUUID", "name of the notification, the same when it is sent again", .plain),
        ("version", "version of the notification's format", .plain),
        ("data", "app and subscription", .plain),
        ("summary", "outcome of an extension of renewal dates for many", .plain),
        ("externalPurchaseToken", "token of a purchase outside the store", .plain),
        ("appData", "app", .plain),
        ("bundleVersion", "version of the app", .plain),
        ("signedTransactionInfo", "signed string of the transaction", .signedString),
        ("signedRenewalInfo", "signed string of the renewal info", .signedString),
        ("signedAppTransactionInfo", "signed string of the app transaction", .signedString),
        ("status", "state of the subscription when it was signed", .number),
        ("consumptionRequestReason", "why the customer asked for a refund", .plain),
        ("requestIdentifier", "the request to extend", .plain),
        ("storefrontCountryCodes", "countries and regions of the request", .plain),
        ("succeededCount", "subscriptions that were extended", .plain),
        ("failedCount", "subscriptions that were not", .plain),
        ("externalPurchaseId", "the token", .plain),
        ("tokenCreationDate", "when the token was made", .date),
        ("tokenType", "type of the token", .plain),
        ("tokenExpirationDate", "when the token expires", .date),
    ]

    private static let commerce: [Entry] = [
        ("advancedCommerceInfo", "what the app sells by the Advanced Commerce API", .plain),
        ("descriptors", "names that the customer sees", .plain),
        ("description", "description that the customer sees", .plain),
        ("displayName", "name that the customer sees", .plain),
        ("estimatedTax", "tax, estimated, in thousandths of the currency", .amount),
        ("items", "what was sold", .plain),
        ("SKU", "the item", .plain),
        ("offer", "offer of the item", .plain),
        ("refunds", "refunds of the item", .plain),
        ("refundAmount", "what was refunded, in thousandths of the currency", .amount),
        ("refundDate", "when it was refunded", .date),
        ("refundReason", "why it was refunded", .plain),
        ("refundType", "refunded whole, prorated, or another amount", .plain),
        ("period", "length of a period (ISO 8601)", .plain),
        ("periodCount", "number of periods", .plain),
        ("reason", "reason of the offer", .plain),
        ("requestReferenceId", "the app's request", .plain),
        ("taxCode", "kind of product for taxes", .plain),
        ("taxExclusivePrice", "price without tax, in thousandths of the currency", .amount),
        ("taxRate", "rate of the tax", .plain),
        ("priceIncreaseInfo", "a price increase of the item", .plain),
        ("dependentSKUs", "items that depend on it", .plain),
    ]
}
