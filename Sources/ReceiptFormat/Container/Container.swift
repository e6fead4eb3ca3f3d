/// A PKCS#7 container as places in its bytes: content, certificates, signer.
///
/// Nothing is judged here. Whether the signature holds, and whether its
/// algorithms are accepted, is for the verifier to say.
public struct Container: Sendable, Hashable {
    /// The digest algorithms that the container states: AlgorithmIdentifiers, one
    /// after another.
    public let digestAlgorithms: ByteRange
    /// The signed content: the receipt's payload.
    public var content: OctetString
    /// The certificates, one after another as they stand in the container;
    /// empty where it carries none.
    public let certificates: ByteRange
    /// The only signer.
    public let signer: SignerInfo

    /// How many certificates a receipt may carry. The store's carry three.
    public static let maximumCertificates = 16
    /// Bytes that they may have together. The store's have some 3,700; judging
    /// and remembering a set costs time and memory in proportion.
    public static let maximumCertificateBytes = 32 << 10
}

/// Who signed, with what, and the signature (RFC 5652, 5.3).
public struct SignerInfo: Sendable, Hashable {
    /// How the container names the signer's certificate.
    public enum Identifier: Sendable, Hashable {
        /// The issuer's name, a whole DER element, and the content octets of the
        /// serial number.
        case issuerAndSerialNumber(issuer: ByteRange, serialNumber: ByteRange)
        /// The content octets of the subject key identifier.
        case subjectKeyIdentifier(ByteRange)
    }

    public let identifier: Identifier
    /// Content octets of the digest algorithm's object identifier.
    public let digestAlgorithm: ByteRange
    /// Content octets of the signature algorithm's object identifier.
    public let signatureAlgorithm: ByteRange
    public let signedAttributes: SignedAttributes?
    public let signature: ByteRange
}

/// The attributes that are signed in the content's place (RFC 5652, 5.3).
public struct SignedAttributes: Sendable, Hashable {
    /// The attributes one after another. The signature is over these under the
    /// header of a SET, whatever header stands in the container (RFC 5652, 5.4).
    public let content: ByteRange
    /// Content octets of the object identifier that the attribute contentType
    /// holds; nil where it is absent or stands twice.
    public let contentType: ByteRange?
    /// The octets that the attribute messageDigest holds; nil where it is absent
    /// or stands twice.
    public let messageDigest: ByteRange?
}
