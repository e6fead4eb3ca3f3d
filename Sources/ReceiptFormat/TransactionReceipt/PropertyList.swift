/// A property list in the text form of NeXTSTEP, as far as receipts use it: one
/// dictionary and the places of its members.
///
/// ```
/// dictionary = "{" { key "=" value ";" } "}"
/// value      = string | dictionary
/// string     = '"' { character | escape } '"' | "'" … "'" | bare { bare }
/// bare       = letter | digit | "_" | "$" | "/" | ":" | "." | "-"
/// escape     = "\" ( octal [ octal [ octal ] ] | "U" 4 × hex | character )
/// ```
/// White space and comments (`//`, `/* */`) may stand between all of these.
/// Apple, Property List Programming Guide, "Old-Style ASCII Property Lists";
/// single quotes and comments are what its parser takes beyond the page. Arrays
/// and data, which no receipt holds, are faults. A key that stands twice is one,
/// because readers that differ there can be played against each other.
public struct PropertyList: Sendable, Hashable {
    /// A string's place.
    public struct Text: Sendable, Hashable {
        /// The characters as they are written, without quotes: UTF-8, no NUL.
        public let range: ByteRange
        /// Backslashes stand in it; ``ByteReader/unescaped(_:)`` resolves them.
        public let hasEscapes: Bool

        public init(range: ByteRange, hasEscapes: Bool = false) {
            self.range = range
            self.hasEscapes = hasEscapes
        }
    }

    /// A member of the dictionary whose value is a string; nil where the value
    /// is a dictionary, which is read and left aside.
    public struct Member: Sendable, Hashable {
        public let key: ByteRange
        public let value: Text?
        /// The value as it stands, quotes or braces included.
        public let written: ByteRange
    }

    public private(set) var members: [Member] = []

    /// Bytes of a property list. The store's have some 2,600, or 4,500 with the
    /// longer signature; the rest is room for whoever made their white space.
    public static let maximumCount = 64 << 10
    /// Members of one dictionary. The store writes some twenty; keys are compared
    /// each with each, so this bounds the work, too.
    public static let maximumMembers = 128
    /// How deep dictionaries may nest; those of receipts don't.
    public static let maximumDepth = 8

    /// Reads a property list and requires that nothing but white space follows.
    public init(parsing reader: inout ByteReader) throws(MalformedReceipt) {
        guard reader.remaining <= Self.maximumCount else {
            throw MalformedReceipt(.propertyList(.tooLarge), at: reader.position)
        }
        try Self.read(&reader, into: &members)
    }

    /// Reads a property list; of a malformed one, `members` holds those before
    /// the fault.
    static func read(_ reader: inout ByteReader, into members: inout [Member]) throws(MalformedReceipt) {
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

    /// Reads a key. Escapes in keys are refused: no writer needs them, and they
    /// would hide that two keys are one.
    private static func key(
        _ reader: inout ByteReader, among members: [Member]
    ) throws(MalformedReceipt) -> ByteRange {
        let start = reader.position
        let key = try reader.readPropertyListText()
        guard !key.hasEscapes else { throw MalformedReceipt(.propertyList(.escapedKey), at: start) }
        guard members.count < maximumMembers else {
            throw MalformedReceipt(.propertyList(.tooManyMembers), at: start)
        }
        for member in members where reader.matches(member.key, key.range) {
            throw MalformedReceipt(.propertyList(.duplicateKey), at: start)
        }
        try reader.skipPropertyListSpace()
        // Only JSON parts key and value so; as a bare character a colon belongs
        // to the key.
        if reader.next == UInt8(ascii: ":") { throw MalformedReceipt(.propertyList(.json), at: start) }
        return key.range
    }
}

extension ByteReader {
    /// Whether two ranges hold the same bytes.
    fileprivate func matches(_ range: ByteRange, _ other: ByteRange) -> Bool {
        range.count == other.count
            && (0..<range.count).allSatisfy { self[range.offset + $0] == self[other.offset + $0] }
    }

    @_lifetime(self: copy self)
    fileprivate mutating func expect(_ byte: UInt8) throws(MalformedReceipt) {
        let start = position
        guard try readByte() == byte else {
            throw MalformedReceipt(.propertyList(.expected(byte)), at: start)
        }
    }
}
