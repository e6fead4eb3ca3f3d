/// A property list in the text form of NeXTSTEP, as far as receipts use it: one dictionary, whose members are ranges of
/// its bytes.
///
/// ```
/// dictionary = "{" { key "=" value ";" } "}"
/// value      = string | dictionary
/// string     = '"' { character | escape } '"' | "'" … "'" | bare { bare }
/// bare       = letter | digit | "_" | "$" | "/" | ":" | "." | "-"
/// escape     = "\" ( octal [ octal [ octal ] ] | "U" 4 × hex | character )
/// ```
/// White space and comments (`//`, `/* */`) may be between all symbols. The source is Apple, Property List Programming
/// Guide, "Old-Style ASCII Property Lists"; Apple's parser also accepts single quotes and comments, which the page does
/// not mention. Arrays and data, which no receipt contains, are refused. So are duplicate keys, because parsers differ
/// in which of the two values they use.
public struct PropertyList: Sendable, Hashable {
    /// A string of a property list.
    public struct Text: Sendable, Hashable {
        /// The characters without quotes, with escapes unresolved: UTF-8, no NUL.
        public let range: ByteRange
        /// Whether the string contains backslashes; ``ByteReader/unescaped(_:)`` resolves them.
        public let hasEscapes: Bool

        /// A string in a range of bytes.
        public init(range: ByteRange, hasEscapes: Bool = false) {
            self.range = range
            self.hasEscapes = hasEscapes
        }
    }

    /// A member of the dictionary.
    public struct Member: Sendable, Hashable {
        /// The key without quotes; keys have no escapes.
        public let key: ByteRange
        /// The value if it is a string; nil if it is a dictionary, whose members are checked but not kept.
        public let value: Text?
        /// The value with its quotes or braces.
        public let written: ByteRange
    }

    /// The members in their order.
    public private(set) var members: [Member] = []

    /// The maximum size of a property list in bytes. Apple's lists have some 2,600, or 4,500 with the longer signature;
    /// the rest allows for white space.
    public static let maximumCount = 64 << 10
    /// The maximum number of members in one dictionary; Apple writes some twenty. Every key is compared with all before
    /// it, so the limit also bounds the work.
    public static let maximumMembers = 128
    /// The maximum depth of nested dictionaries; those in receipts are not nested.
    public static let maximumDepth = 8

    /// Reads a property list and requires that nothing but white space and comments
    /// follows.
    ///
    /// - Throws: `.propertyList` with the fault of the text; `.truncated` if it ends early, `.trailingBytes` if bytes
    ///   follow; `.invalidText` for bytes that are not UTF-8, and for NUL; `.tooDeep` beyond ``maximumDepth``.
    public init(parsing reader: inout ByteReader) throws(MalformedReceipt) {
        try Self.read(&reader, into: &members)
    }

    /// Reads a property list like ``init(parsing:)`` into `members`. If an error is thrown, `members` contains the
    /// members before the fault, so that a damaged list can be shown.
    ///
    /// - Throws: the errors of ``init(parsing:)``.
    public static func read(_ reader: inout ByteReader, into members: inout [Member]) throws(MalformedReceipt) {
        guard reader.remaining <= maximumCount else {
            throw MalformedReceipt(.propertyList(.tooLarge), at: reader.position)
        }
        try reader.skipPropertyListSpace()
        try dictionary(&reader, depth: 0, into: &members)
        try reader.skipPropertyListSpace()
        try reader.requireEnd()
    }

    private static func dictionary(
        _ reader: inout ByteReader, depth: Int, into members: inout [Member]
    ) throws(MalformedReceipt) {
        guard depth < maximumDepth else {
            throw MalformedReceipt(.tooDeep(limit: maximumDepth), at: reader.position)
        }
        try reader.expect(UInt8(ascii: "{"))
        while true {
            try reader.skipPropertyListSpace()
            if reader.next == UInt8(ascii: "}") { break }
            let key = try key(&reader, among: members)
            try reader.expect(UInt8(ascii: "="))
            try reader.skipPropertyListSpace()
            let start = reader.position
            var value: Text?
            if reader.next == UInt8(ascii: "{") {
                var nested: [Member] = []
                try dictionary(&reader, depth: depth + 1, into: &nested)
            } else {
                value = try reader.readPropertyListText()
            }
            let written = ByteRange(offset: start, count: reader.position - start)
            members.append(Member(key: key, value: value, written: written))
            try reader.skipPropertyListSpace()
            try reader.expect(UInt8(ascii: ";"))
        }
        try reader.expect(UInt8(ascii: "}"))
    }

    /// Reads a key. Escapes in keys are refused: no writer needs them, and two spellings of one key would seem to be
    /// different keys.
    private static func key(
        _ reader: inout ByteReader, among members: [Member]
    ) throws(MalformedReceipt) -> ByteRange {
        let start = reader.position
        let key = try reader.readPropertyListText()
        guard !key.hasEscapes else { throw MalformedReceipt(.propertyList(.escapedKey), at: start) }
        guard members.count < maximumMembers else {
            throw MalformedReceipt(.propertyList(.tooManyMembers), at: start)
        }
        for member in members where reader.equal(member.key, key.range) {
            throw MalformedReceipt(.propertyList(.duplicateKey), at: start)
        }
        try reader.skipPropertyListSpace()
        // Only JSON separates key and value by a colon; in a property list, a colon may be part of a bare key.
        if reader.next == UInt8(ascii: ":") { throw MalformedReceipt(.propertyList(.json), at: start) }
        return key.range
    }
}

extension ByteReader {
    @_lifetime(self: copy self)
    fileprivate mutating func expect(_ byte: UInt8) throws(MalformedReceipt) {
        let start = position
        guard try readByte() == byte else {
            throw MalformedReceipt(.propertyList(.expected(byte)), at: start)
        }
    }
}
