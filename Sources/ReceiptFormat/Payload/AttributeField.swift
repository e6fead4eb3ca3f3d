/// One attribute of receipts, with all that the program knows about it.
///
/// ``app`` and ``purchase`` contain every attribute that has a name. The names that `inspect` and the database show,
/// the members of decoded lines and the columns of purchases are derived from them.
package struct AttributeField: Sendable {
    /// The number of the attribute.
    package let type: Int64
    /// The attribute's name in Apple's answers and in the database.
    package let name: String
    package let form: Form
    /// The origin of the name.
    package let source: Source
    /// Whether the value is in decoded lines and in the database.
    package let isStored: Bool

    /// How an attribute's name is known.
    package enum Source: String, Sendable, Hashable, CaseIterable {
        /// Apple, Receipt Validation Programming Guide, "Receipt Fields".
        case documented
        /// The name was found by comparing receipts with Apple's own answers about them.
        case observed
    }

    package enum Form: Sendable, Hashable {
        /// Bytes, which can look like ASN.1 but are not.
        case raw
        case text
        /// A text of at most ``AppReceipt/maximumNameBytes``, which the database stores in a separate table.
        case name
        /// A product identifier, which the database stores in a separate table.
        case product
        /// A transaction identifier.
        case transaction
        case integer
        /// An integer or its decimal text; any other text counts as absent.
        case optionalInteger
        /// A text in the receipt; after reading, milliseconds since 1970 UTC.
        case date
        /// A SET of attributes.
        case set
        /// The name is known, but the value is not read.
        case unread
    }

    private init(
        _ type: Int64, _ name: String, _ form: Form, _ source: Source, isStored: Bool = true
    ) {
        (self.type, self.name, self.form) = (type, name, form)
        (self.source, self.isStored) = (source, isStored)
    }

    /// The name of the member in decoded lines, which ends with the unit if the value is a time.
    package var decodedName: String { form == .date ? name + "_ms" : name }

    /// The attribute with a number at a level of receipts; nil if no name is known.
    package static func of(_ type: Int64, at level: UndocumentedTypes.Level) -> AttributeField? {
        (level == .app ? app : purchase).first { $0.type == type }
    }

    /// The attributes of an app receipt whose values are not ASN.1: opaque value, hash, and the unknown types 6 and 7.
    package static let rawTypes: Set<Int64> = [AppAttribute.opaqueValue, AppAttribute.sha1Hash, 6, 7]

    /// The name of the column in the loader's tables, in which products are referenced by number.
    package var storedColumn: String { form == .product ? "product_number" : name }

    /// The attributes of an app receipt.
    package static let app: [AttributeField] = [
        .init(AppAttribute.environment, "environment", .name, .observed),
        .init(AppAttribute.appItemID, "app_item_id", .integer, .observed),
        .init(AppAttribute.bundleIdentifier, "bundle_id", .name, .documented),
        .init(AppAttribute.appVersion, "app_version", .name, .documented),
        .init(AppAttribute.opaqueValue, "opaque_value", .raw, .documented),
        .init(AppAttribute.sha1Hash, "sha1_hash", .raw, .documented),
        .init(10, "age_rating", .unread, .observed, isStored: false),
        .init(11, "developer_id", .unread, .observed, isStored: false),
        .init(AppAttribute.receiptCreationDate, "receipt_creation_date", .date, .documented),
        .init(AppAttribute.downloadID, "download_id", .integer, .observed),
        .init(AppAttribute.versionExternalIdentifier, "version_external_identifier", .integer, .observed),
        .init(AppAttribute.inAppPurchaseReceipt, "in_app", .set, .documented),
        .init(AppAttribute.originalPurchaseDate, "original_purchase_date", .date, .observed),
        .init(AppAttribute.originalApplicationVersion, "original_application_version", .name, .documented),
        .init(AppAttribute.expirationDate, "expiration_date", .date, .documented),
        .init(23, "volume_purchase_organization", .unread, .observed, isStored: false),
        .init(25, "platform", .unread, .observed, isStored: false),
        .init(AppAttribute.preorderDate, "preorder_date", .date, .observed, isStored: false),
    ]

    /// The attributes of a purchase, in the order in which decoded lines and the database have them.
    package static let purchase: [AttributeField] = [
        .init(PurchaseAttribute.transactionIdentifier, "transaction_id", .transaction, .documented),
        .init(PurchaseAttribute.originalTransactionIdentifier, "original_transaction_id", .transaction, .documented),
        .init(PurchaseAttribute.productIdentifier, "product_id", .product, .documented),
        .init(PurchaseAttribute.quantity, "quantity", .integer, .documented),
        .init(PurchaseAttribute.productType, "product_type", .integer, .observed),
        .init(PurchaseAttribute.purchaseDate, "purchase_date", .date, .documented),
        .init(PurchaseAttribute.originalPurchaseDate, "original_purchase_date", .date, .documented),
        .init(PurchaseAttribute.expiresDate, "expires_date", .date, .documented),
        .init(PurchaseAttribute.cancellationDate, "cancellation_date", .date, .documented),
        .init(PurchaseAttribute.webOrderLineItemID, "web_order_line_item_id", .integer, .documented),
        .init(PurchaseAttribute.isTrialPeriod, "is_trial_period", .integer, .observed),
        .init(PurchaseAttribute.isInIntroOfferPeriod, "is_in_intro_offer_period", .integer, .documented),
        .init(PurchaseAttribute.promotionalOfferIdentifier, "promotional_offer_id", .text, .observed),
        .init(
            PurchaseAttribute.cancellationReason, "cancellation_reason", .optionalInteger, .observed, isStored: false),
    ]
}
