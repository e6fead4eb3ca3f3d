internal import MillBytes
internal import MillJSON

/// The keys of one JSON object that are not in the table of fields. An object that repeats a key is refused (RFC 7515,
/// 4), however the key is escaped.
struct ObjectKeys {
    private struct Key {
        let range: Range<Int>
        /// Whether the range refers to `unescaped`, not to the JSON.
        let isUnescaped: Bool
    }

    private var keys: [Key] = []
    /// The characters of keys that were written with escapes, one key after another.
    private var unescaped: [UInt8] = []
    /// Indices of `keys` by hash with linear probing; `free` marks a slot without a key. Empty while there are few
    /// keys.
    private var slots: [UInt16] = []

    /// Up to this number of keys, each is compared with all others. Apple's payloads have fewer unknown keys.
    private static let pairwise = 8
    /// There are twice as many slots as keys, so that at least half stay free.
    private static let slotCount = SignedDataLimits.members * 2
    private static let free = UInt16.max

    /// Adds a key that was written without escapes.
    ///
    /// - Returns: false if the object already has the key.
    mutating func insert(_ key: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        insert(Key(range: key, isUnescaped: false), bytes)
    }

    /// Adds a key that was written with escapes; returns false if the object already has the key.
    mutating func insert(unescaped key: [UInt8], _ bytes: Span<UInt8>) -> Bool {
        let start = unescaped.count
        unescaped += key
        return insert(Key(range: start..<unescaped.count, isUnescaped: true), bytes)
    }

    private mutating func insert(_ key: Key, _ bytes: Span<UInt8>) -> Bool {
        if keys.count < Self.pairwise {
            for other in keys where isEqual(key, other, bytes) { return false }
        } else {
            if slots.isEmpty { makeSlots(bytes) }
            guard let slot = freeSlot(for: key, bytes) else { return false }
            slots[slot] = UInt16(keys.count)
        }
        keys.append(key)
        return true
    }

    private mutating func makeSlots(_ bytes: Span<UInt8>) {
        slots = [UInt16](repeating: Self.free, count: Self.slotCount)
        for (index, key) in keys.enumerated() {
            if let slot = freeSlot(for: key, bytes) { slots[slot] = UInt16(index) }
        }
    }

    /// The index of the free slot for a key; nil if the object already has the key.
    private func freeSlot(for key: Key, _ bytes: Span<UInt8>) -> Int? {
        var slot = hash(key, bytes) & (Self.slotCount - 1)
        while slots[slot] != Self.free {
            if isEqual(key, keys[Int(slots[slot])], bytes) { return nil }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return slot
    }

    /// The hash of a key. The seed differs from process to process, so that nobody can choose keys
    /// that collide.
    private func hash(_ key: Key, _ bytes: Span<UInt8>) -> Int {
        var hasher = Hasher()
        withBytes(of: key, bytes) { $0.withUnsafeBytes { hasher.combine(bytes: $0) } }
        return hasher.finalize()
    }

    private func isEqual(_ one: Key, _ other: Key, _ bytes: Span<UInt8>) -> Bool {
        guard one.range.count == other.range.count else { return false }
        return withBytes(of: one, bytes) { one in withBytes(of: other, bytes) { ByteSearch.isEqual(one, $0) } }
    }

    private func withBytes<Result>(
        of key: Key, _ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result {
        key.isUnescaped ? body(unescaped.span.extracting(key.range)) : body(bytes.extracting(key.range))
    }
}

/// A set of key numbers below 128, such as the known keys that have been read of an object.
struct KeySet: Sendable {
    private var bits: (UInt64, UInt64) = (0, 0)

    init() {}

    init(_ numbers: some Sequence<Int>) {
        for number in numbers { _ = insert(number) }
    }

    var isEmpty: Bool { bits.0 | bits.1 == 0 }

    func subtracting(_ other: KeySet) -> KeySet {
        var rest = self
        rest.bits = (bits.0 & ~other.bits.0, bits.1 & ~other.bits.1)
        return rest
    }

    func contains(_ number: Int) -> Bool {
        number < 64 ? bits.0 >> UInt64(number) & 1 == 1 : bits.1 >> UInt64(number - 64) & 1 == 1
    }

    /// - Returns: false if the object already has the key.
    mutating func insert(_ number: Int) -> Bool {
        guard !contains(number) else { return false }
        if number < 64 { bits.0 |= 1 << UInt64(number) } else { bits.1 |= 1 << UInt64(number - 64) }
        return true
    }
}

/// Limits on the JSON of signed data, so that no document can exhaust the machine.
package enum SignedDataLimits {
    /// The maximum size of a signed string in bytes. The largest that was seen, a notification, has 19 kB.
    package static let stringBytes = 1 << 20
    /// The maximum number of members in all objects of a payload or header. Apple's payloads have some fifty.
    static let members = 1_024
    /// The maximum depth of nested objects and arrays. Those in Apple's payloads are four deep.
    static let depth = 32
    /// The maximum number of certificates in `x5c`. Apple's chains have three.
    package static let certificates = 8
}

/// Reads the JSON of signed data strictly: members are counted, an object must not repeat a key, and texts must be
/// valid Unicode.
struct StrictWalk {
    private var members = 0

    /// Reads an object's members. Values of unknown keys are checked and skipped.
    ///
    /// - Parameters:
    ///   - number: returns the number of the key at a range of bytes; nil for an unknown key.
    ///   - visit: reads the value of the known key with a number.
    ///   - skipped: called for each unknown key, with the name if the key was written with escapes, and with the key's
    ///     value.
    /// - Returns: the numbers of the known keys that the object has.
    @discardableResult
    mutating func object(
        _ cursor: inout JSONCursor, depth: Int,
        number: (Span<UInt8>, Range<Int>) -> Int?,
        visit: (inout StrictWalk, Int, inout JSONCursor) throws(InvalidJSON) -> Void,
        skipped: (_ key: JSONToken, _ name: [UInt8]?, _ value: JSONToken, _ bytes: Span<UInt8>) -> Void = {
            _, _, _, _ in
        }
    ) throws(InvalidJSON) -> KeySet {
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
            var unescaped: [UInt8]?
            let isNew: Bool
            if key.hasEscapes {
                guard let name = JSONString.unescaped(cursor.bytes, in: key.range) else {
                    throw cursor.failure("a lone surrogate in a key")
                }
                unescaped = name
                found = number(name.span, name.indices)
                isNew =
                    if let found { known.insert(found) } else { others.insert(unescaped: name, cursor.bytes) }
            } else {
                found = number(cursor.bytes, key.range)
                isNew = if let found { known.insert(found) } else { others.insert(key.range, cursor.bytes) }
            }
            guard isNew else { throw cursor.failure("a key that stood before in the same object") }
            if let found {
                try visit(&self, found, &cursor)
            } else {
                skipped(key, unescaped, try value(&cursor, depth: depth + 1), cursor.bytes)
            }
        }
        return known
    }

    /// Reads a value of any kind. In objects, all keys count as unknown.
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
