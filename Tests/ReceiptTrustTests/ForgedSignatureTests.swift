import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

/// Containers in which one thing about the signature is wrong; OpenSSL's tool
/// verifies each as well.
@Suite("A signature")
struct ForgedSignatureTests {
    private let store: ReceiptStore
    private let genuine: HandmadeReceipt

    init() throws {
        store = try ReceiptStore()
        genuine = try HandmadeReceipt(store)
    }

    /// Ours is at least as strict: what we trust OpenSSL verifies, and where it is
    /// stated to agree, it refuses what we call a bad signature.
    private func expect(
        _ verdict: Verdict, _ what: String, opensslRefuses: Bool = true,
        changing change: (inout HandmadeReceipt) throws -> Void
    ) throws {
        var receipt = genuine
        try change(&receipt)
        #expect(try receipt.verdict() == verdict, "\(what)")
        let verifies = try receipt.opensslVerifies()
        if verdict == .trusted { #expect(verifies, "\(what)") }
        if verdict == .badSignature { #expect(verifies == !opensslRefuses, "\(what)") }
    }

    @Test("that follows the standard is trusted, with attributes and without")
    func trustsGenuine() throws {
        try expect(.trusted, "plain") { _ in }
        try expect(.trusted, "with its digest in the algorithm") {
            $0.parts.signatureAlgorithm = SignedDataBytes.sha256WithRSA
        }
        try expect(.trusted, "by SHA-1") {
            $0.parts.digestAlgorithm = SignedDataBytes.sha1
            $0.parts.digestAlgorithms = SignedDataBytes.sha1
            $0.parts.signatureAlgorithm = SignedDataBytes.sha1WithRSA
            $0.parts.signature = BER.octets(try $0.signature(of: $0.payload, "-sha1"))
        }
        try expect(.trusted, "over attributes") {
            try $0.sign(attributes: [
                HandmadeReceipt.contentType, HandmadeReceipt.messageDigest($0.digest(of: $0.payload)),
            ])
        }
        try expect(.trusted, "beside unsigned attributes, which are not protected") {
            let claim = SignedDataBytes.attribute(SignedDataBytes.messageDigest, BER.octets([1, 2, 3]))
            $0.parts.unsignedAttributes = BER.element(0xa1, claim)
        }
    }

    @Test("is unsupported where its algorithms are others than the store's, or contradict each other")
    func refusesConfusedAlgorithms() throws {
        try expect(.unsupportedAlgorithm, "SHA-1, signed with SHA-256") {
            $0.parts.digestAlgorithm = SignedDataBytes.sha1
            $0.parts.digestAlgorithms = SignedDataBytes.sha1
            $0.parts.signatureAlgorithm = SignedDataBytes.sha256WithRSA
        }
        try expect(.unsupportedAlgorithm, "SHA-256, signed with SHA-1") {
            $0.parts.signatureAlgorithm = SignedDataBytes.sha1WithRSA
            $0.parts.signature = BER.octets(try $0.signature(of: $0.payload, "-sha1"))
        }
        try expect(.unsupportedAlgorithm, "PSS by name") { $0.parts.signatureAlgorithm = SignedDataBytes.pss }
        try expect(.unsupportedAlgorithm, "an elliptic curve by name") {
            $0.parts.signatureAlgorithm = SignedDataBytes.ecdsaWithSHA256
        }
        try expect(.unsupportedAlgorithm, "MD5") {
            $0.parts.digestAlgorithm = SignedDataBytes.md5
            $0.parts.digestAlgorithms = SignedDataBytes.md5
            $0.parts.signatureAlgorithm = SignedDataBytes.md5WithRSA
            $0.parts.signature = BER.octets(try $0.signature(of: $0.payload, "-md5"))
        }
        try expect(.unsupportedAlgorithm, "a signature's algorithm for a digest") {
            $0.parts.digestAlgorithm = SignedDataBytes.sha256WithRSA
            $0.parts.digestAlgorithms = SignedDataBytes.sha256WithRSA
        }
        try expect(.unsupportedAlgorithm, "no digest stated") { $0.parts.digestAlgorithms = [] }
    }

    @Test("is bad where it is not the key's over this content, in exactly this form")
    func refusesOtherForms() throws {
        try expect(.badSignature, "SHA-1 in a signature that states SHA-256") {
            $0.parts.signature = BER.octets(try $0.signature(of: $0.payload, "-sha1"))
        }
        try expect(.badSignature, "the digest bare, without its algorithm (RFC 8017, 9.2)") {
            try store.workdir.write($0.digest(of: $0.payload), to: "bare")
            _ = try #require(
                try store.workdir.openssl(
                    "pkeyutl", "-sign", "-inkey", "signer.key", "-in", "bare", "-out", "signature", "-pkeyopt",
                    "rsa_padding_mode:pkcs1"))
            $0.parts.signature = BER.octets(try store.workdir.read("signature"))
        }
        let bytes = try genuine.signature(of: genuine.payload)
        for (what, forged) in [
            ("empty", []), ("cut", Array(bytes.dropLast())), ("with a zero before", [0] + bytes),
            ("with a byte behind", bytes + [0]), ("all zeros", [UInt8](repeating: 0, count: bytes.count)),
            ("all ones", [UInt8](repeating: 0xff, count: bytes.count)),
            ("the integer one", [UInt8](repeating: 0, count: bytes.count - 1) + [1]),
        ] {
            try expect(.badSignature, what) { $0.parts.signature = BER.octets(forged) }
        }
        try expect(.badSignature, "another certificate's, by the name it bears") {
            // The root bears its own name and the intermediate's serial number.
            $0.parts.signerIdentifier = BER.sequence(try issuer(of: "root"), BER.integer(7))
        }
    }

    /// The issuer's name in a certificate: behind version, serial number and algorithm.
    private func issuer(of name: String) throws -> [UInt8] {
        let der = try store.der(name)
        var reader = ByteReader(der.span)
        var certificate = reader.reader(in: try reader.readElement(Tag.sequence).content)
        var fields = certificate.reader(in: try certificate.readElement(Tag.sequence).content)
        for _ in 0..<3 { _ = try fields.readElement() }
        return Array(der[try fields.readElement().whole.indices])
    }

    @Test("over attributes is bad unless they state type and digest once, and rightly (RFC 5652, 11)")
    func refusesOtherAttributes() throws {
        let kind = HandmadeReceipt.contentType
        let digest = HandmadeReceipt.messageDigest(try genuine.digest(of: genuine.payload))
        let foreign = SignedDataBytes.attribute(SignedDataBytes.contentType, SignedDataBytes.signedData)
        let other = HandmadeReceipt.messageDigest(try genuine.digest(of: [1]))
        let short = HandmadeReceipt.messageDigest(Array(try genuine.digest(of: genuine.payload).prefix(20)))
        let empty = HandmadeReceipt.messageDigest([])
        for (what, attributes) in [
            ("no content type", [digest]), ("content type twice", [kind, kind, digest]),
            ("no digest", [kind]),
            ("digest twice", [kind, digest, digest]),
            ("two digests, one right", [kind, digest, other]), ("another's digest", [kind, other]),
            ("half a digest", [kind, short]), ("an empty digest", [kind, empty]), ("none", []),
        ] {
            try expect(.badSignature, what) { try $0.sign(attributes: attributes) }
        }
        // OpenSSL does not compare the two types, as 11.1 requires.
        try expect(.badSignature, "another content type", opensslRefuses: false) {
            try $0.sign(attributes: [foreign, digest])
        }
        try expect(.badSignature, "attributes signed under the header of [0]") {
            try $0.sign(attributes: [kind, digest])
            $0.parts.signature = BER.octets(try $0.signature(of: $0.parts.signedAttributes))
        }
        try expect(.badSignature, "the content signed, though attributes stand there") {
            let plain = $0.parts.signature
            try $0.sign(attributes: [kind, digest])
            $0.parts.signature = plain
        }
        try expect(.badSignature, "attributes cut off") {
            try $0.sign(attributes: [kind, digest])
            $0.parts.signedAttributes = []
        }
    }

    /// Attributes and content are signed alike, so that either can be passed off
    /// as the other (RFC 5652, 5.4, has no separation): the grammars keep them apart.
    @Test("over attributes does not make a receipt of them, nor attributes of a receipt")
    func keepsAttributesAndContentApart() throws {
        var receipt = genuine
        let attributes = [
            HandmadeReceipt.contentType, HandmadeReceipt.messageDigest(try receipt.digest(of: receipt.payload)),
        ]
        try receipt.sign(attributes: attributes)
        receipt.parts.content = BER.octets(BER.element(0x31, attributes.flatMap { $0 }))
        receipt.parts.signedAttributes = []
        #expect(try receipt.opensslVerifies())
        #expect(fault { try receipt.verdict() } == .unexpectedTag(expected: 0x02, found: 0x06))

        var reverse = genuine
        reverse.parts.signedAttributes = BER.element(0xa0, Array(reverse.payload.dropFirst(2)))
        reverse.parts.content = BER.octets(ReceiptStore.payload(createdAt: nil))
        #expect(try !reverse.opensslVerifies())
        #expect(fault { try reverse.verdict() } != nil)
    }
}

/// The error that parsing throws; nil where it throws none.
func fault<Result>(_ body: () throws -> Result) -> MalformedReceipt.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? MalformedReceipt)?.code
    }
}
