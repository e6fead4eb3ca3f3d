extension SignedField {
    /// The fields of all kinds of signed documents, each once.
    ///
    /// All lists of fields with a column are in the order of this table: in decoded lines, and in statements. To add a
    /// merged field, add a line to the table, a migration that adds the column, and a test.
    package static let table: [SignedField] = allotted(
        identity + renewal + terms + revocation + app + notification + plan + seats + commerce)

    private static let identity: [SignedField] = [
        .init(
            "transactionId", .transaction, of: .transaction, text: .transactionID, tellsKind: true, "the transaction"),
        .init(
            "originalTransactionId", .transaction, of: [.transaction, .renewal, .realtimeRequest],
            text: .originalTransactionID, column: "original_transaction_id", in: [.renewal, .realtimeRequest],
            label: "subscription", "the first transaction of the purchase or subscription"),
        .init(
            "webOrderLineItemId", .identifier, of: .transaction, number: .webOrderLineItemID,
            "the purchase event of a subscription across devices"),
        .init("bundleId", .text, of: .all, text: .bundleID, at: .subject, "bundle identifier of the app"),
        .init(
            "productId", .product, of: [.transaction, .renewal, .realtimeRequest], text: .productID,
            column: "product_id", in: [.renewal, .realtimeRequest], label: "product", "the product"),
        .init(
            "purchaseDate", .date, of: .transaction, number: .purchaseDate, tellsKind: true,
            "when the store charged for it, or restored it"),
        .init(
            "originalPurchaseDate", .date, of: [.transaction, .appTransaction], number: .originalPurchaseDate,
            key: "original_purchase_date", label: "bought at",
            "when the first transaction was, or when the app was bought"),
        .init(
            "expiresDate", .date, of: .transaction, number: .expiresDate, "when the subscription expires or renews"),
        .init("quantity", .integer, of: .transaction, number: .quantity, "number of units"),
        .init(
            "type", .text, of: .transaction, text: .productType, key: "product_type", label: "type",
            "type of the product",
            values: [
                "Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription",
            ]),
        .init(
            "type", .unknownValue, of: .transaction, column: "product_type_name", merge: .newest,
            "type of the product, where the number of a type in receipts does not exist for it"),
        .init(
            "signedDate", .signingDate, of: [.transaction, .renewal, .notification, .realtimeRequest],
            number: .signedDate, "when the store signed this"),
        .init(
            "environment", .environment, of: .all, text: .environment, at: .subject, "environment of the store",
            values: environments),
        .init(
            "deviceVerification", .deviceProof, of: [.transaction, .renewal, .appTransaction],
            text: .deviceVerification, "SHA-384 of the device's verification identifier with the nonce"),
        .init(
            "deviceVerificationNonce", .deviceProof, of: [.transaction, .renewal, .appTransaction],
            text: .deviceVerificationNonce, "nonce of the device verification"),
        .init(
            "previousOriginalTransactionId", .transaction, of: .transaction,
            column: "previous_original_transaction_id", merge: .newestStating(.previous), since: "2025",
            label: "came from",
            "the purchase from which this one was moved: to or from a bundle, or to the Advanced Commerce API"),
    ]

    private static let environments = ["Production", "Sandbox", "Xcode", "LocalTesting"]

    private static let renewal: [SignedField] = [
        .init(
            "autoRenewProductId", .product, of: .renewal, column: "auto_renew_product_id", tellsKind: true,
            label: "renews to", "the product to which it will renew"),
        .init(
            "autoRenewStatus", .code, of: .renewal, column: "auto_renew_status", tellsKind: true,
            label: "auto-renewal", "whether it will renew",
            words: [0: "off: it ends with the period", 1: "on: it renews"]),
        .init(
            "expirationIntent", .code, of: .renewal, column: "expiration_intent", tellsKind: true, label: "ended by",
            "why it expired",
            words: [
                1: "the customer cancelled", 2: "billing error", 3: "the customer did not consent to a price increase",
                4: "the product was not available", 5: "another reason",
            ]),
        .init(
            "isInBillingRetryPeriod", .flag, of: .renewal, column: "is_in_billing_retry", tellsKind: true,
            label: "billing retry", "whether the store tries to charge for it again",
            words: [0: "no", 1: "yes"]),
        .init(
            "gracePeriodExpiresDate", .date, of: .renewal, column: "grace_period_expires_date", tellsKind: true,
            label: "grace until", "when the grace period ends"),
        .init(
            "renewalDate", .date, of: .renewal, column: "renewal_date", tellsKind: true,
            label: "renewal", "when it will renew"),
        .init(
            "renewalPrice", .amount, of: .renewal, column: "renewal_price_milliunits", tellsKind: true, since: "1.12",
            label: "price", "price of the next renewal, in thousandths of the currency"),
        .init(
            "eligibleWinBackOfferIds", .json, of: .renewal, column: "eligible_win_back_offer_ids", since: "1.13",
            label: "win-back", "win-back offers that the customer may take"),
    ]

    private static let terms: [SignedField] = [
        .init(
            "price", .amount, of: .transaction, column: "price_milliunits", merge: .newestStating(.price),
            since: "1.10", label: "price",
            "price in thousandths of the currency, after the offer, for the whole quantity"),
        .init(
            "currency", .text, of: [.transaction, .renewal], column: "currency", merge: .along(.price), since: "1.10",
            "currency of the price (ISO 4217)"),
        .init(
            "storefront", .text, of: .transaction, column: "storefront", merge: .newestStating(.storefront),
            since: "2023", label: "storefront", "country or region of the store (ISO 3166-1 alpha-3)"),
        .init(
            "storefrontId", .text, of: .transaction, column: "storefront_id", merge: .newestStating(.storefront),
            since: "2023", "number of the store's country or region"),
        .init(
            "inAppOwnershipType", .text, of: .transaction, column: "ownership", merge: .newestStating(.ownership),
            tellsKind: true, label: "ownership",
            "bought by the customer, shared by family, or assigned by an organization or group",
            values: ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"]),
        .init(
            "offerType", .code, of: [.transaction, .renewal], number: .offerType, column: "offer_type",
            merge: .newestStating(.offer), label: "offer", "type of the offer",
            words: [
                1: "introductory offer", 2: "promotional offer", 3: "offer code", 4: "win-back offer",
                5: "retention offer",
            ]),
        .init(
            "offerIdentifier", .text, of: [.transaction, .renewal], text: .offerID, column: "offer_id",
            merge: .newestStating(.offer), label: "offer id", "the offer"),
        .init(
            "offerDiscountType", .text, of: [.transaction, .renewal], text: .offerDiscountType,
            column: "offer_discount_type", merge: .newestStating(.offer), since: "1.10", label: "discount",
            "how the offer is paid",
            values: ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"]),
        .init(
            "offerPeriod", .text, of: [.transaction, .renewal], column: "offer_period",
            merge: .newestStating(.offer), since: "1.15", label: "offer period", "length of the offer (ISO 8601)"),
        .init(
            "priceIncreaseStatus", .code, of: .renewal, column: "price_increase_status", tellsKind: true,
            label: "price increase", "the customer's answer to a price increase",
            words: [0: "the customer has not answered", 1: "the customer consented, or was only notified"]),
        .init(
            "recentSubscriptionStartDate", .date, of: .renewal, column: "recent_subscription_start_date",
            tellsKind: true, label: "since", "since when it runs without a gap of 60 days"),
        .init(
            "transactionReason", .text, of: .transaction, column: "transaction_reason", merge: .newestStating(.reason),
            since: "2023", label: "reason", "the customer's purchase, or a renewal", values: ["PURCHASE", "RENEWAL"]),
        .init(
            "subscriptionGroupIdentifier", .text, of: .transaction, column: "subscription_group_id",
            merge: .newestStating(.subscriptionGroup), label: "group", "the group of the subscription"),
        .init(
            "originalPlatform", .text, of: .appTransaction, column: "original_platform", since: "1.15",
            label: "bought on", "platform on which the app was first bought",
            values: ["iOS", "macOS", "tvOS", "visionOS"]),
        .init(
            "storeType", .text, of: .appTransaction, column: "store_type", since: "1.22",
            label: "store", "the store for everybody, or one for organizations", values: ["CONSUMER"]),
        .init(
            "appAccountToken", .text, of: [.transaction, .renewal], column: "app_account_token",
            merge: .newestStating(.accountToken), person: .accountToken,
            label: "token", "the app's own name for the customer's account"),
        .init(
            "appTransactionId", .text, of: [.transaction, .renewal, .appTransaction], column: "app_transaction_id",
            merge: .newestStating(.appTransaction), person: .appTransaction, since: "1.15",
            label: "app transaction", "one account's ownership of the app"),
        .init(
            "isUpgraded", .flag, of: .transaction, column: "is_upgraded", merge: .newest,
            label: "upgraded", "the customer went on to another subscription of the group",
            words: [1: "yes: another subscription took its place"]),
    ]

    private static let revocation: [SignedField] = [
        .init(
            "revocationDate", .date, of: [.transaction, .appTransaction], number: .revocationDate,
            column: "revocation_date", merge: .withRevocation, label: "revoked", "when the store refunded or revoked it"
        ),
        .init(
            "revocationReason", .code, of: .transaction, number: .revocationReason, column: "revocation_reason",
            merge: .withRevocation, label: "because of", "why the store refunded it",
            words: [0: "another reason, such as an accidental purchase", 1: "an issue with the app"]),
        .init(
            "revocationType", .text, of: .transaction, column: "revocation_type", merge: .withRevocation,
            since: "1.19", label: "revocation",
            "refunded whole, prorated, or taken from family or an organization's member",
            values: ["REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE", "ASSIGNMENT_REVOKE"]),
        .init(
            "revocationPercentage", .share, of: .transaction, column: "revoked_share", merge: .withRevocation,
            since: "1.19", key: "revocation_percentage", label: "returned",
            "share of the price that was refunded, in thousandths of a percent"),
    ]

    private static let app: [SignedField] = [
        .init(
            "receiptType", .environment, of: .appTransaction, text: .receiptType, tellsKind: true,
            "environment of the store", values: environments),
        .init(
            "appAppleId", .integer, of: [.appTransaction, .notification, .realtimeRequest], number: .appAppleID,
            at: .subject, key: "app_apple_id", label: "app apple id", "number of the app in the store"),
        .init("applicationVersion", .text, of: .appTransaction, text: .applicationVersion, "version of the app"),
        .init(
            "versionExternalIdentifier", .integer, of: .appTransaction, number: .versionExternalIdentifier,
            "number of the version in the store"),
        .init(
            "receiptCreationDate", .signingDate, of: .appTransaction, number: .receiptCreationDate, tellsKind: true,
            "when the store signed this"),
        .init(
            "originalApplicationVersion", .text, of: .appTransaction, text: .originalApplicationVersion,
            tellsKind: true, key: "original_app_version", label: "bought version",
            "version that was first bought: a build on iOS, a short version on macOS"),
        .init(
            "preorderDate", .date, of: .appTransaction, number: .preorderDate, column: "preorder_date",
            label: "preordered", "when the app was ordered before its release"),
        .init("requestDate", .date, of: .appTransaction, "when it was asked for"),
        .init(
            "userLocale", .text, of: .realtimeRequest, column: "user_locale", tellsKind: true, since: "2025-06",
            label: "locale", "language and region of the customer who is about to cancel"),
    ]

    /// Fields of the headers of signed strings (RFC 7515, 4.1). Only `alg`, `x5c` and `crit` are used.
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
