/// A text that was written by a stranger: a text in a document or a line, or its copy in a database.
///
/// Equality, hash and order use the UTF-8 bytes, in linear time. `String` uses canonical equivalence. There, é equals e
/// with a combining accent, although Apple treats these as two identifiers, and comparing takes quadratic time for
/// combining characters, of which a line may contain a million. So a text of a document must never be compared as a
/// `String`, nor be a dictionary's key as one.
public struct DocumentText: Sendable {
    /// The text, to be shown or written.
    public let string: String

    /// Creates a text from bytes that were already decoded.
    public init(_ string: String) {
        var string = string
        string.makeContiguousUTF8()
        self.string = string
    }

    /// Decodes UTF-8; ill-formed sequences become U+FFFD.
    public init(decoding bytes: some Collection<UInt8>) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// The text's bytes in UTF-8.
    public var utf8: String.UTF8View { string.utf8 }
    /// Whether the text has no bytes.
    public var isEmpty: Bool { string.isEmpty }
}

extension DocumentText: Hashable, Comparable {
    /// Whether two texts have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    /// Whether the bytes of one text come before those of the other.
    public static func < (left: Self, right: Self) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    /// Hashes also the number of bytes, so that the same bytes divided differently between two texts have another hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension DocumentText: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// Creates a text from a literal, to be compared with a document's.
    public init(stringLiteral text: String) { self.init(text) }

    /// The text, as interpolations show it.
    public var description: String { string }
}

/// Whether a text equals a pattern byte for byte, so that `switch` can compare a document's text
/// with raw values.
public func ~= (pattern: String, text: DocumentText) -> Bool { DocumentText(pattern) == text }
