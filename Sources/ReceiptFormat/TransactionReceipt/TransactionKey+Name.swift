extension TransactionKey {
    private static let envelope: [TransactionKey] = [.signature, .purchaseInfo, .environment, .pod, .signingStatus]

    private static let milliseconds: [TransactionKey] = [
        .purchaseDateMilliseconds, .originalPurchaseDateMilliseconds, .cancellationDateMilliseconds, .expiresDate,
    ]

    /// Keys of a `purchase-info` that Apple writes but no parser reads.
    private static let unread = [
        "expires-date-formatted-pst", "purchase-date-pst", "original-purchase-date-pst", "cancellation-date-pst",
        "item-id", "unique-identifier", "unique-vendor-identifier",
    ]

    private static let ofPurchaseInfo = Set(
        (allCases.filter { !envelope.contains($0) }.map(\.rawValue) + unread).map { DocumentText($0) })

    /// Whether a key of the envelope around the `purchase-info` is known.
    package static func isKnown(ofEnvelope key: DocumentText) -> Bool { envelope.contains { $0.rawValue ~= key } }

    /// Whether a key's value is a date in milliseconds since 1970 UTC.
    package static func isMilliseconds(_ key: DocumentText) -> Bool { milliseconds.contains { $0.rawValue ~= key } }

    /// The name that a value of a `purchase-info` key has in app receipts and in the database; all three notations of a
    /// date have the same one. Nil for an unknown key.
    package static func name(ofPurchaseInfo key: DocumentText) -> String? {
        switch key {
        case bundleIdentifier.rawValue: return "bundle_id"
        case appVersion.rawValue: return "app_version"
        default:
            guard ofPurchaseInfo.contains(key) else { return nil }
            let words = key.string.split(separator: "-")
            return words.filter { !["ms", "pst", "formatted"].contains($0) }.joined(separator: "_")
        }
    }
}
