internal import MillBytes

/// Decodes the content of a JSON string whose escapes are already found to be well-formed.
package enum JSONString {
    /// The text's UTF-8; nil if it contains an unpaired surrogate.
    package static func unescaped(_ bytes: Span<UInt8>, in range: Range<Int>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                output.append(byte)
                index += 1
                continue
            }
            let kind = bytes[index + 1]
            index += 2
            switch kind {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0c)
            case UInt8(ascii: "n"): output.append(0x0a)
            case UInt8(ascii: "r"): output.append(0x0d)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(bytes, at: &index, end: range.upperBound) else { return nil }
                output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: output.append(kind)
            }
        }
        return output
    }

    /// The scalar of one \u escape, or of two that form a surrogate pair.
    private static func scalar(_ bytes: Span<UInt8>, at index: inout Int, end: Int) -> Unicode.Scalar? {
        guard let first = Hex.codeUnit(bytes, at: index) else { return nil }
        index += 4
        guard (0xd800...0xdbff).contains(first) else { return Unicode.Scalar(first) }
        guard index + 6 <= end, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        guard let second = Hex.codeUnit(bytes, at: index + 2), (0xdc00...0xdfff).contains(second) else { return nil }
        index += 6
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }
}
