/// The header of StoreKit 2's signed data (RFC 7515, 4), with the members that decide whether the signature is
/// accepted. All other members are ignored: none may choose a key or an algorithm.
public struct SignedHeader: Sendable, Hashable {
    /// The algorithm that the header names (RFC 7518, 3.1), in at most
    /// ``maximumAlgorithmBytes``; nil if it names none.
    public var algorithm: DocumentText?
    /// Whether the header names extensions that have to be understood (RFC 7515, 4.1.11).
    public var hasCriticalExtensions: Bool
    /// The certificates of `x5c` in DER, the signer's first (RFC 7515, 4.1.6). An element is nil if a certificate is
    /// not base64; the array is nil if `x5c` is absent or not an array.
    public var certificates: [[UInt8]?]?

    /// The maximum size in bytes of an algorithm's name. The longest registered one has 20 (IANA,
    /// JSON Web Signature and Encryption Algorithms).
    public static let maximumAlgorithmBytes = 64

    /// Creates a header from its three members.
    public init(algorithm: DocumentText?, hasCriticalExtensions: Bool, certificates: [[UInt8]?]?) {
        (self.algorithm, self.hasCriticalExtensions) = (algorithm, hasCriticalExtensions)
        self.certificates = certificates
    }
}
