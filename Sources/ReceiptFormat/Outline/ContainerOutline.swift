/// The parts of a container as far as they can be read, for inspection.
///
/// ``Container`` parses a whole container or none. An outline also shows a damaged
/// one: a truncated element is read to where the bytes end, and nil or empty
/// stands for what comes after. Nothing is verified. Object identifiers are the
/// ranges of their contents.
public struct ContainerOutline: Sendable, Hashable {
    /// Whether the container follows the basic encoding rules alone, not the
    /// distinguished ones (X.690, 10): lengths are indefinite or padded, or octet
    /// strings come in chunks.
    public internal(set) var isBasicEncoded = false
    /// The content type of the ContentInfo, an object identifier.
    public internal(set) var contentType: ByteRange?
    /// The version of the SignedData.
    public internal(set) var version: Int64?
    /// The digest algorithms that the SignedData states, as object identifiers.
    public internal(set) var digestAlgorithms: [ByteRange] = []
    /// The type of the signed content, an object identifier.
    public internal(set) var encapsulatedContentType: ByteRange?
    /// The signed content: the receipt's payload.
    public internal(set) var content: OctetString?
    /// The certificates, each with its header.
    public internal(set) var certificates: [ByteRange] = []
    /// Whether the container carries revocation lists.
    public internal(set) var hasRevocationLists = false
    /// The signers; a receipt has one.
    public internal(set) var signers: [SignerOutline] = []
    /// Whether there are more digest algorithms, certificates, signers or signed
    /// attributes than are listed.
    public internal(set) var isCut = false

    /// The number of members that are listed of each kind, because a hostile
    /// container could hold millions.
    public static let maximumMembers = Container.maximumCertificates

    /// The outline of an empty container.
    public init() {}
}

/// The parts of one SignerInfo (RFC 5652, 5.3) as far as they can be read.
public struct SignerOutline: Sendable, Hashable {
    /// The version of the SignerInfo.
    public internal(set) var version: Int64?
    /// The name of the signer's certificate.
    public internal(set) var identifier: SignerInfo.Identifier?
    /// The digest algorithm, an object identifier.
    public internal(set) var digestAlgorithm: ByteRange?
    /// The signed attributes; nil where there are none.
    public internal(set) var signedAttributes: [SignedAttribute]?
    /// The signature algorithm, an object identifier.
    public internal(set) var signatureAlgorithm: ByteRange?
    /// The bytes of the signature.
    public internal(set) var signature: ByteRange?
    /// Whether unsigned attributes follow the signature.
    public internal(set) var hasUnsignedAttributes = false
    /// Whether there are more signed attributes than are listed.
    var isCut = false

    /// One signed attribute.
    public struct SignedAttribute: Sendable, Hashable {
        /// The attribute's type, an object identifier.
        public let type: ByteRange
        /// The content of the SET of values.
        public let values: ByteRange
    }
}
