internal import MillBytes
internal import MillJSON

/// A form's body, or the query of an address: percent-encoded names and values (WHATWG URL, 5).
struct FormText {
    /// The decoded names and values, one after another.
    private(set) var content: [UInt8] = []
    /// The range of the text with the members that are still to be returned.
    private var rest: Range<Int>
    /// The number of bytes of the content that were returned.
    private var returned = 0

    /// In base64 of at least this length, a plus sign means itself instead of a space, because many senders do not
    /// encode it.
    private static let shortestBase64 = 64

    /// Nil if the text is not a form.
    init?(_ bytes: Span<UInt8>, _ text: Range<Int>) {
        guard let equals = ByteSearch.firstIndex(of: UInt8(ascii: "="), in: bytes, text) else { return nil }
        var start = text.lowerBound
        while let question = ByteSearch.firstIndex(of: UInt8(ascii: "?"), in: bytes, start..<equals) {
            start = question + 1
        }
        guard start < equals, (start..<equals).allSatisfy({ Self.mayBeInName(bytes[$0]) }),
            !text.contains(where: { bytes[$0] <= 0x20 || bytes[$0] == UInt8(ascii: "\"") })
        else { return nil }
        rest = start..<text.upperBound
        content.reserveCapacity(rest.count)
        while start < text.upperBound {
            let member = Self.member(bytes, start..<text.upperBound)
            append(bytes, member.key)
            append(bytes, member.value)
            start = member.end + 1
        }
    }

    private static func mayBeInName(_ byte: UInt8) -> Bool {
        Base64.value(of: byte) != nil || "%[].$:".utf8.contains(byte)
    }

    /// The ranges of the next name and of its value in the content; nil after the last.
    mutating func next(_ bytes: Span<UInt8>) -> (key: Range<Int>, value: Range<Int>)? {
        guard !rest.isEmpty else { return nil }
        let member = Self.member(bytes, rest)
        let key = returned..<returned + Self.decodedCount(bytes, member.key)
        let value = key.upperBound..<key.upperBound + Self.decodedCount(bytes, member.value)
        rest = min(member.end + 1, rest.upperBound)..<rest.upperBound
        returned = value.upperBound
        return (key, value)
    }

    /// The first member of a text, and its end.
    private static func member(
        _ bytes: Span<UInt8>, _ text: Range<Int>
    ) -> (key: Range<Int>, value: Range<Int>, end: Int) {
        let end = ByteSearch.firstIndex(of: UInt8(ascii: "&"), in: bytes, text) ?? text.upperBound
        let split = ByteSearch.firstIndex(of: UInt8(ascii: "="), in: bytes, text.lowerBound..<end) ?? end
        return (text.lowerBound..<split, min(split + 1, end)..<end, end)
    }

    private mutating func append(_ bytes: Span<UInt8>, _ text: Range<Int>) {
        let start = content.count
        Self.percentDecode(bytes, text, to: &content)
        var isBase64 = content.count - start >= Self.shortestBase64
        for index in start..<content.count where isBase64 {
            isBase64 = Base64.value(of: content[index]) != nil || content[index] == UInt8(ascii: "=")
        }
        // Spaces that were percent-encoded are in the content already.
        if !isBase64 {
            content.removeSubrange(start...)
            Self.percentDecode(bytes, text, to: &content, plus: 0x20)
        }
    }

    // MARK: Escapes

    private static func percentDecode(
        _ bytes: Span<UInt8>, _ text: Range<Int>, to output: inout [UInt8], plus: UInt8 = UInt8(ascii: "+")
    ) {
        var index = text.lowerBound
        while index < text.upperBound {
            if let byte = escaped(bytes, text, at: index, UInt8(ascii: "%")) {
                output.append(byte)
                index += 3
            } else {
                output.append(bytes[index] == UInt8(ascii: "+") ? plus : bytes[index])
                index += 1
            }
        }
    }

    /// The number of bytes of a decoded text.
    private static func decodedCount(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Int {
        var (count, index) = (0, text.lowerBound)
        while index < text.upperBound {
            index += escaped(bytes, text, at: index, UInt8(ascii: "%")) == nil ? 1 : 3
            count += 1
        }
        return count
    }

    /// The byte of an escape of two hexadecimal digits; nil if there is none.
    private static func escaped(_ bytes: Span<UInt8>, _ text: Range<Int>, at index: Int, _ mark: UInt8) -> UInt8? {
        guard bytes[index] == mark, index + 2 < text.upperBound, let high = Hex.value(of: bytes[index + 1]),
            let low = Hex.value(of: bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Decodes a text whose bytes are percent-encoded as a whole, the content of a data URI (RFC 2397), or a text with
    /// nginx's escapes (`\x22`); nil for other texts.
    static func unescaped(_ bytes: Span<UInt8>, _ text: Range<Int>) -> [UInt8]? {
        var output: [UInt8] = []
        let scheme = Array("data:".utf8)
        if ByteSearch.isEqual(bytes, text.prefix(scheme.count), scheme) {
            guard let comma = ByteSearch.firstIndex(of: UInt8(ascii: ","), in: bytes, text) else { return nil }
            percentDecode(bytes, comma + 1..<text.upperBound, to: &output)
            return output
        }
        if bytes[text.lowerBound] == UInt8(ascii: "%") {
            percentDecode(bytes, text, to: &output)
            return output.count < text.count ? output : nil
        }
        guard let first = ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: bytes, text), first + 3 < text.upperBound,
            bytes[first + 1] == UInt8(ascii: "x")
        else { return nil }
        var index = text.lowerBound
        while index < text.upperBound {
            let byte =
                index + 3 < text.upperBound && bytes[index] == UInt8(ascii: "\\")
                ? escaped(bytes, text, at: index + 1, UInt8(ascii: "x")) : nil
            output.append(byte ?? bytes[index])
            index += byte == nil ? 1 : 4
        }
        return output.count < text.count ? output : nil
    }
}
