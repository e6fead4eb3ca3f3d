extension TransactionKey {
    /// The name by which app receipts and the database have the value of a
    /// `purchase-info` key; nil for a key that is not known. A key that is known
    /// and not parsed is named by itself, with underscores.
    public static func name(ofPurchaseInfo key: DocumentText) -> String? {
        switch key {
        case bundleIdentifier.rawValue: "bundle_id"
        case appVersion.rawValue: "app_version"
        case expiresDate.rawValue, expiresDateText.rawValue, "expires-date-formatted-pst": "expires_date"
        case purchaseDate.rawValue, purchaseDateMilliseconds.rawValue, "purchase-date-pst": "purchase_date"
        case originalPurchaseDate.rawValue, originalPurchaseDateMilliseconds.rawValue, "original-purchase-date-pst":
            "original_purchase_date"
        case cancellationDate.rawValue, cancellationDateMilliseconds.rawValue, "cancellation-date-pst":
            "cancellation_date"
        case appItemID.rawValue: "app_item_id"
        case isInIntroOfferPeriod.rawValue: "is_in_intro_offer_period"
        case isTrialPeriod.rawValue: "is_trial_period"
        case originalTransactionIdentifier.rawValue: "original_transaction_id"
        case productIdentifier.rawValue: "product_id"
        case quantity.rawValue: "quantity"
        case transactionIdentifier.rawValue: "transaction_id"
        case versionExternalIdentifier.rawValue: "version_external_identifier"
        case webOrderLineItemID.rawValue: "web_order_line_item_id"
        case "item-id": "item_id"
        case "unique-identifier": "unique_identifier"
        case "unique-vendor-identifier": "unique_vendor_identifier"
        default: nil
        }
    }

    /// Whether a key of the envelope around the `purchase-info` is known.
    public static func isKnown(ofEnvelope key: DocumentText) -> Bool {
        [signature, purchaseInfo, environment, pod, signingStatus].contains { $0.rawValue ~= key }
    }

    /// Whether a key's value is a date in milliseconds since 1970 UTC.
    public static func isMilliseconds(_ key: DocumentText) -> Bool {
        switch key {
        case purchaseDateMilliseconds.rawValue, originalPurchaseDateMilliseconds.rawValue,
            cancellationDateMilliseconds.rawValue, expiresDate.rawValue:
            true
        default: false
        }
    }
}
