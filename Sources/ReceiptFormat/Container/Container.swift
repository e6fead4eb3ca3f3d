/// A PKCS#7 container as ranges of its bytes: content, certificates, signer.
///
/// Parsing verifies nothing: the verifier decides whether the signature is valid, and whether its algorithms are
/// accepted.
public struct Container: Sendable, Hashable {
    /// The digest algorithms that the container states: AlgorithmIdentifiers, one
    /// after another.
    public let digestAlgorithms: ByteRange
    /// The signed content: the receipt's payload.
    public var content: OctetString
    /// The certificates, one after another as in the container; empty if it has none.
    public let certificates: ByteRange
    /// The only signer.
    public let signer: SignerInfo

    /// The maximum number of certificates in a receipt. Apple's receipts have three.
    public static let maximumCertificates = 16
    /// The maximum size in bytes of all certificates together. Apple's have some 3,700; verifying and caching them
    /// costs time and memory in proportion to their size.
    public static let maximumCertificateBytes = 32 << 10
}

/// The signer of a container: its certificate's name, its algorithms and the
/// signature (RFC 5652, 5.3).
public struct SignerInfo: Sendable, Hashable {
    /// The name by which the container refers to the signer's certificate.
    public enum Identifier: Sendable, Hashable {
        /// The issuer's name, a whole DER element, and the content of the serial
        /// number.
        case issuerAndSerialNumber(issuer: ByteRange, serialNumber: ByteRange)
        /// The content of the subject key identifier.
        case subjectKeyIdentifier(ByteRange)
    }

    /// The name of the signer's certificate.
    public let identifier: Identifier
    /// The content of the digest algorithm's object identifier.
    public let digestAlgorithm: ByteRange
    /// The content of the signature algorithm's object identifier.
    public let signatureAlgorithm: ByteRange
    /// The attributes that are signed instead of the content; nil if the content itself is signed.
    public let signedAttributes: SignedAttributes?
    /// The bytes of the signature.
    public let signature: ByteRange
}

/// The attributes that are signed instead of the content (RFC 5652, 5.3).
public struct SignedAttributes: Sendable, Hashable {
    /// The attributes, one after another. The signature covers them with the header of a SET, whatever header they have
    /// in the container (RFC 5652, 5.4).
    public let content: ByteRange
    /// The content of the object identifier in the attribute contentType (RFC 5652, 11.1); nil if the attribute is
    /// absent or repeated.
    public let contentType: ByteRange?
    /// The digest in the attribute messageDigest (RFC 5652, 11.2); nil if the attribute is absent or repeated.
    public let messageDigest: ByteRange?
}
