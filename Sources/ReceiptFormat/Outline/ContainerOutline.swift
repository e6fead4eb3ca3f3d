/// What stands in a container, read as far as it goes.
///
/// ``Container`` takes a whole container or none. This one is for people who
/// want to see what is there, of a damaged container too: an element that is
/// cut short is read to where the bytes end, and what comes after is missing.
/// Nothing is judged. Object identifiers are places of their content octets.
public struct ContainerOutline: Sendable, Hashable {
    /// Lengths are indefinite or longer than they need be, or octet strings come
    /// in chunks: the basic encoding rules, not the distinguished (X.690, 10).
    public internal(set) var isBasicEncoded = false
    public internal(set) var contentType: ByteRange?
    public internal(set) var version: Int64?
    public internal(set) var digestAlgorithms: [ByteRange] = []
    public internal(set) var encapsulatedContentType: ByteRange?
    public internal(set) var content: OctetString?
    /// Each certificate, header included.
    public internal(set) var certificates: [ByteRange] = []
    public internal(set) var hasRevocationLists = false
    public internal(set) var signers: [SignerOutline] = []
    /// There are more digest algorithms, certificates, signers or signed attributes
    /// than are listed.
    public internal(set) var isCut = false

    /// Of each kind so many are listed: a hostile container could hold millions.
    public static let maximumMembers = Container.maximumCertificates

    /// Of a container in which nothing stands.
    public init() {}
}

/// What stands in one SignerInfo.
public struct SignerOutline: Sendable, Hashable {
    public internal(set) var version: Int64?
    public internal(set) var identifier: SignerInfo.Identifier?
    public internal(set) var digestAlgorithm: ByteRange?
    /// Nil where there are none.
    public internal(set) var signedAttributes: [SignedAttribute]?
    public internal(set) var signatureAlgorithm: ByteRange?
    public internal(set) var signature: ByteRange?
    public internal(set) var hasUnsignedAttributes = false
    /// There are more signed attributes than are listed.
    var isCut = false

    public struct SignedAttribute: Sendable, Hashable {
        public let type: ByteRange
        /// The content of the SET of values.
        public let values: ByteRange
    }
}
