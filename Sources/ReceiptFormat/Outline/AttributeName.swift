/// The name of an attribute, and where the name comes from.
public struct AttributeName: Sendable, Hashable {
    /// Where a name comes from.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// Apple, Receipt Validation Programming Guide, "Receipt Fields".
        case documented
        /// Comparison of receipts with the store's own answers about them.
        case observed
    }

    /// The name as the database and the store's answers write it, such as
    /// `bundle_id`.
    public let text: String
    /// Where the name comes from.
    public let source: Source

    private static func documented(_ text: String) -> AttributeName { AttributeName(text: text, source: .documented) }
    private static func observed(_ text: String) -> AttributeName { AttributeName(text: text, source: .observed) }

    /// The name of an app receipt's attribute; nil where none is known.
    public static func ofApp(_ type: Int64) -> AttributeName? {
        switch type {
        case AppAttribute.environment: observed("environment")
        case AppAttribute.appItemID: observed("app_item_id")
        case AppAttribute.bundleIdentifier: documented("bundle_id")
        case AppAttribute.appVersion: documented("app_version")
        case AppAttribute.opaqueValue: documented("opaque_value")
        case AppAttribute.sha1Hash: documented("sha1_hash")
        case 10: observed("age_rating")
        case 11: observed("developer_id")
        case AppAttribute.receiptCreationDate: documented("receipt_creation_date")
        case AppAttribute.downloadID: observed("download_id")
        case AppAttribute.versionExternalIdentifier: observed("version_external_identifier")
        case AppAttribute.inAppPurchaseReceipt: documented("in_app")
        case AppAttribute.originalPurchaseDate: observed("original_purchase_date")
        case AppAttribute.originalApplicationVersion: documented("original_application_version")
        case AppAttribute.expirationDate: documented("expiration_date")
        case 23: observed("volume_purchase_organization")
        case 25: observed("platform")
        case AppAttribute.preorderDate: observed("preorder_date")
        default: nil
        }
    }

    /// The name of an in-app purchase receipt's attribute; nil where none is known.
    public static func ofPurchase(_ type: Int64) -> AttributeName? {
        switch type {
        case PurchaseAttribute.quantity: documented("quantity")
        case PurchaseAttribute.productIdentifier: documented("product_id")
        case PurchaseAttribute.transactionIdentifier: documented("transaction_id")
        case PurchaseAttribute.purchaseDate: documented("purchase_date")
        case PurchaseAttribute.originalTransactionIdentifier: documented("original_transaction_id")
        case PurchaseAttribute.originalPurchaseDate: documented("original_purchase_date")
        case PurchaseAttribute.productType: observed("product_type")
        case PurchaseAttribute.expiresDate: documented("expires_date")
        case PurchaseAttribute.webOrderLineItemID: documented("web_order_line_item_id")
        case PurchaseAttribute.cancellationDate: documented("cancellation_date")
        case PurchaseAttribute.isTrialPeriod: observed("is_trial_period")
        case PurchaseAttribute.isInIntroOfferPeriod: documented("is_in_intro_offer_period")
        case PurchaseAttribute.cancellationReason: observed("cancellation_reason")
        case PurchaseAttribute.promotionalOfferIdentifier: observed("promotional_offer_id")
        default: nil
        }
    }
}

extension AppAttribute {
    /// The attributes whose values are no ASN.1: opaque value, hash, and the
    /// unknown types 6 and 7.
    public static let rawTypes: Set<Int64> = [opaqueValue, sha1Hash, 6, 7]
}
