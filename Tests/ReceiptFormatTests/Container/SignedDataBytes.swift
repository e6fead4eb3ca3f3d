import TestSupport

/// SignedData part by part, each replaceable (RFC 5652, 5.1).
struct SignedDataBytes {
    static let data: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1]
    static let signedData: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2]
    static let envelopedData: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 3]
    static let sha256 = BER.sequence([0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1], [0x05, 0])
    static let rsa = BER.sequence([0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1], [0x05, 0])
    static let issuer = BER.sequence(BER.set(BER.sequence([0x06, 3, 0x55, 4, 3], BER.utf8("CA"))))

    var kind = signedData
    var contentKind = data
    /// What stands under [0]; nil leaves it out.
    var content: [UInt8]? = BER.octets([0x31, 0])
    var certificates: [UInt8]? = BER.element(0xa0, BER.sequence(BER.integer(1)))
    var revocations: [UInt8] = []
    var signerIdentifier = BER.sequence(issuer, BER.integer(77))
    var signedAttributes: [UInt8] = []
    var signature = BER.octets([1, 2, 3, 4])
    var unsignedAttributes: [UInt8] = []
    /// In place of the one signer.
    var signers: [UInt8]?
    var trailing: [UInt8] = []

    var signer: [UInt8] {
        BER.sequence(
            BER.integer(1), signerIdentifier, Self.sha256, signedAttributes, Self.rsa, signature, unsignedAttributes)
    }

    var bytes: [UInt8] {
        let inner = BER.sequence(
            BER.integer(1), BER.set(Self.sha256),
            BER.sequence(contentKind, content.map { BER.element(0xa0, $0) } ?? []), certificates ?? [], revocations,
            BER.element(0x31, signers ?? signer))
        return BER.sequence(kind, BER.element(0xa0, inner)) + trailing
    }

    /// A signed attribute: its type's content octets, and its values.
    static func attribute(_ type: [UInt8], _ values: [UInt8]...) -> [UInt8] {
        BER.sequence(BER.element(0x06, type), BER.element(0x31, values.flatMap { $0 }))
    }

    static let contentType: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 3]
    static let messageDigest: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 4]
}
