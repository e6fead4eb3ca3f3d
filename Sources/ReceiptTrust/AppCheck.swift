public import ReceiptFormat

/// The result of comparing a document's app with the expected one, and its expiration date with the
/// time. The raw values are those of the database.
public enum AppCheck: String, Sendable, Hashable, CaseIterable {
    /// Bundle and version are as expected, and the document has not expired.
    case expected
    /// The bundle identifier is not the expected one.
    case unexpectedBundle = "unexpected_bundle"
    /// The bundle is as expected, but the app's version is not.
    case unexpectedVersion = "unexpected_version"
    /// The expiration date of a volume purchase has passed.
    case expired
    /// No bundle and no version is expected.
    case notConfigured = "not_configured"

    /// A text that a document states, with the expected one.
    public struct Comparison: Sendable, Hashable {
        /// The text that the document states; nil if it states none.
        public var stated: DocumentText?
        /// The expected text; nil if every text is accepted.
        public var expected: DocumentText?

        /// Pairs the document's text with the expected one, for ``differs`` to compare.
        public init(stated: DocumentText?, expected: DocumentText?) {
            self.stated = stated
            self.expected = expected
        }

        /// Whether a text is expected, and the document states another or none.
        public var differs: Bool { expected.map { $0 != stated } ?? false }
    }

    /// The first of bundle, version and expiration that is not as expected.
    ///
    /// - Parameters:
    ///   - bundle: attribute 2 with the expected bundle identifier.
    ///   - version: attribute 3 with the expected version.
    ///   - expirationDate: attribute 21, milliseconds since 1970 UTC.
    ///   - time: the time of the check, milliseconds since 1970 UTC.
    public init(bundle: Comparison, version: Comparison, expirationDate: Int64?, at time: Int64) {
        self.init(
            bundleDiffers: bundle.differs, versionDiffers: version.differs,
            isExpired: expirationDate.map { $0 <= time } ?? false,
            isConfigured: bundle.expected != nil || version.expected != nil)
    }

    /// The first of bundle, version and expiration that is not as expected, for a caller that has already compared
    /// them.
    public init(bundleDiffers: Bool, versionDiffers: Bool, isExpired: Bool, isConfigured: Bool) {
        if bundleDiffers {
            self = .unexpectedBundle
        } else if versionDiffers {
            self = .unexpectedVersion
        } else if isExpired {
            self = .expired
        } else {
            self = isConfigured ? .expected : .notConfigured
        }
    }
}
