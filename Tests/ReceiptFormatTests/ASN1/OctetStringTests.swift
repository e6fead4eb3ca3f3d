import ReceiptFormat
import TestSupport
import Testing

@Suite("An OCTET STRING")
struct OctetStringTests {
    /// The bytes, joined where they come in chunks, and whether they do.
    private func joined(_ bytes: [UInt8]) throws -> (bytes: [UInt8], wasFragmented: Bool) {
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
            let found = try joined(bytes)
            #expect(found.bytes == [5, 6] && !found.wasFragmented, "\(bytes)")
        }
    }

    @Test("in chunks is joined in order")
    func joinsChunks() throws {
        let definite = try joined([0x24, 9, 0x04, 1, 1, 0x04, 0, 0x04, 2, 2, 3])
        #expect(definite.bytes == [1, 2, 3] && definite.wasFragmented)
        let indefinite = try joined([0x24, 0x80, 0x04, 1, 1, 0x04, 2, 2, 3, 0, 0])
        #expect(indefinite.bytes == [1, 2, 3])
        // X.690, 8.7.3.2: chunks may be constructed themselves.
        let nested = try joined([0x24, 0x80, 0x24, 6, 0x04, 1, 1, 0x04, 1, 2, 0x24, 0x80, 0x04, 1, 3, 0, 0, 0, 0])
        #expect(nested.bytes == [1, 2, 3])
        let long = (0..<5000).map { UInt8($0 % 251) }
        let pieces = stride(from: 0, to: 5000, by: 500).flatMap { BER.octets(Array(long[$0..<$0 + 500])) }
        #expect(try joined(BER.indefinite(0x24, pieces)).bytes == long)
    }

    @Test("may be empty, as one chunk or as none")
    func readsEmptyStrings() throws {
        for bytes: [UInt8] in [[0x04, 0], [0x24, 0], [0x24, 0x80, 0, 0], [0x24, 2, 0x24, 0]] {
            #expect(try joined(bytes).bytes.isEmpty)
        }
    }

    @Test("holds no chunks of another type")
    func refusesOtherChunks() {
        let first = fault { try joined([0x24, 3, 0x0c, 1, 0x41]) }
        #expect(first == .unexpectedTag(expected: 0x04, found: 0x0c))
        let second = fault { try joined([0x24, 6, 0x04, 1, 1, 0x02, 1, 1]) }
        #expect(second == .unexpectedTag(expected: 0x04, found: 0x02))
        #expect(fault { try joined([0x05, 0]) } == .unexpectedTag(expected: 0x04, found: 0x05))
        #expect(fault { try joined([0x24, 3, 0x04, 2, 1]) } == .truncated)
    }

    @Test("may nest four deep and no more")
    func limitsDepth() throws {
        func wrapped(_ depth: Int, around inner: [UInt8]) -> [UInt8] {
            (0..<depth).reduce(inner) { bytes, _ in BER.element(0x24, bytes) }
        }
        let piece: [UInt8] = [0x04, 1, 7]
        #expect(try joined(wrapped(4, around: piece)).bytes == [7])
        #expect(fault { try joined(wrapped(5, around: piece)) } == .tooDeep(limit: 4))
        // The outermost holds two chunks and is a level above the three others.
        #expect(try joined(BER.element(0x24, piece + wrapped(3, around: piece + piece))).bytes == [7, 7, 7])
        let message = MalformedReceipt(.tooDeep(limit: 4), at: 0).description
        #expect(message == "nested deeper than 4 levels (byte 0)")
        let deeper = BER.element(0x24, piece + wrapped(4, around: piece + piece))
        #expect(fault { try joined(deeper) } == .tooDeep(limit: 4))
    }
}
