/// A text that a stranger wrote: what documents and lines state, and what a database
/// keeps of them.
///
/// Equality, hash and order are those of its UTF-8 bytes, in time that grows with their
/// number. Those of `String` follow canonical equivalence: they take é for e and a
/// combining accent, which are two identifiers here, and the square of the time for
/// combining characters, of which a line may hold a million. So a text of a document
/// is never compared as a `String`, nor is it the key of a dictionary.
public struct DocumentText: Sendable {
    /// The text, to be shown or written.
    public let string: String

    /// A text that was read already.
    public init(_ string: String) {
        var string = string
        string.makeContiguousUTF8()
        self.string = string
    }

    /// The text of UTF-8 bytes; what is none becomes U+FFFD.
    public init(decoding bytes: some Collection<UInt8>) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// Its bytes.
    public var utf8: String.UTF8View { string.utf8 }
    /// Whether it has none.
    public var isEmpty: Bool { string.isEmpty }
}

extension DocumentText: Hashable, Comparable {
    /// Whether two texts have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    /// Whether the bytes of one text come before those of the other.
    public static func < (left: Self, right: Self) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    /// Hashes the bytes, and their number, so that texts behind one another stay apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension DocumentText: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// A text of the program's, to compare with.
    public init(stringLiteral text: String) { self.init(text) }

    /// The text, as interpolations show it.
    public var description: String { string }
}

/// Whether a text is the one that a pattern's raw value or name is, byte for byte.
public func ~= (pattern: String, text: DocumentText) -> Bool { DocumentText(pattern) == text }
