/// Hexadecimal digits (RFC 4648, 8).
@usableFromInline package enum Hex {
    /// The four bits that a digit of either case means; nil for any other character.
    @inlinable package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The lower-case digit of a number below sixteen.
    @inlinable package static func digit(of value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The bytes that pairs of digits mean; nil if a character is not a digit, or the number of digits is odd.
    package static func bytes(_ digits: Span<UInt8>, in range: Range<Int>) -> [UInt8]? {
        guard range.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count / 2)
        for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Two lower-case digits for each byte, in ASCII.
    package static func digits(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.flatMap { [digit(of: $0 >> 4), digit(of: $0 & 15)] }
    }

    /// Two lower-case digits for each byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: digits(bytes), as: UTF8.self) }

    /// The number that four digits at an offset mean, as in an escape of a UTF-16 unit; nil if there are fewer than
    /// four digits.
    package static func codeUnit(_ bytes: Span<UInt8>, at offset: Int) -> UInt32? {
        guard offset + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for index in offset..<offset + 4 {
            guard let value = value(of: bytes[index]) else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        return unit
    }
}
