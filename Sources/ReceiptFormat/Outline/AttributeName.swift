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

    /// The name of an app receipt's attribute; nil where none is known.
    public static func ofApp(_ type: Int64) -> AttributeName? { named(type, in: AttributeField.app) }

    /// The name of an in-app purchase receipt's attribute; nil where none is known.
    public static func ofPurchase(_ type: Int64) -> AttributeName? { named(type, in: AttributeField.purchase) }

    private static func named(_ type: Int64, in fields: [AttributeField]) -> AttributeName? {
        fields.first { $0.type == type }.map { AttributeName(text: $0.name, source: $0.source) }
    }
}

extension AppAttribute {
    /// The attributes whose values are no ASN.1: opaque value, hash, and the
    /// unknown types 6 and 7.
    public static let rawTypes: Set<Int64> = [opaqueValue, sha1Hash, 6, 7]
}
