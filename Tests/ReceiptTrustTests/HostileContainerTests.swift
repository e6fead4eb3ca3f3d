import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

/// Well-signed bytes that are no receipt, and receipts in wrappings.
@Suite("A container that is well signed")
struct HostileContainerTests {
    private let store: ReceiptStore
    private let genuine: HandmadeReceipt

    init() throws {
        store = try ReceiptStore()
        genuine = try HandmadeReceipt(store)
    }

    private func fault(_ change: (inout HandmadeReceipt) throws -> Void) throws -> MalformedReceipt.Code? {
        var receipt = genuine
        try change(&receipt)
        return ReceiptTrustTests.fault { try receipt.verdict() }
    }

    @Test("has one signer, even where one of two would hold")
    func refusesSeveralSigners() throws {
        var forged = genuine.parts
        forged.signature = BER.octets([UInt8](repeating: 7, count: 256))
        let (valid, invalid) = (genuine.parts.signer, forged.signer)
        for signers in [valid + invalid, invalid + valid, valid + valid] {
            #expect(try fault { $0.parts.signers = signers } == .signerCount(2))
        }
        #expect(try fault { $0.parts.signers = [] } == .signerCount(0))
        // OpenSSL requires every signature to hold.
        var both = genuine
        both.parts.signers = valid + invalid
        #expect(try !both.opensslVerifies())
    }

    @Test("is no receipt inside another, wherever one would fit")
    func refusesDoubleWrapping() throws {
        let inner = genuine.parts.bytes
        let wrapped = try HandmadeReceipt(store, payload: inner)
        #expect(try wrapped.opensslVerifies())
        #expect(ReceiptTrustTests.fault { try wrapped.verdict() } == .unexpectedTag(expected: 0x31, found: 0x30))
        let inOctetString = try HandmadeReceipt(store, payload: BER.octets(inner))
        #expect(ReceiptTrustTests.fault { try inOctetString.verdict() } == .unexpectedTag(expected: 0x31, found: 0x04))
        #expect(
            try fault {
                $0.parts.contentKind = SignedDataBytes.signedData
                $0.parts.content = inner
            } == .unsupportedContentType)
        // ContentInfo in place of SignedData.
        let nested = BER.sequence(SignedDataBytes.signedData, BER.element(0xa0, inner))
        #expect(ReceiptTrustTests.fault { try ReadReceipt(nested) } == .unexpectedTag(expected: 0x02, found: 0x06))
        #expect(ReceiptTrustTests.fault { try ReadReceipt(BER.octets(inner)) } != nil)
    }

    @Test("holds its payload in one octet string, however that is cut, and in no second one")
    func refusesOctetStringsInOctetStrings() throws {
        let payload = genuine.payload
        for wrapped in [
            BER.octets(payload), BER.octets(BER.octets(payload)), BER.indefinite(0x24, BER.octets(payload)),
        ] {
            // The signature is over the wrapping, as OpenSSL finds as well.
            var receipt = try HandmadeReceipt(store, payload: wrapped)
            #expect(try receipt.opensslVerifies())
            let fault = MalformedReceipt.Code.unexpectedTag(expected: 0x31, found: wrapped[0])
            #expect(ReceiptTrustTests.fault { try receipt.verdict() } == fault)
            receipt.parts.content = BER.indefinite(0x24, BER.octets(wrapped))
            #expect(try receipt.opensslVerifies())
            #expect(ReceiptTrustTests.fault { try receipt.verdict() } == fault)
        }
        // What is inside is signed, and not the wrapping.
        var unsigned = genuine
        unsigned.parts.content = BER.octets(BER.octets(payload))
        #expect(try !unsigned.opensslVerifies())
        #expect(ReceiptTrustTests.fault { try unsigned.verdict() } == .unexpectedTag(expected: 0x31, found: 0x04))
        // Chunks of chunks are one string.
        unsigned.parts.content = BER.element(0x24, BER.element(0x24, BER.octets(payload)))
        #expect(try unsigned.opensslVerifies())
        #expect(try unsigned.verdict() == .trusted)
    }

    @Test("is one that any wrapper of indefinite length leaves as it was")
    func readsIndefiniteLengths() throws {
        var receipt = genuine
        receipt.parts.content = BER.indefinite(0x24, BER.octets(receipt.payload))
        #expect(try receipt.verdict() == .trusted)
        receipt.parts.content = BER.indefinite(
            0x24, BER.octets(Array(receipt.payload.prefix(9))) + BER.octets(Array(receipt.payload.dropFirst(9))))
        #expect(try receipt.verdict() == .trusted)
        #expect(try receipt.opensslVerifies())
        // Other bytes in the same chunks.
        receipt.parts.content = BER.indefinite(
            0x24, BER.octets(Array(receipt.payload.dropFirst(9))) + BER.octets(Array(receipt.payload.prefix(9))))
        #expect(ReceiptTrustTests.fault { try receipt.verdict() } != nil)
    }

    @Test("is not trusted for the chunks before one that is malformed")
    func refusesMalformedChunks() throws {
        var receipt = genuine
        // The signature is over the first chunk; the second has a length beyond the end.
        receipt.parts.content = BER.element(0x24, BER.octets(receipt.payload) + [0x04, 0x7f, 1])
        let bytes = receipt.parts.bytes
        var reader = ByteReader(bytes.span)
        let container = try Container(parsing: &reader)
        let verification = try Verifier(anchors: TrustAnchors(files: store.der("root")))
            .verify(container, in: bytes.span, createdAt: Int64((Date() + 60).timeIntervalSince1970 * 1000))
        #expect(verification.verdict == .badSignature)
    }

    @Test("holds its content, and nothing follows it")
    func refusesDetachedAndTrailing() throws {
        #expect(try fault { $0.parts.content = nil } == .detachedContent)
        #expect(try fault { $0.parts.trailing = [0] } == .trailingBytes)
        #expect(try fault { $0.parts.trailing = $0.parts.bytes } == .trailingBytes)
        #expect(try fault { $0.parts.certificates = ($0.parts.certificates ?? []) + BER.octets([1]) } != nil)
    }

    @Test("may still hold a payload that no store writes, and is then no receipt")
    func refusesMalformedPayloads() throws {
        let environment = BER.attribute(0, BER.utf8("Production"))
        let purchase = BER.attribute(17, BER.set(BER.attribute(1702, BER.utf8("com.example.gold"))))
        let repeated = BER.attribute(1703, BER.utf8("1"))
        let twice = BER.attribute(17, BER.set(repeated, repeated))
        let cases: [(String, [UInt8], MalformedReceipt.Code)] = [
            ("an attribute twice", BER.set(environment, environment), .duplicateAttribute),
            ("an attribute of a purchase twice", BER.set(environment, twice), .duplicateAttribute),
            (
                "an unknown attribute twice",
                BER.set(environment, BER.attribute(99, [1]), BER.attribute(99, [2])), .duplicateAttribute
            ),
            ("a purchase without transaction", BER.set(environment, purchase), .missingTransactionIdentifier),
            ("a date that is none", BER.set(BER.attribute(12, BER.ia5("2024-02-30T00:00:00Z"))), .invalidDate),
            ("text that is none", BER.set(BER.attribute(2, BER.element(0x0c, [0xff]))), .invalidText),
            ("an empty integer", BER.set(BER.attribute(1, [0x02, 0])), .invalidInteger),
            (
                "an integer of nine bytes", BER.set(BER.attribute(1, [0x02, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0])),
                .invalidInteger
            ),
            ("bytes behind the set", BER.set(environment) + [0], .trailingBytes),
            ("a length beyond the end", [0x31, 0x7f] + environment, .truncated),
            ("a length of nine bytes", [0x31, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, 1], .lengthOverflow),
            ("a length near the largest", [0x31, 0x88] + [UInt8](repeating: 0xff, count: 8), .lengthOverflow),
            ("a sequence", BER.sequence(environment), .unexpectedTag(expected: 0x31, found: 0x30)),
            ("nothing", [], .truncated),
        ]
        for (what, payload, code) in cases {
            let receipt = try HandmadeReceipt(store, payload: payload)
            #expect(try receipt.opensslVerifies(), "\(what)")
            #expect(ReceiptTrustTests.fault { try receipt.verdict() } == code, "\(what)")
        }
    }
}
