/// The check that bytes are well-formed UTF-8.
public enum UTF8Validation {
    /// Whether the bytes of a range are well-formed sequences (Unicode, section 3.9, table 3-7): no overlong forms, no
    /// surrogates, nothing above U+10FFFF. Any part of the range beyond `bytes` is ignored.
    public static func isValid(_ bytes: Span<UInt8>, in range: ByteRange) -> Bool {
        firstFault(in: bytes, range.indices) == nil
    }

    /// The offset of the first byte in a range at which no well-formed sequence begins; nil if the whole range is
    /// well-formed.
    public static func firstFault(in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        let end = min(range.upperBound, bytes.count)
        while index < end {
            let first = bytes[index]
            let start = index
            index += 1
            if first < 0x80 { continue }
            let trailing: Int
            var low: UInt8 = 0x80
            var high: UInt8 = 0xbf
            switch first {
            case 0xc2...0xdf: trailing = 1
            case 0xe0: (trailing, low) = (2, 0xa0)
            case 0xed: (trailing, high) = (2, 0x9f)
            case 0xe1...0xef: trailing = 2
            case 0xf0: (trailing, low) = (3, 0x90)
            case 0xf4: (trailing, high) = (3, 0x8f)
            case 0xf1...0xf3: trailing = 3
            default: return start
            }
            guard end - index >= trailing else { return start }
            for _ in 0..<trailing {
                guard low <= bytes[index], bytes[index] <= high else { return start }
                (low, high) = (0x80, 0xbf)
                index += 1
            }
        }
        return nil
    }
}
