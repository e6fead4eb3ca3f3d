/// Converts UTF-16 in chunks to UTF-8. Unpaired surrogates become U+FFFD.
struct UTF16Decoder {
    private let isLittleEndian: Bool
    /// The length of the byte order mark.
    let markLength: Int
    /// The bytes of a character whose end follows in the next chunk.
    private var rest: [UInt8] = []

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
        rest += bytes
        var units = stride(from: 0, to: rest.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(rest[index]), UInt16(rest[index + 1]))
            return isLittleEndian ? second << 8 | first : first << 8 | second
        }
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        rest.removeFirst(2 * units.count)
        text += String(decoding: units, as: UTF16.self).utf8
    }

    /// The rest of a text that ended within a character.
    mutating func end() -> [UInt8] {
        defer { rest = [] }
        return rest.isEmpty ? [] : Array("\u{fffd}".utf8)
    }
}
