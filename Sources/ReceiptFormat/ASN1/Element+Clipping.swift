extension ByteReader {
    /// Reads the next element as far as its bytes exist, for listings of damaged documents: an element that is cut
    /// short ends where the bytes end.
    ///
    /// - Returns: nil at the end, or if no header can be read; the cursor does not move then.
    @_lifetime(self: copy self)
    package mutating func readClippedElement() -> Element? {
        // Two zero bytes, or one zero byte at the end, are the end-of-contents of a parent that was cut short.
        if next == 0, remaining < 2 || self[position + 1] == 0 { return nil }
        var whole = self
        if let element = try? whole.readElement() {
            self = whole
            return element
        }
        let start = position
        guard remaining >= 2, self[start] & Tag.tagNumberMask != Tag.tagNumberMask else { return nil }
        let first = self[start + 1]
        let headerCount = 2 + (first > 0x80 ? Int(first & 0x7f) : 0)
        guard headerCount <= 10, (try? readBytes(headerCount)) != nil else { return nil }
        let content = ByteRange(offset: position, count: remaining)
        _ = try? readBytes(remaining)
        return Element(tag: self[start], content: content, whole: ByteRange(offset: start, count: end - start))
    }

    /// Reads the next element like ``readClippedElement()``, if it has this tag; otherwise nothing is read.
    @_lifetime(self: copy self)
    package mutating func readClippedElement(_ tag: UInt8) -> Element? {
        next == tag ? readClippedElement() : nil
    }

    /// Reads the next element, if it has this tag, and returns a cursor over its content; if it has another tag, the
    /// cursor is empty.
    @_lifetime(copy self)
    package mutating func readClippedContent(_ tag: UInt8) -> ByteReader {
        let content = readClippedElement(tag)?.content
        return reader(in: content ?? ByteRange(offset: end, count: 0))
    }
}
