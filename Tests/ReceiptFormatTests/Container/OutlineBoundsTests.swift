import ReceiptFormat
import TestSupport
import Testing

/// What `inspect` shows is bounded where a receipt is not: a container of 10 MiB
/// has room for five million certificates without a byte in them.
@Suite("An outline")
struct OutlineBoundsTests {
    private func outline(_ change: (inout SignedDataBytes) -> Void) -> ContainerOutline {
        var parts = SignedDataBytes()
        change(&parts)
        return ContainerOutline(reading: ByteReader(parts.bytes.span))
    }

    private func repeated(_ element: [UInt8], _ count: Int) -> [UInt8] {
        [[UInt8]](repeating: element, count: count).flatMap { $0 }
    }

    @Test("lists sixteen of a kind, and says that there are more")
    func limitsMembers() {
        let attribute = SignedDataBytes.attribute([0x2a, 3], BER.utf8("x"))
        for (count, isCut) in [(16, false), (17, true), (5_000, true)] {
            let certificates = outline { $0.certificates = BER.element(0xa0, repeated(BER.sequence(), count)) }
            #expect(certificates.certificates.count == 16 && certificates.isCut == isCut)
            let signers = outline { $0.signers = repeated(BER.sequence(), count) }
            #expect(signers.signers.count == 16 && signers.isCut == isCut)
            let algorithms = outline { $0.digestAlgorithms = repeated(SignedDataBytes.sha1, count) }
            #expect(algorithms.digestAlgorithms.count == 16 && algorithms.isCut == isCut)
            let signed = outline { $0.signedAttributes = BER.element(0xa0, repeated(attribute, count)) }
            #expect(signed.signers.first?.signedAttributes?.count == 16 && signed.isCut == isCut)
            // What follows them is still found.
            #expect(algorithms.certificates.count == 1 && algorithms.signers.count == 1)
        }
        #expect(!outline { _ in }.isCut)
    }

    @Test("lists as many attributes as a receipt may hold, and a hundred faults")
    func limitsAttributes() {
        func listing(_ element: [UInt8], _ count: Int) -> AttributeListing {
            let bytes = BER.element(0x31, repeated(element, count))
            return AttributeListing(reading: ByteReader(bytes.span))
        }
        let most = AppReceipt.maximumAttributes + AppReceipt.maximumPurchases
        let whole = listing(BER.attribute(17, []), most)
        #expect(whole.attributes.count == most && whole.faults.isEmpty)
        let more = listing(BER.attribute(17, []), most + 1)
        #expect(more.attributes.count == most && more.faults.map(\.code) == [.tooManyAttributes])
        #expect(listing(BER.sequence(), 100).faults.count == 100)
        #expect(listing(BER.sequence(), 100_000).faults.count == 100)
    }
}
