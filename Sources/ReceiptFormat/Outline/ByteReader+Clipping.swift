extension ByteReader {
    /// Reads the next element, clipped to the bytes that are present; nil at the
    /// end, and where no header can be read.
    @_lifetime(self: copy self)
    mutating func readClippedElement() -> Element? {
        // The end-of-contents of a parent that was clipped.
        if next == 0, remaining < 2 || self[position + 1] == 0 { return nil }
        var attempt = reader(in: ByteRange(offset: position, count: remaining))
        if let element = try? attempt.readElement() {
            _ = try? readBytes(element.whole.count)
            return element
        }
        let start = position
        guard remaining >= 2, self[start] & Tag.tagNumberMask != Tag.tagNumberMask else { return nil }
        let first = self[start + 1]
        let lengthBytes = first > 0x80 ? Int(first & 0x7f) : 0
        guard lengthBytes <= 8, remaining >= 2 + lengthBytes else { return nil }
        let contentStart = start + 2 + lengthBytes
        let element = Element(
            tag: self[start], content: ByteRange(offset: contentStart, count: end - contentStart),
            whole: ByteRange(offset: start, count: end - start))
        _ = try? readBytes(remaining)
        return element
    }

    /// Reads the next element, clipped, if it has this tag; else nothing is read.
    @_lifetime(self: copy self)
    mutating func readClippedElement(_ tag: UInt8) -> Element? {
        next == tag ? readClippedElement() : nil
    }

    /// Reads an INTEGER; nil where the next element is none, or its value doesn't
    /// fit 64 bits.
    @_lifetime(self: copy self)
    mutating func readClippedInteger() -> Int64? {
        guard let element = readClippedElement(Tag.integer) else { return nil }
        return try? integer(in: element.content)
    }

    /// Reads an AlgorithmIdentifier and returns the content of its object identifier.
    @_lifetime(self: copy self)
    mutating func readClippedAlgorithm() -> ByteRange? {
        guard let element = readClippedElement(Tag.sequence) else { return nil }
        var algorithm = reader(in: element.content)
        return algorithm.readClippedElement(Tag.objectIdentifier)?.content
    }

    /// Whether an element here or below is encoded as DER forbids: with an
    /// indefinite or padded length (X.690, 10.1), or as an octet string in chunks
    /// (10.2). The order of a SET's members is not checked.
    func isBasicEncoded(depth: Int = 0) -> Bool {
        guard depth < Element.maximumDepth else { return false }
        var elements = reader(in: ByteRange(offset: position, count: remaining))
        while let element = elements.readClippedElement() {
            let first = self[element.whole.offset + 1]
            if first == 0x80 || element.tag == Tag.constructedOctetString { return true }
            if first > 0x80 {
                let isPadded = self[element.whole.offset + 2] == 0
                if isPadded || (first == 0x81 && element.content.count < 0x80) { return true }
            }
            if element.isConstructed, elements.reader(in: element.content).isBasicEncoded(depth: depth + 1) {
                return true
            }
        }
        return false
    }
}
