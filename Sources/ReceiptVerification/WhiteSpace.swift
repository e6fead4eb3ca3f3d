/// ASCII white space, which may surround a document.
package enum WhiteSpace {
    package static func contains(_ character: UInt8) -> Bool { character == 0x20 || (0x09...0x0d).contains(character) }

    /// A range of a text without the white space at both ends.
    static func trimmed(_ range: Range<Int>, of text: Span<UInt8>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, contains(text[end - 1]) { end -= 1 }
        while start < end, contains(text[start]) { start += 1 }
        return start..<end
    }
}
