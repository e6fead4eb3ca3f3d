extension SignedField {
    /// The fields that only notifications have.
    static let notification: [SignedField] =
        [
            .init(
                "notificationUUID", .text, of: .notification, column: "notification_uuid", tellsKind: true,
                label: "uuid", "name of the notification, the same when it is sent again"),
            .init(
                "notificationType", .text, of: .notification, text: .notificationType, column: "notification_type",
                tellsKind: true, label: "type", "what happened",
                values: [
                    "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "OFFER_REDEEMED",
                    "DID_RENEW", "EXPIRED", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE", "REFUND",
                    "REFUND_DECLINED", "REFUND_REVERSED", "CONSUMPTION_REQUEST", "RENEWAL_EXTENDED",
                    "RENEWAL_EXTENSION", "REVOKE", "TEST", "EXTERNAL_PURCHASE_TOKEN", "ONE_TIME_CHARGE",
                    "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATE", "MIGRATION", "PRICE_CHANGE", "UNCLAIM_SEATS",
                ]),
            .init(
                "subtype", .text, of: .notification, column: "subtype", label: "subtype", "what happened, more exactly",
                values: [
                    "INITIAL_BUY", "RESUBSCRIBE", "DOWNGRADE", "UPGRADE", "AUTO_RENEW_ENABLED",
                    "AUTO_RENEW_DISABLED", "VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "GRACE_PERIOD", "PENDING",
                    "ACCEPTED", "BILLING_RECOVERY", "PRODUCT_NOT_FOR_SALE", "SUMMARY", "FAILURE", "UNREPORTED",
                    "CREATED", "ACTIVE_TOKEN_REMINDER", "SEATS", "INCREASE_QUANTITY", "DECREASE_QUANTITY",
                ]),
            .init(
                "version", .text, of: .notification, column: "version", "version of the notification's format"),
            .init("data", .subject, of: .notification, "app and subscription"),
            .init("summary", .subject, of: .notification, "outcome of an extension of renewal dates for many"),
            .init(
                "externalPurchaseToken", .subject, of: .notification,
                "token of a purchase outside the store"),
            .init("appData", .subject, of: .notification, since: "2025-11", "app"),
            .init(
                "unclaimInfo", .subject, of: .notification, since: "1.23", "seats whose members the app has to remove"),
        ] + subject

    /// The fields of the objects that notifications are about.
    private static let subject: [SignedField] = [
        .init(
            "bundleVersion", .text, of: .notification, at: .subject, column: "bundle_version", label: "app version",
            "version of the app"),
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
            label: "status", "state of the subscription when it was signed",
            words: [
                1: "active", 2: "expired", 3: "in billing retry", 4: "in billing grace period", 5: "revoked",
            ]),
        .init(
            "consumptionRequestReason", .text, of: .notification, at: .subject, column: "consumption_request_reason",
            since: "2024-06", label: "request", "why the customer asked for a refund",
            values: ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER"]),
        .init(
            "productId", .product, of: .notification, at: .subject, column: "summary_product_id",
            label: "product", "the product whose renewal dates were extended"),
        .init(
            "requestIdentifier", .text, of: [.notification, .realtimeRequest], at: .subject,
            column: "request_identifier", label: "request id", "the app's request to extend, or the store's request"),
        .init(
            "storefrontCountryCodes", .json, of: .notification, at: .subject, column: "storefront_country_codes",
            label: "storefronts", "countries and regions of the request"),
        .init(
            "succeededCount", .integer, of: .notification, at: .subject, column: "succeeded_count",
            label: "succeeded", "subscriptions that were extended"),
        .init(
            "failedCount", .integer, of: .notification, at: .subject, column: "failed_count",
            label: "failed", "subscriptions that were not extended"),
        .init(
            "externalPurchaseId", .text, of: .notification, text: .externalPurchaseID, at: .subject,
            column: "external_purchase_id", label: "token", "the token, which begins with SANDBOX in the sandbox"),
        .init(
            "tokenCreationDate", .date, of: .notification, at: .subject, column: "token_creation_date",
            label: "token made", "when the token was made"),
        .init(
            "tokenType", .text, of: .notification, at: .subject, column: "token_type", since: "2025-06",
            label: "token type", "type of the token", values: ["SERVICES", "ACQUISITION"]),
        .init(
            "tokenExpirationDate", .date, of: .notification, at: .subject, column: "token_expiration_date",
            since: "2025-06", label: "token ends", "when the token expires"),
        .init(
            "unclaimSeatIds", .json, of: .notification, at: .subject, column: "unclaim_seat_ids", since: "1.23",
            label: "seats", "the seats, by the app's own names"),
    ]
}
