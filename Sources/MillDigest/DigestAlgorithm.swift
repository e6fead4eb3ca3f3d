/// A digest that receipts are signed with.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-1, with which the store signed until 2023.
    case sha1
    /// SHA-256, with which the store has signed since 2023.
    case sha256

    /// The size of a digest in bytes.
    public var count: Int { self == .sha1 ? 20 : 32 }
}
