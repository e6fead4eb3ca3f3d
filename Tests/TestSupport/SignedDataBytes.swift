/// SignedData part by part, each replaceable (RFC 5652, 5.1).
public struct SignedDataBytes {
    public static let data: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1]
    public static let signedData: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2]
    public static let envelopedData: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 3]
    public static let issuer = BER.sequence(BER.set(BER.sequence([0x06, 3, 0x55, 4, 3], BER.utf8("CA"))))

    /// AlgorithmIdentifiers with NULL for parameters (RFC 3370).
    public static let sha1 = BER.sequence([0x06, 5, 0x2b, 0x0e, 3, 2, 0x1a], [0x05, 0])
    public static let sha256 = BER.sequence([0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1], [0x05, 0])
    public static let md5 = BER.sequence([0x06, 8, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 5], [0x05, 0])
    public static let rsa = pkcs1(1)
    public static let md5WithRSA = pkcs1(4)
    public static let sha1WithRSA = pkcs1(5)
    public static let pss = pkcs1(10)
    public static let sha256WithRSA = pkcs1(11)
    public static let ecdsaWithSHA256 = BER.sequence([0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2])

    private static func pkcs1(_ arc: UInt8) -> [UInt8] {
        BER.sequence([0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, arc], [0x05, 0])
    }

    public var kind = signedData
    public var contentKind = data
    /// What stands under [0]; nil leaves it out.
    public var content: [UInt8]? = BER.octets([0x31, 0])
    /// AlgorithmIdentifiers one after another.
    public var digestAlgorithms = sha256
    public var certificates: [UInt8]? = BER.element(0xa0, BER.sequence(BER.integer(1)))
    public var revocations: [UInt8] = []
    public var signerIdentifier = BER.sequence(issuer, BER.integer(77))
    public var digestAlgorithm = sha256
    public var signedAttributes: [UInt8] = []
    public var signatureAlgorithm = rsa
    public var signature = BER.octets([1, 2, 3, 4])
    public var unsignedAttributes: [UInt8] = []
    /// In place of the one signer.
    public var signers: [UInt8]?
    public var trailing: [UInt8] = []

    public init() {}

    public var signer: [UInt8] {
        BER.sequence(
            BER.integer(1), signerIdentifier, digestAlgorithm, signedAttributes, signatureAlgorithm, signature,
            unsignedAttributes)
    }

    public var bytes: [UInt8] {
        let inner = BER.sequence(
            BER.integer(1), BER.element(0x31, digestAlgorithms),
            BER.sequence(contentKind, content.map { BER.element(0xa0, $0) } ?? []), certificates ?? [], revocations,
            BER.element(0x31, signers ?? signer))
        return BER.sequence(kind, BER.element(0xa0, inner)) + trailing
    }

    /// A signed attribute: its type's content octets, and its values.
    public static func attribute(_ type: [UInt8], _ values: [UInt8]...) -> [UInt8] {
        BER.sequence(BER.element(0x06, type), BER.element(0x31, values.flatMap { $0 }))
    }

    public static let contentType: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 3]
    public static let messageDigest: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 4]
}
