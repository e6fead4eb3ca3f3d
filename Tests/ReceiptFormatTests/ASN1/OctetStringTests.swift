import ReceiptFormat
import TestSupport
import Testing

@Suite("An OCTET STRING")
struct OctetStringTests {
    /// The octets, joined where they stand in chunks, and whether they did.
    private func octets(_ bytes: [UInt8]) throws -> (octets: [UInt8], wasFragmented: Bool) {
        var reader = ByteReader(bytes.span)
        let string = try reader.readOctetString()
        try reader.requireEnd()
        var joined: [UInt8] = []
        try reader.appendBytes(of: string, to: &joined)
        return (joined, string.isFragmented)
    }

    @Test("of one piece is not copied, however it is wrapped")
    func readsOnePiece() throws {
        for bytes: [UInt8] in [
            [0x04, 2, 5, 6], [0x24, 4, 0x04, 2, 5, 6], [0x24, 0x80, 0x04, 2, 5, 6, 0, 0],
            [0x24, 0x80, 0x24, 0x80, 0x04, 2, 5, 6, 0, 0, 0, 0],
        ] {
            let found = try octets(bytes)
            #expect(found.octets == [5, 6] && !found.wasFragmented, "\(bytes)")
        }
    }

    @Test("in chunks is joined in their order")
    func joinsChunks() throws {
        let definite = try octets([0x24, 9, 0x04, 1, 1, 0x04, 0, 0x04, 2, 2, 3])
        #expect(definite.octets == [1, 2, 3] && definite.wasFragmented)
        let indefinite = try octets([0x24, 0x80, 0x04, 1, 1, 0x04, 2, 2, 3, 0, 0])
        #expect(indefinite.octets == [1, 2, 3])
        // X.690 8.7.3.2: chunks may be constructed themselves.
        let nested = try octets([0x24, 0x80, 0x24, 6, 0x04, 1, 1, 0x04, 1, 2, 0x24, 0x80, 0x04, 1, 3, 0, 0, 0, 0])
        #expect(nested.octets == [1, 2, 3])
        let long = (0..<5000).map { UInt8($0 % 251) }
        let pieces = stride(from: 0, to: 5000, by: 500).flatMap { BER.octets(Array(long[$0..<$0 + 500])) }
        #expect(try octets(BER.indefinite(0x24, pieces)).octets == long)
    }

    @Test("may be empty, as one chunk or as none")
    func readsEmptyStrings() throws {
        for bytes: [UInt8] in [[0x04, 0], [0x24, 0], [0x24, 0x80, 0, 0], [0x24, 2, 0x24, 0]] {
            #expect(try octets(bytes).octets.isEmpty)
        }
    }

    @Test("holds no chunks of another type")
    func refusesOtherChunks() {
        let first = fault { try octets([0x24, 3, 0x0c, 1, 0x41]) }
        #expect(first == .unexpectedTag(expected: 0x04, found: 0x0c))
        let second = fault { try octets([0x24, 6, 0x04, 1, 1, 0x02, 1, 1]) }
        #expect(second == .unexpectedTag(expected: 0x04, found: 0x02))
        #expect(fault { try octets([0x05, 0]) } == .unexpectedTag(expected: 0x04, found: 0x05))
        #expect(fault { try octets([0x24, 3, 0x04, 2, 1]) } == .truncated)
    }

    @Test("may nest four deep and no more")
    func limitsDepth() throws {
        func wrapped(_ depth: Int, around inner: [UInt8]) -> [UInt8] {
            (0..<depth).reduce(inner) { bytes, _ in BER.element(0x24, bytes) }
        }
        let piece: [UInt8] = [0x04, 1, 7]
        #expect(try octets(wrapped(4, around: piece)).octets == [7])
        #expect(fault { try octets(wrapped(5, around: piece)) } == .tooDeep(limit: 4))
        // The outermost holds two chunks here, and so stands above the three others.
        #expect(try octets(BER.element(0x24, piece + wrapped(3, around: piece + piece))).octets == [7, 7, 7])
        let message = MalformedReceipt(.tooDeep(limit: 4), at: 0).description
        #expect(message == "nested deeper than 4 levels (byte 0)")
        let deeper = BER.element(0x24, piece + wrapped(4, around: piece + piece))
        #expect(fault { try octets(deeper) } == .tooDeep(limit: 4))
    }
}
