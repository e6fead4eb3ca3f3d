/// Texts and names in cells.
enum ReportText {
    /// The text of bytes in UTF-8 or, if they are not valid UTF-8, in Latin-1, which some spreadsheets write.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(decoding: bytes.map(UInt16.init), as: UTF16.self)
    }

    /// The beginning of a text, at most `length` bytes long and without a cut character.
    static func decoded(_ bytes: ArraySlice<UInt8>, upTo length: Int) -> String {
        guard bytes.count > length else { return decoded(bytes) }
        var end = bytes.startIndex + length
        while end > bytes.startIndex, bytes[end] & 0xc0 == 0x80 { end -= 1 }
        return decoded(bytes[..<end])
    }

    /// A column's name in the form in which names are compared: small letters, digits and non-ASCII characters.
    static func normalized(_ name: ArraySlice<UInt8>) -> [UInt8] {
        name.compactMap { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
            default: nil
            }
        }
    }
}
