import ReceiptFormat
import Testing

/// INTEGERs written by hand, after X.690, 8.3.
@Suite("An INTEGER")
struct IntegerTests {
    private func integer(_ bytes: [UInt8]) throws -> Int64 {
        var reader = ByteReader(bytes.span)
        let value = try reader.readInteger()
        try reader.requireEnd()
        return value
    }

    @Test(
        "is two's complement, most significant byte first",
        arguments: [
            ([0x00], 0), ([0x01], 1), ([0x7f], 127), ([0x80], -128), ([0xff], -1), ([0x00, 0x80], 128),
            ([0x00, 0xff], 255), ([0x01, 0x00], 256), ([0x7f, 0xff], 32_767), ([0x80, 0x00], -32_768),
            ([0xff, 0x7f], -129), ([0x00, 0x80, 0x00], 32_768), ([0xff, 0x7f, 0xff], -32_769),
            ([0x06, 0xa9], 1705), ([0x50, 0x33, 0x30, 0x35], 1_345_531_957),
            ([0x19, 0x7a, 0x9a, 0xba, 0x3a, 0x83], 28_014_372_600_451),
            ([0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .max),
            ([0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00], .min),
        ] as [([UInt8], Int64)])
    func readsTwosComplement(bytes: [UInt8], value: Int64) throws {
        #expect(try integer([0x02, UInt8(bytes.count)] + bytes) == value)
        // The same followed by more, and with a length in the long form.
        #expect(try integer([0x02, 0x81, UInt8(bytes.count)] + bytes) == value)
    }

    @Test("may repeat its sign in any number of bytes")
    func readsRepeatedSigns() throws {
        #expect(try integer([0x02, 2, 0x00, 0x05]) == 5)
        #expect(try integer([0x02, 9, 0, 0, 0, 0, 0, 0, 0, 0, 5]) == 5)
        #expect(try integer([0x02, 9, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) == .max)
        #expect(try integer([0x02, 40] + [UInt8](repeating: 0xff, count: 39) + [0xfe]) == -2)
        #expect(try integer([0x02, 9, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0]) == .min)
    }

    @Test("is refused where it doesn't fit 64 bits or is empty")
    func refusesOthers() {
        #expect(fault { try integer([0x02, 0]) } == .invalidInteger)
        #expect(fault { try integer([0x02, 0, 0, 0]) } == .invalidInteger)
        #expect(fault { try integer([0x02, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0]) } == .invalidInteger)
        // 2^63, and -2^63 - 1: the ninth byte repeats the sign that the eighth contradicts.
        #expect(fault { try integer([0x02, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]) } == .invalidInteger)
        let below: [UInt8] = [0x02, 9, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
        #expect(fault { try integer(below) } == .invalidInteger)
        #expect(fault { try integer([0x02, 10, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0]) } == .invalidInteger)
        #expect(fault { try integer([0x0a, 1, 1]) } == .unexpectedTag(expected: 0x02, found: 0x0a))
        #expect(fault { try integer([0x02, 2, 1]) } == .truncated)
        #expect(fault { try integer([0x02, 3, 1, 2]) } == .truncated)
        #expect(fault { try integer([0x02, 1, 1, 0]) } == .trailingBytes)
    }
}
