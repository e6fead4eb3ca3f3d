internal import MillJSON
internal import MillSystem

/// The keys of one JSON object, to refuse an object that names one twice
/// (RFC 7515, 4), however it is escaped.
struct ObjectKeys {
    /// Keys without escapes that are not known, as ranges of the text.
    private var plain: [Range<Int>] = []
    /// Keys that were written with escapes.
    private var unescaped: [[UInt8]] = []

    /// Notes a key that is not among the known ones.
    ///
    /// - Returns: false where it was noted before.
    mutating func insert(_ key: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        for other in plain where Self.isEqual(bytes, key, other) { return false }
        for other in unescaped where ByteSearch.isEqual(bytes, key, other) { return false }
        plain.append(key)
        return true
    }

    /// Notes a key that was written with escapes.
    mutating func insert(unescaped key: [UInt8], _ bytes: Span<UInt8>) -> Bool {
        for other in plain where ByteSearch.isEqual(bytes, other, key) { return false }
        guard !unescaped.contains(key) else { return false }
        unescaped.append(key)
        return true
    }

    private static func isEqual(_ bytes: Span<UInt8>, _ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        for (left, right) in zip(one, other) where bytes[left] != bytes[right] { return false }
        return true
    }
}

/// Which of a payload's known keys were met, by their numbers.
struct KeySet {
    private var bits: (UInt64, UInt64) = (0, 0)

    func contains(_ number: Int) -> Bool {
        number < 64 ? bits.0 >> UInt64(number) & 1 == 1 : bits.1 >> UInt64(number - 64) & 1 == 1
    }

    /// - Returns: false where the key was met before.
    mutating func insert(_ number: Int) -> Bool {
        guard !contains(number) else { return false }
        if number < 64 { bits.0 |= 1 << UInt64(number) } else { bits.1 |= 1 << UInt64(number - 64) }
        return true
    }
}

/// What bounds the JSON of signed data, so that no document can exhaust the machine.
package enum SignedDataLimits {
    /// Bytes of a signed string. The largest seen, a notification, has 19 kB.
    package static let stringBytes = 1 << 20
    /// Members of all objects of a payload or header together. The store's have some fifty.
    static let members = 1_024
    /// Objects and arrays inside one another. The store's have four.
    static let depth = 32
    /// Certificates of `x5c`. The store's chains have three.
    package static let certificates = 8
}

/// Walks JSON of signed data: members counted, keys once, texts valid Unicode.
struct StrictWalk {
    private var members = 0

    /// Reads an object's members; `visit` is given each key that it may know, and
    /// whether the value was read is what it returns.
    ///
    /// - Parameters:
    ///   - number: of a known key at a range of the text, or of an unescaped one.
    ///   - visit: reads the value of a known key.
    mutating func object(
        _ cursor: inout JSONCursor, depth: Int,
        number: (Span<UInt8>, Range<Int>) -> Int?,
        visit: (inout StrictWalk, Int, inout JSONCursor) throws(InvalidJSON) -> Void
    ) throws(InvalidJSON) {
        guard depth < SignedDataLimits.depth else { throw cursor.failure("nested too deep") }
        var known = KeySet()
        var others = ObjectKeys()
        var isFirst = true
        while let key = try cursor.nextKey(&isFirst) {
            members += 1
            guard members <= SignedDataLimits.members else {
                throw cursor.failure("more than \(SignedDataLimits.members) members")
            }
            var found: Int?
            let isNew: Bool
            if key.hasEscapes {
                guard let name = JSONString.unescaped(cursor.bytes, in: key.range) else {
                    throw cursor.failure("a lone surrogate in a key")
                }
                found = number(name.span, name.indices)
                isNew =
                    if let found { known.insert(found) } else { others.insert(unescaped: name, cursor.bytes) }
            } else {
                found = number(cursor.bytes, key.range)
                isNew = if let found { known.insert(found) } else { others.insert(key.range, cursor.bytes) }
            }
            guard isNew else { throw cursor.failure("a key that stood before in the same object") }
            if let found { try visit(&self, found, &cursor) } else { _ = try value(&cursor, depth: depth + 1) }
        }
    }

    /// Reads a value of any kind.
    mutating func value(_ cursor: inout JSONCursor, depth: Int) throws(InvalidJSON) -> JSONToken {
        switch cursor.next {
        case UInt8(ascii: "{"):
            let start = cursor.position
            try object(&cursor, depth: depth, number: { _, _ in nil }, visit: { _, _, _ in })
            return JSONToken(kind: .object, range: start..<cursor.position)
        case UInt8(ascii: "["):
            guard depth < SignedDataLimits.depth else { throw cursor.failure("nested too deep") }
            let start = cursor.position
            var isFirst = true
            while try cursor.nextValue(&isFirst) { _ = try value(&cursor, depth: depth + 1) }
            return JSONToken(kind: .array, range: start..<cursor.position)
        default:
            let token = try cursor.readValue()
            if token.kind == .string, token.hasEscapes,
                JSONString.unescaped(cursor.bytes, in: token.range) == nil
            {
                throw cursor.failure("a lone surrogate in a text")
            }
            return token
        }
    }
}
