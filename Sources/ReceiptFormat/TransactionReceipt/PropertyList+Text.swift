extension ByteReader {
    /// Moves past white space and comments.
    @_lifetime(self: copy self)
    mutating func skipPropertyListSpace() throws(MalformedReceipt) {
        while let byte = next {
            switch byte {
            case 0x09...0x0d, 0x20: _ = try readByte()
            case UInt8(ascii: "/") where second == UInt8(ascii: "/"):
                while let byte = next, byte != 0x0a, byte != 0x0d { _ = try readByte() }
            case UInt8(ascii: "/") where second == UInt8(ascii: "*"): try skipComment()
            default: return
            }
        }
    }

    /// The byte after ``next``; nil if there is none.
    private var second: UInt8? { remaining > 1 ? self[position + 1] : nil }

    @_lifetime(self: copy self)
    private mutating func skipComment() throws(MalformedReceipt) {
        let start = position
        _ = try readBytes(2)
        while let second {
            if next == UInt8(ascii: "*"), second == UInt8(ascii: "/") {
                _ = try readBytes(2)
                return
            }
            _ = try readByte()
        }
        throw MalformedReceipt(.propertyList(.unclosedComment), at: start)
    }

    /// Reads a string, quoted or bare, and moves past it.
    @_lifetime(self: copy self)
    mutating func readPropertyListText() throws(MalformedReceipt) -> PropertyList.Text {
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try readQuotedText()
        default: return try readBareText()
        }
    }

    @_lifetime(self: copy self)
    private mutating func readBareText() throws(MalformedReceipt) -> PropertyList.Text {
        let start = position
        while let byte = next, byte.isBare { _ = try readByte() }
        guard position > start else {
            throw MalformedReceipt(isAtEnd ? .truncated : .propertyList(.expectedValue), at: start)
        }
        return PropertyList.Text(range: ByteRange(offset: start, count: position - start))
    }

    @_lifetime(self: copy self)
    private mutating func readQuotedText() throws(MalformedReceipt) -> PropertyList.Text {
        let start = position
        let quote = try readByte()
        var hasEscapes = false
        while let byte = next, byte != quote {
            _ = try readByte()
            guard byte != 0 else { throw MalformedReceipt(.invalidText, at: position - 1) }
            if byte == UInt8(ascii: "\\"), next != nil {
                hasEscapes = true
                _ = try readByte()
            }
        }
        guard next == quote else { throw MalformedReceipt(.propertyList(.unclosedString), at: start) }
        let text = PropertyList.Text(
            range: ByteRange(offset: start + 1, count: position - start - 1), hasEscapes: hasEscapes)
        _ = try readByte()
        guard UTF8Validation.isValid(bytes, in: text.range) else { throw MalformedReceipt(.invalidText, at: start) }
        if hasEscapes { _ = try unescaped(text) }
        return text
    }

    /// The UTF-8 of a string, with its escapes resolved.
    ///
    /// Octal escapes above ASCII, which would mean characters of NeXTSTEP's own character set, are refused, and so is
    /// NUL; no receipt uses either.
    ///
    /// - Throws: `.propertyList(.invalidEscape)` if an escape means no accepted character.
    public func unescaped(_ text: PropertyList.Text) throws(MalformedReceipt) -> [UInt8] {
        var output: [UInt8] = []
        var part = reader(in: text.range)
        while let byte = part.next {
            _ = try part.readByte()
            guard text.hasEscapes, byte == UInt8(ascii: "\\") else {
                output.append(byte)
                continue
            }
            let start = part.position - 1
            guard let scalar = try part.readEscape(), scalar.value != 0, let encoded = UTF8.encode(scalar) else {
                throw MalformedReceipt(.propertyList(.invalidEscape), at: start)
            }
            output.append(contentsOf: encoded)
        }
        return output
    }

    /// Reads the escape after a backslash; nil if it means no character.
    @_lifetime(self: copy self)
    private mutating func readEscape() throws(MalformedReceipt) -> Unicode.Scalar? {
        guard let kind = next else { return nil }
        switch kind {
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var value: UInt32 = 0
            for _ in 0..<3 {
                guard let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { break }
                value = value << 3 | UInt32(digit - UInt8(ascii: "0"))
                _ = try readByte()
            }
            return value < 0x80 ? Unicode.Scalar(value) : nil
        case UInt8(ascii: "U"):
            _ = try readByte()
            return try readUnicodeEscape()
        default: break
        }
        _ = try readByte()
        switch kind {
        case UInt8(ascii: "a"): return "\u{07}"
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "t"): return "\u{09}"
        case UInt8(ascii: "n"): return "\u{0a}"
        case UInt8(ascii: "v"): return "\u{0b}"
        case UInt8(ascii: "f"): return "\u{0c}"
        case UInt8(ascii: "r"): return "\u{0d}"
        // Any other ASCII character after a backslash means itself, as for quotes, the slash and the backslash.
        default: return kind < 0x80 ? Unicode.Scalar(kind) : nil
        }
    }

    /// Reads the scalar of one UTF-16 unit, or of a surrogate pair's two.
    @_lifetime(self: copy self)
    private mutating func readUnicodeEscape() throws(MalformedReceipt) -> Unicode.Scalar? {
        guard let first = try readHexadecimalUnit() else { return nil }
        guard (0xd800...0xdbff).contains(first) else { return Unicode.Scalar(first) }
        guard next == UInt8(ascii: "\\"), second == UInt8(ascii: "U") else { return nil }
        _ = try readBytes(2)
        guard let low = try readHexadecimalUnit(), (0xdc00...0xdfff).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (low - 0xdc00))
    }

    @_lifetime(self: copy self)
    private mutating func readHexadecimalUnit() throws(MalformedReceipt) -> UInt32? {
        guard remaining >= 4 else { return nil }
        return Hex.codeUnit(bytes, at: try readBytes(4).offset)
    }
}

extension UInt8 {
    /// Whether the character may occur in a string without quotes.
    fileprivate var isBare: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"),
            UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
