extension SignedField {
    /// The fields of all kinds of signed documents, each once.
    ///
    /// Every list of fields with a column has the order of this table: decoded lines, and
    /// statements. A new merged field is a line in the table, a migration that adds the column, and
    /// a test.
    package static let table: [SignedField] = allotted(
        identity + renewal + terms + revocation + app + notification + commitment + commerce)

    private static let identity: [SignedField] = [
        .init(
            "transactionId", .transaction, of: .transaction, text: .transactionID, tellsKind: true, "the transaction"),
        .init(
            "originalTransactionId", .transaction, of: [.transaction, .renewal], text: .originalTransactionID,
            column: "original_transaction_id", in: .renewal, "the first transaction of the purchase or subscription"),
        .init(
            "webOrderLineItemId", .identifier, of: .transaction, number: .webOrderLineItemID,
            "the purchase event of a subscription across devices"),
        .init("bundleId", .text, of: .all, text: .bundleID, at: .subject, "bundle identifier of the app"),
        .init(
            "productId", .product, of: [.transaction, .renewal], text: .productID, column: "product_id", in: .renewal,
            "the product"),
        .init(
            "purchaseDate", .date, of: .transaction, number: .purchaseDate, tellsKind: true,
            "when the store charged for it, or restored it"),
        .init(
            "originalPurchaseDate", .date, of: [.transaction, .appTransaction], number: .originalPurchaseDate,
            "when the first transaction was, or when the app was bought"),
        .init(
            "expiresDate", .date, of: .transaction, number: .expiresDate, "when the subscription expires or renews"),
        .init("quantity", .integer, of: .transaction, number: .quantity, "number of units"),
        .init("type", .text, of: .transaction, text: .productType, "type of the product"),
        .init(
            "signedDate", .signingDate, of: [.transaction, .renewal, .notification], number: .signedDate,
            "when the store signed this"),
        .init("environment", .environment, of: .all, text: .environment, at: .subject, "environment of the store"),
        .init(
            "deviceVerification", .deviceProof, of: [.transaction, .renewal, .appTransaction],
            text: .deviceVerification, "SHA-384 of the device's verification identifier with the nonce"),
        .init(
            "deviceVerificationNonce", .deviceProof, of: [.transaction, .renewal, .appTransaction],
            text: .deviceVerificationNonce, "nonce of the device verification"),
        .init(
            "previousOriginalTransactionId", .text, of: .transaction, "the purchase that this one came from"),
    ]

    private static let renewal: [SignedField] = [
        .init(
            "autoRenewProductId", .product, of: .renewal, column: "auto_renew_product_id", tellsKind: true,
            "the product to which it will renew"),
        .init(
            "autoRenewStatus", .code, of: .renewal, column: "auto_renew_status", tellsKind: true,
            "whether it will renew",
            words: [0: "off: it ends with the period", 1: "on: it renews"]),
        .init(
            "expirationIntent", .code, of: .renewal, column: "expiration_intent", tellsKind: true, "why it expired",
            words: [
                1: "the customer cancelled", 2: "billing error", 3: "the customer did not consent to a price increase",
                4: "the product was not available", 5: "another reason",
            ]),
        .init(
            "isInBillingRetryPeriod", .flag, of: .renewal, column: "is_in_billing_retry", tellsKind: true,
            "whether the store tries to charge for it again",
            words: [0: "no", 1: "yes"]),
        .init(
            "gracePeriodExpiresDate", .date, of: .renewal, column: "grace_period_expires_date", tellsKind: true,
            "when the grace period ends"),
        .init(
            "renewalDate", .date, of: .renewal, column: "renewal_date", tellsKind: true,
            "when it will renew"),
        .init(
            "renewalPrice", .amount, of: .renewal, column: "renewal_price_milliunits", tellsKind: true, since: "1.12",
            "price of the next renewal, in thousandths of the currency"),
        .init("renewalBillingPlanType", .text, of: .renewal, since: "1.21", "how the next renewal is billed"),
        .init(
            "eligibleWinBackOfferIds", .structure, of: .renewal, since: "1.13",
            "win-back offers that the customer may take"),
    ]

    private static let terms: [SignedField] = [
        .init(
            "price", .amount, of: .transaction, column: "price_milliunits", merge: .newestStating(.price),
            since: "1.10", "price in thousandths of the currency, after the offer, for the whole quantity"),
        .init(
            "currency", .text, of: [.transaction, .renewal], column: "currency", merge: .along(.price), since: "1.10",
            "currency of the price (ISO 4217)"),
        .init(
            "storefront", .text, of: .transaction, column: "storefront", merge: .newestStating(.storefront),
            since: "2023", "country or region of the store (ISO 3166-1 alpha-3)"),
        .init(
            "storefrontId", .text, of: .transaction, since: "2023", "number of the store's country or region"),
        .init(
            "inAppOwnershipType", .text, of: .transaction, column: "ownership", merge: .newestStating(.ownership),
            tellsKind: true, "bought by the customer, or shared by family"),
        .init(
            "offerType", .code, of: [.transaction, .renewal], number: .offerType, column: "offer_type",
            merge: .newestStating(.offer), "type of the offer",
            words: [1: "introductory offer", 2: "promotional offer", 3: "offer code", 4: "win-back offer"]),
        .init(
            "offerIdentifier", .text, of: [.transaction, .renewal], text: .offerID, column: "offer_id",
            merge: .newestStating(.offer), "the offer"),
        .init(
            "offerDiscountType", .text, of: [.transaction, .renewal], text: .offerDiscountType,
            column: "offer_discount_type", in: .transaction, merge: .newestStating(.offer), since: "1.10",
            "how the offer is paid"),
        .init(
            "offerPeriod", .text, of: [.transaction, .renewal], column: "offer_period", in: .transaction,
            merge: .newestStating(.offer), since: "1.15", "length of the offer (ISO 8601)"),
        .init(
            "priceIncreaseStatus", .code, of: .renewal, column: "price_increase_status", tellsKind: true,
            "the customer's answer to a price increase",
            words: [0: "the customer has not answered", 1: "the customer consented, or was only notified"]),
        .init(
            "recentSubscriptionStartDate", .date, of: .renewal, column: "recent_subscription_start_date",
            tellsKind: true, "since when it runs without a gap of 60 days"),
        .init(
            "transactionReason", .text, of: .transaction, column: "transaction_reason", merge: .newestStating(.reason),
            since: "2023", "the customer's purchase, or a renewal"),
        .init(
            "subscriptionGroupIdentifier", .text, of: .transaction, column: "subscription_group_id",
            merge: .newestStating(.subscriptionGroup), "the group of the subscription"),
        .init(
            "originalPlatform", .text, of: .appTransaction, column: "original_platform", since: "1.15",
            "platform on which the app was first bought"),
        .init(
            "appAccountToken", .text, of: [.transaction, .renewal], column: "app_account_token",
            merge: .newestStating(.accountToken), person: .accountToken,
            "the app's own name for the customer's account"),
        .init(
            "appTransactionId", .text, of: [.transaction, .renewal, .appTransaction], column: "app_transaction_id",
            merge: .newestStating(.appTransaction), person: .appTransaction, since: "1.15",
            "one account's ownership of the app"),
        .init(
            "isUpgraded", .flag, of: .transaction, column: "is_upgraded", merge: .newest,
            "the customer went on to another subscription of the group",
            words: [1: "yes: another subscription took its place"]),
    ]

    private static let revocation: [SignedField] = [
        .init(
            "revocationDate", .date, of: .transaction, number: .revocationDate, column: "revocation_date",
            merge: .withRevocation, "when the store refunded or revoked it"),
        .init(
            "revocationReason", .code, of: .transaction, number: .revocationReason, column: "revocation_reason",
            merge: .withRevocation, "why the store refunded it",
            words: [0: "another reason, such as an accidental purchase", 1: "an issue with the app"]),
        .init(
            "revocationType", .text, of: .transaction, column: "revocation_type", merge: .withRevocation,
            since: "1.19", "refunded whole, prorated, or taken from family or an organization's member"),
        .init(
            "revocationPercentage", .share, of: .transaction, column: "revoked_share", merge: .withRevocation,
            since: "1.19", "share of the price that was refunded, in thousandths of a percent"),
    ]

    private static let app: [SignedField] = [
        .init(
            "receiptType", .environment, of: .appTransaction, text: .receiptType, tellsKind: true,
            "environment of the store"),
        .init(
            "appAppleId", .integer, of: [.appTransaction, .notification], number: .appAppleID, at: .subject,
            "number of the app in the store"),
        .init("applicationVersion", .text, of: .appTransaction, text: .applicationVersion, "version of the app"),
        .init(
            "versionExternalIdentifier", .integer, of: .appTransaction, number: .versionExternalIdentifier,
            "number of the version in the store"),
        .init(
            "receiptCreationDate", .signingDate, of: .appTransaction, number: .receiptCreationDate, tellsKind: true,
            "when the store signed this"),
        .init(
            "originalApplicationVersion", .text, of: .appTransaction, text: .originalApplicationVersion,
            tellsKind: true, "version that was first bought: a build on iOS, a short version on macOS"),
        .init(
            "preorderDate", .date, of: .appTransaction, number: .preorderDate,
            "when the app was ordered before its release"),
        .init("requestDate", .date, of: .appTransaction, "when it was asked for"),
    ]

    private static let notification: [SignedField] = [
        .init(
            "notificationUUID", .text, of: .notification, column: "notification_uuid", tellsKind: true,
            "name of the notification, the same when it is sent again"),
        .init(
            "notificationType", .text, of: .notification, text: .notificationType, column: "notification_type",
            tellsKind: true, "what happened"),
        .init("subtype", .text, of: .notification, column: "subtype", "what happened, more exactly"),
        .init("version", .text, of: .notification, "version of the notification's format"),
        .init("data", .subject, of: .notification, "app and subscription"),
        .init("summary", .subject, of: .notification, "outcome of an extension of renewal dates for many"),
        .init(
            "externalPurchaseToken", .subject, of: .notification,
            "token of a purchase outside the store"),
        .init("appData", .subject, of: .notification, since: "2025-11", "app"),
        .init("bundleVersion", .text, of: .notification, at: .subject, "version of the app"),
        .init(
            "signedTransactionInfo", .signedString, of: .notification, text: .signedTransaction, at: .subject,
            "signed string of the transaction"),
        .init(
            "signedRenewalInfo", .signedString, of: .notification, text: .signedRenewal, at: .subject,
            "signed string of the renewal info"),
        .init(
            "signedAppTransactionInfo", .signedString, of: .notification, text: .signedAppTransaction, at: .subject,
            "signed string of the app transaction"),
        .init(
            "status", .code, of: .notification, at: .subject, column: "status",
            "state of the subscription when it was signed",
            words: [
                1: "active", 2: "expired", 3: "in billing retry", 4: "in billing grace period", 5: "revoked",
            ]),
        .init(
            "consumptionRequestReason", .text, of: .notification, at: .subject, column: "consumption_request_reason",
            since: "2024-06", "why the customer asked for a refund"),
        .init("requestIdentifier", .text, of: .notification, at: .subject, "the request to extend"),
        .init(
            "storefrontCountryCodes", .structure, of: .notification, at: .subject,
            "countries and regions of the request"),
        .init("succeededCount", .integer, of: .notification, at: .subject, "subscriptions that were extended"),
        .init("failedCount", .integer, of: .notification, at: .subject, "subscriptions that were not"),
        .init(
            "externalPurchaseId", .sandboxToken, of: .notification, number: .externalPurchaseID, at: .subject,
            "the token"),
        .init("tokenCreationDate", .date, of: .notification, at: .subject, "when the token was made"),
        .init("tokenType", .text, of: .notification, at: .subject, since: "2025-06", "type of the token"),
        .init(
            "tokenExpirationDate", .date, of: .notification, at: .subject, since: "2025-06", "when the token expires"),
    ]

    private static let commitment: [SignedField] = [
        .init("billingPlanType", .text, of: .transaction, since: "1.21", "how a subscription is billed"),
        .init(
            "commitmentInfo", .structure, of: [.transaction, .renewal], since: "1.21",
            "commitment of a subscription that is billed in parts"),
        .init(
            "billingPeriodNumber", .integer, of: .transaction, at: .inside("commitmentInfo"), since: "1.21",
            "which of the commitment's periods it is"),
        .init(
            "totalBillingPeriods", .integer, of: .transaction, at: .inside("commitmentInfo"), since: "1.21",
            "number of the commitment's periods"),
        .init(
            "commitmentPrice", .amount, of: .transaction, at: .inside("commitmentInfo"), since: "1.21",
            "price of the whole commitment, in thousandths of the currency"),
        .init(
            "commitmentExpiresDate", .date, of: .transaction, at: .inside("commitmentInfo"), since: "1.21",
            "when the commitment ends"),
    ]

    private static let commerce: [SignedField] =
        [
            .init(
                "advancedCommerceInfo", .structure, of: [.transaction, .renewal], since: "1.14",
                "what the app sells by the Advanced Commerce API")
        ]
        + [
            ("descriptors", .structure, "names that the customer sees"),
            ("description", .text, "description that the customer sees"),
            ("displayName", .text, "name that the customer sees"),
            ("estimatedTax", .amount, "tax, estimated, in thousandths of the currency"),
            ("items", .structure, "what was sold"),
            ("SKU", .text, "the item"),
            ("offer", .structure, "offer of the item"),
            ("refunds", .structure, "refunds of the item"),
            ("refundAmount", .amount, "what was refunded, in thousandths of the currency"),
            ("refundDate", .date, "when it was refunded"),
            ("refundReason", .text, "why it was refunded"),
            ("refundType", .text, "refunded whole, prorated, or another amount"),
            ("period", .text, "length of a period (ISO 8601)"),
            ("periodCount", .integer, "number of periods"),
            ("reason", .text, "reason of the offer"),
            ("requestReferenceId", .text, "the app's request"),
            ("taxCode", .text, "kind of product for taxes"),
            ("taxExclusivePrice", .amount, "price without tax, in thousandths of the currency"),
            ("taxRate", .text, "rate of the tax"),
            ("priceIncreaseInfo", .structure, "a price increase of the item"),
            ("dependentSKUs", .structure, "items that depend on it"),
        ].map { (name: String, type: SignedFieldType, meaning: String) in
            SignedField(
                name, type, of: [.transaction, .renewal], at: .inside("advancedCommerceInfo"), since: "1.14", meaning)
        }

    /// Fields of the headers of signed strings (RFC 7515, 4.1), of which `alg`, `x5c` and `crit` are used.
    package static let header: [SignedField] = [
        .init("alg", .text, of: .all, "algorithm of the signature; ES256 is the only one that is read"),
        .init("x5c", .structure, of: .all, "certificates: the signer's, its issuer's, the root"),
        .init("kid", .text, of: .all, "name of the key; not used"),
        .init("typ", .text, of: .all, "type of the string; not used"),
        .init("cty", .text, of: .all, "type of the payload; not used"),
        .init("crit", .structure, of: .all, "extensions that a reader must know: refused"),
        .init("jwk", .structure, of: .all, "key; not used"),
        .init("jku", .text, of: .all, "address of keys; not used"),
        .init("x5u", .text, of: .all, "address of certificates; not used"),
        .init("x5t", .text, of: .all, "SHA-1 of the certificate; not used"),
        .init("x5t#S256", .text, of: .all, "SHA-256 of the certificate; not used"),
    ]
}
