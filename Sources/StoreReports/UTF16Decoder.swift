/// Converts UTF-16 in chunks to UTF-8. Unpaired surrogates become U+FFFD.
struct UTF16Decoder {
    private let isLittleEndian: Bool
    /// The length of the byte order mark.
    let markLength: Int
    private var odd: UInt8?
    private var high: UInt16?

    /// - Parameter beginning: the first bytes of a text. The initializer fails if the text is not UTF-16, which is
    ///   recognised by a byte order mark, or by two ASCII letters of two bytes each.
    init?(of beginning: [UInt8]) {
        guard beginning.count >= 4 else { return nil }
        switch (beginning[0], beginning[1], beginning[2], beginning[3]) {
        case (0xff, 0xfe, _, _): (isLittleEndian, markLength) = (true, 2)
        case (0xfe, 0xff, _, _): (isLittleEndian, markLength) = (false, 2)
        case (1..., 0, 1..., 0): (isLittleEndian, markLength) = (true, 0)
        case (0, 1..., 0, 1...): (isLittleEndian, markLength) = (false, 0)
        default: return nil
        }
    }

    mutating func decode(_ bytes: [UInt8], into text: inout [UInt8]) {
        for byte in bytes {
            guard let first = odd else {
                odd = byte
                continue
            }
            odd = nil
            let unit = isLittleEndian ? UInt16(byte) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(byte)
            append(unit, to: &text)
        }
    }

    /// The rest of a text that ended within a character.
    mutating func end() -> [UInt8] {
        defer { (odd, high) = (nil, nil) }
        return odd == nil && high == nil ? [] : Array("\u{fffd}".utf8)
    }

    private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
        if let former = high {
            high = nil
            if 0xdc00...0xdfff ~= unit {
                let value = 0x10000 + (UInt32(former) - 0xd800) << 10 + (UInt32(unit) - 0xdc00)
                text += Array(Character(Unicode.Scalar(value) ?? "\u{fffd}").utf8)
                return
            }
            text += Array("\u{fffd}".utf8)
        }
        switch unit {
        case 0..<0x80: text.append(UInt8(unit))
        case 0xd800...0xdbff: high = unit
        default: text += Array(Character(Unicode.Scalar(unit) ?? "\u{fffd}").utf8)
        }
    }
}
