/// Writes the distinguished encoding rules of X.690 (07/2002), as far as
/// receipts and certificates need them: each function returns one whole
/// element, tag and length included.
enum DER {
    static let null: [UInt8] = [0x05, 0x00]

    /// An element with definite length (8.1.3), in the fewest length bytes (10.1).
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        if content.count < 0x80 { return [tag, UInt8(content.count)] + content }
        let length = bigEndian(Int64(content.count)).drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    /// A signed integer in the fewest bytes of two's complement (8.3.2).
    static func integer(_ value: Int64) -> [UInt8] {
        var bytes = bigEndian(value)
        while bytes.count > 1, (bytes[0] == 0x00 && bytes[1] < 0x80) || (bytes[0] == 0xff && bytes[1] >= 0x80) {
            bytes.removeFirst()
        }
        return element(0x02, bytes)
    }

    /// A number of any size, given without sign and most significant byte first.
    static func unsignedInteger(_ magnitude: [UInt8]) -> [UInt8] {
        var bytes = Array(magnitude.drop { $0 == 0 })
        if (bytes.first ?? 0x80) >= 0x80 { bytes.insert(0, at: 0) }
        return element(0x02, bytes)
    }

    static func boolean(_ value: Bool) -> [UInt8] { element(0x01, [value ? 0xff : 0x00]) }
    /// Bytes as they are (8.7).
    static func octetString(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    /// Text of any characters (8.21).
    static func utf8String(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }
    static func printableString(_ text: String) -> [UInt8] { element(0x13, Array(text.utf8)) }
    /// ASCII, as dates in receipts are.
    static func ia5String(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }
    /// Members in the order given (8.9).
    static func sequence(_ members: [UInt8]...) -> [UInt8] { element(0x30, members.flatMap { $0 }) }

    /// Members in the order given: X.690 11.6 asks for sorted ones, the store doesn't sort.
    static func set(_ members: [UInt8]...) -> [UInt8] { element(0x31, members.flatMap { $0 }) }

    /// `unusedBits` counts the low bits of the last byte that are no part of the value (8.6.2).
    static func bitString(_ bytes: [UInt8], unusedBits: UInt8 = 0) -> [UInt8] {
        element(0x03, [unusedBits] + bytes)
    }

    /// Context-specific and constructed: an EXPLICIT tag, or an IMPLICIT one of a SET or SEQUENCE.
    static func tagged(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0xa0 | number, content) }

    /// The arcs in base 128, the first two in one (8.19).
    static func objectIdentifier(_ arcs: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
            var groups = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                groups.insert(0x80 | UInt8(rest & 0x7f), at: 0)
                rest >>= 7
            }
            bytes += groups
        }
        return element(0x06, bytes)
    }

    private static func bigEndian(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
