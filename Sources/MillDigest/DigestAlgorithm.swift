/// A digest algorithm with which receipts are signed.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-1, with which Apple signed until 2023.
    case sha1
    /// SHA-256, with which Apple has signed since 2023.
    case sha256

    /// The size of a digest in bytes.
    public var count: Int { self == .sha1 ? 20 : 32 }
}
