extension ByteReader {
    /// Reads an INTEGER of any length whose value fits into 64 bits.
    ///
    /// - Throws: `.invalidInteger` if it is empty or its value doesn't fit, and the errors of ``readElement(_:)``.
    @_lifetime(self: copy self)
    public mutating func readInteger() throws(MalformedReceipt) -> Int64 {
        if let value = readSmallInteger() { return value }
        let element = try readElement(Tag.integer)
        return try integer(in: element.content)
    }

    /// The value of a range in two's complement, the most significant byte first
    /// (X.690, 8.3).
    func integer(in range: ByteRange) throws(MalformedReceipt) -> Int64 {
        guard !range.isEmpty else { throw MalformedReceipt(.invalidInteger, at: range.offset) }
        let sign: UInt8 = self[range.offset] & 0x80 == 0 ? 0 : 0xff
        var offset = range.offset
        // Bytes beyond eight may only repeat the sign.
        while range.end - offset > 8 {
            guard self[offset] == sign, self[offset + 1] & 0x80 == sign & 0x80 else {
                throw MalformedReceipt(.invalidInteger, at: range.offset)
            }
            offset += 1
        }
        var value: Int64 = sign == 0 ? 0 : -1
        while offset < range.end {
            value = value << 8 | Int64(self[offset])
            offset += 1
        }
        return value
    }

    /// Reads a UTF8String, IA5String or PrintableString; nil if it is empty, which means absent in receipts.
    ///
    /// - Throws: `.invalidText` if the element is none of the three, is not UTF-8 or contains NUL, and the errors of
    ///   ``readElement()``.
    @_lifetime(self: copy self)
    public mutating func readText() throws(MalformedReceipt) -> ByteRange? {
        let start = position
        let element = try readElement()
        switch element.tag {
        case Tag.utf8String, Tag.ia5String, Tag.printableString: break
        default: throw MalformedReceipt(.invalidText, at: start)
        }
        guard !element.content.isEmpty else { return nil }
        guard isUTF8(element.content) else { throw MalformedReceipt(.invalidText, at: start) }
        return element.content
    }

    /// Reads a date in milliseconds since 1970-01-01T00:00:00Z; nil if the
    /// string is empty.
    ///
    /// - Throws: `.invalidDate` if the text is not a ``ReceiptDate``, and the errors of ``readText()``.
    @_lifetime(self: copy self)
    public mutating func readDate() throws(MalformedReceipt) -> Int64? {
        let start = position
        guard let text = try readText() else { return nil }
        guard let date = ReceiptDate.milliseconds(bytes, in: text) else {
            throw MalformedReceipt(.invalidDate, at: start)
        }
        return date
    }

    /// Whether a range is UTF-8 without NUL, at which a text column would end.
    private func isUTF8(_ range: ByteRange) -> Bool {
        switch asciiKind(of: range) {
        case .withNUL: false
        case .plain: true
        case .beyond: UTF8Validation.isValid(bytes, in: range)
        }
    }
}
