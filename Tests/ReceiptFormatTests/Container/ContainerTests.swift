import Foundation
import ReceiptFormat
import TestSupport
import Testing

@Suite("A PKCS#7 container")
struct ContainerTests {
    private func parse(_ bytes: [UInt8]) throws -> Container {
        var reader = ByteReader(bytes.span)
        return try Container(parsing: &reader)
    }

    private func changed(_ change: (inout SignedDataBytes) -> Void) -> [UInt8] {
        var parts = SignedDataBytes()
        change(&parts)
        return parts.bytes
    }

    private func fault(changing change: (inout SignedDataBytes) -> Void) -> MalformedReceipt.Code? {
        fault { try parse(changed(change)) }
    }

    private func fault(_ body: () throws -> Container) -> MalformedReceipt.Code? {
        ReceiptFormatTests.fault(body)
    }

    @Test("is parsed as ranges of its bytes")
    func readsParts() throws {
        let bytes = SignedDataBytes().bytes
        let container = try parse(bytes)
        #expect(Array(bytes[container.content.range.indices]) == [0x31, 0])
        #expect(Array(bytes[container.certificates.indices]) == [0x30, 3, 2, 1, 1])
        #expect(Array(bytes[container.signer.signature.indices]) == [1, 2, 3, 4])
        #expect(container.signer.signedAttributes == nil)
        let algorithms = (container.signer.digestAlgorithm, container.signer.signatureAlgorithm)
        let digest = ObjectIdentifier.dotted(bytes.span, in: algorithms.0)
        #expect(digest == "2.16.840.1.101.3.4.2.1")
        let signature = ObjectIdentifier.dotted(bytes.span, in: algorithms.1)
        #expect(signature == "1.2.840.113549.1.1.1")
        guard case .issuerAndSerialNumber(let issuer, let serial) = container.signer.identifier else {
            Issue.record("the signer is named otherwise")
            return
        }
        #expect(Array(bytes[issuer.indices]) == SignedDataBytes.issuer)
        #expect(Array(bytes[serial.indices]) == [77])
    }

    @Test("may carry revocation lists, unsigned attributes, no certificates, and a signer by key identifier")
    func readsOptionalParts() throws {
        let bytes = changed {
            $0.certificates = nil
            $0.revocations = BER.element(0xa1, BER.sequence(BER.integer(1)))
            $0.unsignedAttributes = BER.element(0xa1, BER.sequence())
            $0.signerIdentifier = BER.element(0x80, [9, 8, 7])
        }
        let container = try parse(bytes)
        #expect(container.certificates.isEmpty)
        guard case .subjectKeyIdentifier(let range) = container.signer.identifier else {
            Issue.record("the signer is named otherwise")
            return
        }
        #expect(Array(bytes[range.indices]) == [9, 8, 7])
    }

    @Test("has exactly one signer")
    func countsSigners() {
        #expect(fault { $0.signers = [] } == .signerCount(0))
        #expect(fault { $0.signers = $0.signer + $0.signer } == .signerCount(2))
        #expect(fault { $0.signers = [[UInt8]](repeating: $0.signer, count: 5).flatMap { $0 } } == .signerCount(5))
    }

    @Test("holds its content, and no other than data")
    func refusesOtherContent() {
        #expect(fault { $0.content = nil } == .detachedContent)
        #expect(fault { $0.kind = SignedDataBytes.data } == .unsupportedContentType)
        #expect(fault { $0.kind = SignedDataBytes.envelopedData } == .unsupportedContentType)
        #expect(fault { $0.contentKind = SignedDataBytes.signedData } == .unsupportedContentType)
        #expect(fault { $0.content = BER.utf8("x") } == .unexpectedTag(expected: 0x04, found: 0x0c))
        #expect(fault { $0.content = BER.octets([1]) + BER.octets([2]) } == .trailingBytes)
        let detached = changed { $0.content = nil }
        #expect(throws: MalformedReceipt(.detachedContent, at: 50)) { try parse(detached) }
    }

    @Test("is followed by nothing, inside and out")
    func refusesTrailingBytes() {
        #expect(fault { $0.trailing = [0] } == .trailingBytes)
        #expect(fault { $0.unsignedAttributes = BER.octets([1]) } == .trailingBytes)
        #expect(
            fault { $0.signerIdentifier = BER.sequence(SignedDataBytes.issuer, BER.integer(7), BER.integer(7)) }
                == .trailingBytes)
    }

    @Test("carries as many certificates as the limit and no more")
    func limitsCertificates() {
        func certificates(_ count: Int) -> [UInt8] {
            BER.element(0xa0, [[UInt8]](repeating: BER.sequence(), count: count).flatMap { $0 })
        }
        #expect(fault { $0.certificates = certificates(16) } == nil)
        #expect(fault { $0.certificates = certificates(17) } == .tooManyCertificates)
        // Four bytes of header, and the rest of 32 KiB.
        func ofBytes(_ count: Int) -> [UInt8] {
            BER.element(0xa0, BER.element(0x30, [UInt8](repeating: 0, count: count - 4)))
        }
        #expect(fault { $0.certificates = ofBytes(32 << 10) } == nil)
        #expect(fault { $0.certificates = ofBytes((32 << 10) + 1) } == .tooManyCertificates)
    }

    @Test("has a signature in one piece")
    func refusesFragmentedSignatures() {
        #expect(fault { $0.signature = [0x24, 6, 4, 1, 1, 4, 1, 2] } == .fragmentedValue)
        #expect(fault { $0.signature = BER.integer(5) } == .unexpectedTag(expected: 0x04, found: 0x02))
    }

    @Test("may have signed attributes, of which two are read")
    func readsSignedAttributes() throws {
        let kind = SignedDataBytes.attribute(SignedDataBytes.contentType, SignedDataBytes.data)
        let digest = SignedDataBytes.attribute(SignedDataBytes.messageDigest, BER.octets([7, 7, 7]))
        let other = SignedDataBytes.attribute([0x2a, 3], BER.utf8("x"), BER.utf8("y"))
        let bytes = changed { $0.signedAttributes = BER.element(0xa0, digest + other + kind) }
        let attributes = try #require(try parse(bytes).signer.signedAttributes)
        #expect(Array(bytes[attributes.content.indices]) == digest + other + kind)
        #expect(attributes.contentType.map { Array(bytes[$0.indices]) } == Array(SignedDataBytes.data.dropFirst(2)))
        #expect(attributes.messageDigest.map { Array(bytes[$0.indices]) } == [7, 7, 7])

        let twice = try parse(changed { $0.signedAttributes = BER.element(0xa0, digest + digest + kind + kind) })
        #expect(twice.signer.signedAttributes?.messageDigest == nil)
        #expect(twice.signer.signedAttributes?.contentType == nil)
        #expect(twice.signer.signedAttributes != nil)
        let none = try parse(changed { $0.signedAttributes = BER.element(0xa0, other) })
        #expect(none.signer.signedAttributes?.messageDigest == nil)

        let two = SignedDataBytes.attribute(SignedDataBytes.messageDigest, BER.octets([7]), BER.octets([8]))
        #expect(fault { $0.signedAttributes = BER.element(0xa0, two) } == .trailingBytes)
        let empty = SignedDataBytes.attribute(SignedDataBytes.messageDigest)
        #expect(fault { $0.signedAttributes = BER.element(0xa0, empty) } == .truncated)
    }

    @Test("is refused with another element where the grammar requires one")
    func refusesOtherElements() {
        #expect(fault { try parse([]) } == .truncated)
        #expect(fault { try parse([0x7b, 0x22]) } != nil)
        #expect(fault { $0.signerIdentifier = BER.octets([1]) } == .unexpectedTag(expected: 0x30, found: 0x04))
        #expect(fault { $0.signers = BER.octets([1]) } == .unexpectedTag(expected: 0x30, found: 0x04))
        #expect(fault { $0.certificates = BER.element(0xa2, []) } == .unexpectedTag(expected: 0x31, found: 0xa2))
    }

    @Test(
        "writes object identifiers in dotted form",
        arguments: [
            ([0x2a, 0x03], "1.2.3"), ([0x00], "0.0"), ([0x27], "0.39"), ([0x28], "1.0"), ([0x4f], "1.39"),
            ([0x50], "2.0"), ([0x88, 0x37], "2.999"), ([0x55, 0x1d, 0x0f], "2.5.29.15"),
            ([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06, 0x0b, 0x01], "1.2.840.113635.100.6.11.1"),
            ([0x2b] + [UInt8](repeating: 0xff, count: 20) + [0x01], "oversized"), ([], ""),
        ] as [([UInt8], String)])
    func writesDottedForms(bytes: [UInt8], text: String) {
        let found = ObjectIdentifier.dotted(bytes.span, in: ByteRange(offset: 0, count: bytes.count))
        #expect(found == text)
    }
}
