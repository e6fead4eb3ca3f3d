internal import MillBytes

/// The reason why a text is not JSON, and the position of the fault.
@usableFromInline package struct InvalidJSON: Error {
    package let what: String
    /// The fault's offset from the text's start, in bytes.
    package let offset: Int

    package init(what: String, offset: Int) { (self.what, self.offset) = (what, offset) }
}

/// The position and the kind of a JSON value in a line, not yet decoded.
@usableFromInline package struct JSONToken {
    /// The raw values are the names of the JSON types.
    @usableFromInline package enum Kind: String {
        case string, number, boolean, null, array, object
    }

    @usableFromInline package let kind: Kind
    /// The content of a string without its quotes; the whole of any other value.
    @usableFromInline package let range: Range<Int>
    /// Whether a string contains backslashes.
    @usableFromInline package var hasEscapes = false

    package init(kind: Kind, range: Range<Int>, hasEscapes: Bool = false) {
        (self.kind, self.range, self.hasEscapes) = (kind, range, hasEscapes)
    }
}

/// A cursor over one line of JSON (RFC 8259) that checks the grammar and copies nothing.
///
/// Strings are searched with libc's vector instructions, because nearly all of a line is usually a single string. UTF-8
/// is checked once for each line.
@usableFromInline package struct JSONCursor: ~Escapable {
    @usableFromInline package let bytes: Span<UInt8>
    private let start: Int
    @usableFromInline package let end: Int
    @usableFromInline package internal(set) var position: Int
    /// Whether the line contains control characters, which are not allowed in strings.
    package let mayHoldControls: Bool

    /// The maximum depth of nested arrays and objects; in an archive's lines they are one deep.
    package static let maximumDepth = 256

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, in range: Range<Int>, mayHoldControls: Bool) {
        self.bytes = bytes
        start = range.lowerBound
        end = range.upperBound
        position = range.lowerBound
        self.mayHoldControls = mayHoldControls
    }

    /// Begins a line or another text, which has to be UTF-8.
    @_lifetime(copy bytes)
    package init(line bytes: Span<UInt8>, _ range: Range<Int>) throws(InvalidJSON) {
        let traits = Self.traits(bytes, range)
        if !traits.isASCII,
            let fault = UTF8Validation.firstFault(in: bytes, range)
        {
            throw InvalidJSON(what: "not UTF-8", offset: fault - range.lowerBound)
        }
        self.init(bytes, in: range, mayHoldControls: traits.hasControls)
    }

    /// Whether a line is ASCII, and whether it contains characters below space, found in one pass.
    private static func traits(_ bytes: Span<UInt8>, _ line: Range<Int>) -> (isASCII: Bool, hasControls: Bool) {
        bytes.extracting(line).withUnsafeBufferPointer { buffer in
            var bits: UInt8 = 0
            var smallest: UInt8 = 0xff
            for byte in buffer {
                bits |= byte
                smallest = min(smallest, byte)
            }
            return (bits < 0x80, smallest < 0x20)
        }
    }

    @inlinable package var isAtEnd: Bool { position >= end }
    @inlinable package subscript(index: Int) -> UInt8 { bytes[index] }
    @inlinable package var next: UInt8? { position < end ? bytes[position] : nil }

    @_lifetime(self: copy self)
    @inlinable @inline(__always)
    package mutating func skipWhitespace() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x09, 0x0a, 0x0d: position += 1
            default: return
            }
        }
    }

    /// Moves past `byte` if it is the next one; otherwise returns false.
    @_lifetime(self: copy self)
    @inlinable @inline(__always)
    package mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Moves past `text` if it is next; otherwise returns false.
    @_lifetime(self: copy self)
    package mutating func skip(_ text: [UInt8]) -> Bool {
        guard text.count <= end - position, ByteSearch.isEqual(bytes, position..<position + text.count, text) else {
            return false
        }
        position += text.count
        return true
    }

    @_lifetime(self: copy self)
    @inlinable @inline(__always)
    package mutating func expect(_ byte: UInt8, _ name: String) throws(InvalidJSON) {
        guard skip(byte) else { throw failure(expected: name) }
    }

    /// Reads a value of any kind, and moves past it.
    @_lifetime(self: copy self)
    @usableFromInline package mutating func readValue(depth: Int = 0) throws(InvalidJSON) -> JSONToken {
        switch next {
        case UInt8(ascii: "\""): return try readString()
        case UInt8(ascii: "{"): return try readNested(.object, depth: depth)
        case UInt8(ascii: "["): return try readNested(.array, depth: depth)
        case UInt8(ascii: "t"): return try readLiteral("true", .boolean)
        case UInt8(ascii: "f"): return try readLiteral("false", .boolean)
        case UInt8(ascii: "n"): return try readLiteral("null", .null)
        case UInt8(ascii: "-"): return try readNumber()
        case let digit? where UInt8(ascii: "0") <= digit && digit <= UInt8(ascii: "9"): return try readNumber()
        case nil: throw failure("the text ends where a value should stand")
        default: throw failure("expected a value")
        }
    }

    /// Reads a string, which must be next, and moves past it.
    @_lifetime(self: copy self)
    package mutating func readString() throws(InvalidJSON) -> JSONToken {
        try expect(UInt8(ascii: "\""), "a string")
        let from = position
        var hasEscapes = false
        var quote = -1
        while true {
            if quote < position {
                guard let found = ByteSearch.firstIndex(of: UInt8(ascii: "\""), in: bytes, position..<end) else {
                    throw failure("a string is not closed")
                }
                quote = found
            }
            guard let escape = ByteSearch.firstIndex(of: UInt8(ascii: "\\"), in: bytes, position..<quote) else {
                break
            }
            hasEscapes = true
            position = escape
            try skipEscape()
        }
        let content = from..<quote
        if mayHoldControls {
            for index in content where bytes[index] < 0x20 {
                position = index
                throw failure("a control character in a string")
            }
        }
        position = quote + 1
        return JSONToken(kind: .string, range: content, hasEscapes: hasEscapes)
    }

    @_lifetime(self: copy self)
    private mutating func skipEscape() throws(InvalidJSON) {
        guard position + 1 < end else { throw failure("a string is not closed") }
        switch bytes[position + 1] {
        case UInt8(ascii: "u"):
            guard position + 6 <= end else { throw failure("a \\u escape is cut short") }
            guard Hex.codeUnit(bytes, at: position + 2) != nil else {
                throw failure("a \\u escape without four hexadecimal digits")
            }
            position += 6
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        default: throw failure("an unknown escape in a string")
        }
    }

    /// Reads an object or an array.
    @_lifetime(self: copy self)
    private mutating func readNested(_ kind: JSONToken.Kind, depth: Int) throws(InvalidJSON) -> JSONToken {
        guard depth < Self.maximumDepth else { throw nestedTooDeep }
        let from = position
        var isFirst = true
        while kind == .object ? try nextKey(&isFirst) != nil : try nextValue(&isFirst) {
            _ = try readValue(depth: depth + 1)
        }
        return JSONToken(kind: kind, range: from..<position)
    }

    @_lifetime(self: copy self)
    private mutating func readLiteral(
        _ text: StaticString, _ kind: JSONToken.Kind
    ) throws(InvalidJSON) -> JSONToken {
        let range = position..<(position + text.utf8CodeUnitCount)
        guard range.upperBound <= end else { throw failure("expected a value") }
        let matches = text.withUTF8Buffer { literal in
            literal.indices.allSatisfy { literal[$0] == bytes[range.lowerBound + $0] }
        }
        guard matches else { throw failure("expected a value") }
        position = range.upperBound
        return JSONToken(kind: kind, range: range)
    }

    /// Reads a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` (RFC 8259, 6).
    @_lifetime(self: copy self)
    private mutating func readNumber() throws(InvalidJSON) -> JSONToken {
        let from = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try skipDigits() }
        if skip(UInt8(ascii: ".")) { try skipDigits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
        return JSONToken(kind: .number, range: from..<position)
    }

    @_lifetime(self: copy self)
    private mutating func skipDigits() throws(InvalidJSON) {
        let from = position
        while let byte = next, UInt8(ascii: "0") <= byte, byte <= UInt8(ascii: "9") { position += 1 }
        guard position > from else { throw failure("a number without digits") }
    }

    package var nestedTooDeep: InvalidJSON { failure("nested deeper than \(Self.maximumDepth) levels") }

    package func failure(_ what: String) -> InvalidJSON {
        InvalidJSON(what: what, offset: position - start)
    }

    @usableFromInline @inline(never)
    func failure(expected name: String) -> InvalidJSON { failure("expected \(name)") }
}
