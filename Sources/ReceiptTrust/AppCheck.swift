/// Whether a receipt is of the app that is expected, and still in force. The raw
/// values are those of the database.
public enum AppCheck: String, Sendable, Hashable, CaseIterable {
    case expected
    case unexpectedBundle = "unexpected_bundle"
    case unexpectedVersion = "unexpected_version"
    /// A volume purchase whose expiration date has passed.
    case expired
    /// Nobody said what is expected.
    case notConfigured = "not_configured"

    /// What a receipt states, beside what is expected of it; nil means that
    /// nothing is.
    public struct Comparison: Sendable, Hashable {
        public var stated: String?
        public var expected: String?

        public init(stated: String?, expected: String?) {
            self.stated = stated
            self.expected = expected
        }

        var differs: Bool { expected != nil && expected != stated }
    }

    /// The first of bundle, version and expiration that is not as expected.
    ///
    /// - Parameters:
    ///   - expirationDate: attribute 21, milliseconds since 1970 UTC.
    ///   - time: when it is judged, milliseconds since 1970 UTC.
    public init(bundle: Comparison, version: Comparison, expirationDate: Int64?, at time: Int64) {
        self.init(
            bundleDiffers: bundle.differs, versionDiffers: version.differs,
            isExpired: expirationDate.map { $0 <= time } ?? false,
            isConfigured: bundle.expected != nil || version.expected != nil)
    }

    /// The same of what was compared before.
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
