import ReceiptFormat
import TestSupport
import Testing

@Suite("An ASN.1 element")
struct ElementTests {
    private func element(_ bytes: [UInt8]) throws -> Element {
        var reader = ByteReader(bytes.span)
        return try reader.readElement()
    }

    /// Content of the first element.
    private func content(_ bytes: [UInt8]) throws -> [UInt8] { Array(bytes[try element(bytes).content.indices]) }

    private func nested(_ depth: Int) -> [UInt8] {
        Array(repeating: [0x30, 0x80], count: depth).flatMap { $0 } + [UInt8](repeating: 0, count: 2 * depth)
    }

    @Test("has its length in the short form up to 127", arguments: [0, 1, 126, 127])
    func readsShortLengths(count: Int) throws {
        let filling = (0..<count).map { UInt8($0) }
        let found = try element([0x04, UInt8(count)] + filling + [0xaa])
        #expect(found.tag == 0x04 && !found.isConstructed)
        #expect(found.content == ByteRange(offset: 2, count: count))
        #expect(found.whole == ByteRange(offset: 0, count: count + 2))
    }

    @Test("has its length in the long form of up to eight bytes")
    func readsLongLengths() throws {
        let filling = [UInt8](repeating: 7, count: 300)
        #expect(try content([0x04, 0x82, 0x01, 0x2c] + filling) == filling)
        #expect(try content([0x04, 0x81, 0x80] + filling) == Array(filling.prefix(128)))
        #expect(try element([0x30, 0x82, 0x01, 0x2c] + filling).whole == ByteRange(offset: 0, count: 304))
        // X.690, 8.1.3.5, allows more bytes than needed.
        #expect(try content([0x04, 0x81, 0x02, 1, 2]) == [1, 2])
        #expect(try content([0x04, 0x84, 0, 0, 0, 2, 1, 2]) == [1, 2])
        #expect(try content([0x04, 0x88, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 3]) == [1, 2])
    }

    @Test("is refused with a length that no receipt can have")
    func refusesOverflowingLengths() {
        #expect(fault { try element([0x04, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9]) } == .lengthOverflow)
        #expect(fault { try element([0x04, 0xff] + [UInt8](repeating: 0, count: 200)) } == .lengthOverflow)
        #expect(fault { try element([0x04, 0x88] + [UInt8](repeating: 0xff, count: 8)) } == .lengthOverflow)
        #expect(fault { try element([0x04, 0x88, 0x7f] + [UInt8](repeating: 0xff, count: 7)) } == .lengthOverflow)
        #expect(fault { try element([0x04, 0x85, 1, 0, 0, 0, 0]) } == .lengthOverflow)
        #expect(fault { try element([0x04, 0x84, 0xff, 0xff, 0xff, 0xff]) } == .truncated)
    }

    @Test("is refused where the bytes end early")
    func refusesTruncation() {
        for bytes: [UInt8] in [
            [], [0x04], [0x04, 1], [0x04, 3, 1, 2], [0x04, 0x81], [0x04, 0x82, 1], [0x04, 0x81, 2, 1],
        ] {
            #expect(fault { try element(bytes) } == .truncated, "\(bytes)")
        }
    }

    @Test("is refused with a tag number above 30")
    func refusesHighTags() throws {
        for tag: UInt8 in [0x1f, 0x3f, 0x5f, 0x7f, 0x9f, 0xbf, 0xdf, 0xff] {
            #expect(fault { try element([tag, 1, 0]) } == .highTagNumber)
        }
        #expect(try element([0x1e, 1, 0]).tag == 0x1e)
    }

    @Test("ends at its end-of-contents where its length is indefinite")
    func readsIndefiniteLengths() throws {
        let found = try element([0x30, 0x80, 0x04, 1, 9, 0, 0, 0xaa])
        #expect(found.content == ByteRange(offset: 2, count: 3))
        #expect(found.whole == ByteRange(offset: 0, count: 7))
        #expect(found.isConstructed)
        #expect(try element([0x30, 0x80, 0, 0]).content.isEmpty)
        // Two zeros within a member's content end nothing.
        #expect(try content([0x30, 0x80, 0x04, 2, 0, 0, 0, 0]) == [0x04, 2, 0, 0])
        #expect(try content([0x30, 0x80, 0x30, 0x80, 0, 0, 0x04, 0, 0, 0]) == [0x30, 0x80, 0, 0, 0x04, 0])
    }

    @Test("is refused where its indefinite length is never closed, or on a primitive")
    func refusesUnclosedLengths() {
        #expect(fault { try element([0x30, 0x80]) } == .indefiniteLength)
        #expect(fault { try element([0x30, 0x80, 0x04, 1, 9]) } == .indefiniteLength)
        #expect(fault { try element([0x30, 0x80, 0x30, 0x80, 0, 0]) } == .indefiniteLength)
        #expect(fault { try element([0x30, 0x80, 0]) } == .truncated)
        #expect(fault { try element([0x30, 0x80, 0, 1, 5]) } == .indefiniteLength)
        #expect(fault { try element([0x04, 0x80, 0, 0]) } == .indefiniteLength)
    }

    @Test("may nest 32 indefinite lengths and no more")
    func limitsDepth() throws {
        #expect(try element(nested(32)).whole.count == 128)
        #expect(fault { try element(nested(33)) } == .tooDeep(limit: 32))
        #expect(fault { try element(nested(100_000)) } == .tooDeep(limit: 32))
    }

    @Test("must have the required tag, and the error states the one found")
    func refusesOtherTags() {
        let bytes: [UInt8] = [0x31, 0]
        #expect(
            fault {
                var reader = ByteReader(bytes.span)
                return try reader.readElement(0x30)
            } == .unexpectedTag(expected: 0x30, found: 0x31))
    }

    @Test("that is optional is left unread where another follows")
    func readsOptionalElements() throws {
        let bytes: [UInt8] = [0xa1, 1, 5, 0x02, 1, 7]
        var reader = ByteReader(bytes.span)
        let absent = try reader.readOptionalElement(0xa0)
        #expect(absent == nil)
        let untouched = reader.position
        #expect(untouched == 0)
        let present = try reader.readOptionalElement(0xa1)
        #expect(present?.content == ByteRange(offset: 2, count: 1))
        let value = try reader.readInteger()
        #expect(value == 7)
        let beyond = try reader.readOptionalElement(0xa1)
        #expect(beyond == nil)
        let rest = reader.remaining
        #expect(rest == 0)
    }
}
