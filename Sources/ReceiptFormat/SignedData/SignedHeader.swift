/// The header of signed data of StoreKit 2 (RFC 7515, 4), as far as it decides
/// whether the signature is believed. All other members are ignored: none may
/// choose a key or an algorithm.
public struct SignedHeader: Sendable, Hashable {
    /// The algorithm that the header names (RFC 7518, 3.1); nil where it names none.
    public var algorithm: String?
    /// Whether the header names extensions that have to be understood (RFC 7515, 4.1.11).
    public var hasCriticalExtensions: Bool
    /// The certificates of `x5c` in DER, the signer's first (RFC 7515, 4.1.6). Of one
    /// that is no base64 the element is nil; the whole is nil where `x5c` is absent
    /// or no array.
    public var certificates: [[UInt8]?]?

    /// A header that states these.
    public init(algorithm: String?, hasCriticalExtensions: Bool, certificates: [[UInt8]?]?) {
        (self.algorithm, self.hasCriticalExtensions) = (algorithm, hasCriticalExtensions)
        self.certificates = certificates
    }
}
