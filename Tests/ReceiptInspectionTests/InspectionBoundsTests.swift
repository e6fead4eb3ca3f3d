internal import Foundation
internal import ReceiptFormat
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

/// What `inspect` shows is bounded where a receipt is not: a container of 10 MiB
/// has room for five million certificates without a byte in them.
@Suite("The listing of a receipt")
struct InspectionBoundsTests {
    private func listing(_ change: (inout SignedDataBytes) -> Void) throws -> Object {
        var parts = SignedDataBytes()
        change(&parts)
        return try object(try inspected(Data(parts.bytes).base64EncodedString()).text)
    }

    private func repeated(_ element: [UInt8], _ count: Int) -> [UInt8] {
        [[UInt8]](repeating: element, count: count).flatMap { $0 }
    }

    private func count(_ key: String, of object: Object?) -> Int? { (object?[key] as? [Any])?.count }

    private func isCut(_ listing: Object) -> Bool {
        let errors = listing["errors"] as? [Object] ?? []
        return errors.contains { ($0["detail"] as? String)?.contains("those beyond are not shown") == true }
    }

    @Test("has sixteen of a kind, and says that there are more")
    func limitsMembers() throws {
        let attribute = SignedDataBytes.attribute([0x2a, 3], BER.utf8("x"))
        for (number, hasMore) in [(16, false), (17, true), (5_000, true)] {
            let certificates = try listing { $0.certificates = BER.element(0xa0, repeated(BER.sequence(), number)) }
            #expect(count("certificates", of: certificates) == 16 && isCut(certificates) == hasMore)
            let signers = try listing { $0.signers = repeated(BER.sequence(), number) }
            #expect(count("signers", of: signers) == 16 && isCut(signers) == hasMore)
            let algorithms = try listing { $0.digestAlgorithms = repeated(SignedDataBytes.sha1, number) }
            let container = algorithms["container"] as? Object
            #expect(count("digest_algorithms", of: container) == 16 && isCut(algorithms) == hasMore)
            let signed = try listing { $0.signedAttributes = BER.element(0xa0, repeated(attribute, number)) }
            let signer = (signed["signers"] as? [Object])?.first
            #expect(count("signed_attributes", of: signer) == 16 && isCut(signed) == hasMore)
            // What follows them is still found.
            #expect(count("certificates", of: algorithms) == 1 && count("signers", of: algorithms) == 1)
        }
        #expect(!isCut(try listing { _ in }))
    }

    @Test("has as many attributes as a receipt may hold, and a hundred faults")
    func limitsAttributes() {
        func listing(_ element: [UInt8], _ count: Int) -> AttributeListing {
            let bytes = BER.element(0x31, repeated(element, count))
            return AttributeListing(reading: ByteRange(offset: 0, count: bytes.count), of: .app, in: bytes.span)
        }
        let most = AppReceipt.maximumAttributes + AppReceipt.maximumPurchases
        let whole = listing(BER.attribute(99, []), most)
        #expect(whole.attributes.count == most && whole.allFaults.isEmpty)
        let more = listing(BER.attribute(99, []), most + 1)
        #expect(more.attributes.count == most && more.allFaults.map(\.code) == [.tooManyAttributes])
        #expect(listing(BER.sequence(), 100).allFaults.count == 100)
        #expect(listing(BER.sequence(), 100_000).allFaults.count == 100)
    }

    @Test("is made of any bytes, and soon")
    func survivesMutations() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let original = SignedDataBytes().bytes
        for round in 0..<Nightly.rounds(day: 300, night: 5_000) {
            var bytes = original
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes.insert(.random(in: 0 ... .max, using: &random), at: index)
                default: bytes.removeSubrange(index...)
                }
                if bytes.isEmpty { bytes = [0x30] }
            }
            let shown = try inspected(Data(bytes).base64EncodedString())
            #expect(try object(shown.text)["errors"] != nil, "seed \(seed), round \(round)")
        }
    }
}
