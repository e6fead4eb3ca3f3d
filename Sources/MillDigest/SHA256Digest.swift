internal import MillBytes

/// A SHA-256 digest, which identifies receipts, archives and certificates.
public struct SHA256Digest: Sendable, Hashable, Comparable {
    /// The digest as four big-endian integers, which have the same order as the bytes.
    @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64)

    /// The size of a digest in bytes.
    public static let count = 32

    /// The digest in the first 32 bytes of `bytes`; nil if there are fewer.
    public init?(bytes: some Sequence<UInt8>) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var count = 0
        for byte in bytes.prefix(Self.count) {
            switch count / 8 {
            case 0: words.0 = words.0 << 8 | UInt64(byte)
            case 1: words.1 = words.1 << 8 | UInt64(byte)
            case 2: words.2 = words.2 << 8 | UInt64(byte)
            default: words.3 = words.3 << 8 | UInt64(byte)
            }
            count += 1
        }
        guard count == Self.count else { return nil }
        self.words = words
    }

    /// The first eight bytes as a big-endian integer.
    @inlinable public var leadingWord: UInt64 { words.0 }

    /// Reads 64 hexadecimal digits, which colons may separate; nil for any other text.
    public init?(hex: some StringProtocol) {
        // Bytes are compared, because a character may be as long as the text, and full-width digits must not count.
        let digits = hex.utf8.filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 2 * Self.count, let bytes = Hex.bytes(digits.span, in: digits.indices) else { return nil }
        self.init(bytes: bytes)
    }

    /// The digest's 32 bytes.
    public var bytes: [UInt8] {
        withBytes { Array($0) }
    }

    /// Calls `body` with the digest's 32 bytes.
    ///
    /// - Throws: any error of `body`.
    public func withBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let ordered = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
        return try withUnsafeBytes(of: ordered) { (bytes) throws(Failure) in try body(bytes) }
    }

    /// The digest as 64 lower-case hexadecimal digits.
    public var hex: String { Hex.text(bytes) }

    /// Whether two digests have the same bytes.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.words == right.words
    }

    /// Whether the bytes of one digest come before those of the other.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        left.words < right.words
    }

    /// Hashes all bytes, because an attacker may choose digests that are partly equal. The hasher's seed prevents
    /// collisions of chosen digests.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}
