/// One ASN.1 element: its tag and the ranges of its bytes.
///
/// Elements follow the Basic Encoding Rules of X.690, of which the distinguished
/// rules are a subset: definite lengths in any form, and indefinite lengths,
/// which Xcode's local store writes.
public struct Element: Sendable, Hashable {
    /// The identifier octet; ``Tag`` lists the octets that receipts use.
    public let tag: UInt8
    /// The content without header and without end-of-contents.
    public let content: ByteRange
    /// The header, the content and, if there is one, the end-of-contents.
    public let whole: ByteRange

    /// The maximum depth of nested indefinite lengths. In Xcode's receipts they are seven deep.
    public static let maximumDepth = 32

    /// Whether the content consists of elements (X.690, 8.1.2.5).
    public var isConstructed: Bool { tag & Tag.constructedBit != 0 }
}

extension ByteReader {
    /// Reads the next element, whatever its tag, and moves past it.
    ///
    /// - Throws: `.truncated` if the bytes end inside the element; `.highTagNumber`, `.lengthOverflow`,
    ///   `.indefiniteLength` or `.tooDeep` if its header or its nesting is not accepted.
    @_lifetime(self: copy self)
    public mutating func readElement() throws(MalformedReceipt) -> Element {
        if let element = readShortElement() { return element }
        return try readElement(depth: 0)
    }

    /// Reads the next element, which must have this tag, and moves past it.
    ///
    /// - Throws: `.unexpectedTag` if the tag is another one, and the errors of ``readElement()``.
    @_lifetime(self: copy self)
    public mutating func readElement(_ tag: UInt8) throws(MalformedReceipt) -> Element {
        let start = position
        let element = try readElement()
        guard element.tag == tag else {
            throw MalformedReceipt(.unexpectedTag(expected: tag, found: element.tag), at: start)
        }
        return element
    }

    /// Reads the next element if it has this tag; returns nil if it has another one, and at the end, where nothing is
    /// read.
    ///
    /// - Throws: the errors of ``readElement()``.
    @_lifetime(self: copy self)
    public mutating func readOptionalElement(_ tag: UInt8) throws(MalformedReceipt) -> Element? {
        next == tag ? try readElement(tag) : nil
    }

    @_lifetime(self: copy self)
    private mutating func readElement(depth: Int) throws(MalformedReceipt) -> Element {
        let start = position
        let tag = try readByte()
        guard tag & Tag.tagNumberMask != Tag.tagNumberMask else {
            throw MalformedReceipt(.highTagNumber, at: start)
        }
        let first = try readByte()
        if first == 0x80 {
            return try readIndefinite(tag: tag, start: start, depth: depth)
        }
        var count = Int(first)
        if first > 0x80 {
            count = try readLongLength(byteCount: Int(first & 0x7f))
        }
        let content = try readBytes(count)
        return Element(
            tag: tag, content: content, whole: ByteRange(within: start, count: position - start))
    }

    /// Reads a length in the long form (X.690, 8.1.3.5): an unsigned integer of
    /// `byteCount` bytes, the most significant first.
    @_lifetime(self: copy self)
    private mutating func readLongLength(byteCount: Int) throws(MalformedReceipt) -> Int {
        guard byteCount <= 8 else { throw MalformedReceipt(.lengthOverflow, at: position) }
        var length: UInt64 = 0
        for _ in 0..<byteCount {
            length = length << 8 | UInt64(try readByte())
        }
        guard length <= UInt64(Self.maximumBufferCount) else {
            throw MalformedReceipt(.lengthOverflow, at: position)
        }
        return Int(length)
    }

    /// Reads the content of an indefinite length (X.690, 8.1.3.6): elements up
    /// to the end-of-contents, which is two zero bytes.
    @_lifetime(self: copy self)
    private mutating func readIndefinite(
        tag: UInt8, start: Int, depth: Int
    ) throws(MalformedReceipt) -> Element {
        guard tag & Tag.constructedBit != 0 else {
            throw MalformedReceipt(.indefiniteLength, at: start)
        }
        guard depth < Element.maximumDepth else {
            throw MalformedReceipt(.tooDeep(limit: Element.maximumDepth), at: start)
        }
        let contentStart = position
        while true {
            guard let next else { throw MalformedReceipt(.indefiniteLength, at: start) }
            if next == 0 { break }
            _ = try readElement(depth: depth + 1)
        }
        let content = ByteRange(within: contentStart, count: position - contentStart)
        let endOfContents = try readBytes(2)
        guard self[endOfContents.offset + 1] == 0 else {
            throw MalformedReceipt(.indefiniteLength, at: endOfContents.offset)
        }
        return Element(
            tag: tag, content: content, whole: ByteRange(within: start, count: position - start))
    }
}
