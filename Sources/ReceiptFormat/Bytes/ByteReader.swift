/// A cursor over borrowed bytes that checks bounds for all parsers.
///
/// Reading moves `position` towards `end`. Nothing is copied or retained, and the compiler ensures that the cursor does
/// not outlive the bytes.
public struct ByteReader: ~Escapable {
    /// The whole buffer; `position..<end` is still to be read.
    @usableFromInline let bytes: Span<UInt8>
    /// The offset of the next byte in the whole buffer.
    public private(set) var position: Int
    /// The offset after the last byte that may be read, at most ``maximumBufferCount``, so that ranges of read bytes
    /// need no check.
    public let end: Int

    /// The size in bytes of the largest buffer that ``ByteRange`` can describe.
    public static var maximumBufferCount: Int { Int(UInt32.max) }

    /// A cursor over a range of `bytes`; a range that exceeds them is cut.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>, in range: ByteRange) {
        self.bytes = bytes
        end = min(range.end, bytes.count, Self.maximumBufferCount)
        position = min(range.offset, end)
    }

    /// A cursor over all of `bytes`, up to ``maximumBufferCount``.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) {
        self.init(bytes, in: ByteRange(offset: 0, count: min(bytes.count, Self.maximumBufferCount)))
    }

    /// A cursor over a range of the same buffer.
    @_lifetime(copy self)
    public func reader(in range: ByteRange) -> ByteReader {
        ByteReader(bytes, in: range)
    }

    /// Whether everything has been read.
    public var isAtEnd: Bool { position >= end }
    /// The number of bytes that are still to be read.
    public var remaining: Int { end - position }

    /// The next byte, without reading it; nil at the end.
    public var next: UInt8? { position < end ? bytes[position] : nil }

    /// The byte at an offset of the whole buffer, which must be within it.
    public subscript(offset: Int) -> UInt8 { bytes[offset] }

    /// Reads one byte.
    ///
    /// - Throws: `.truncated` at the end.
    @_lifetime(self: copy self)
    public mutating func readByte() throws(MalformedReceipt) -> UInt8 {
        guard position < end else { throw MalformedReceipt(.truncated, at: position) }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads the next element if its length is in one byte and its content ends before the end, as for nearly all
    /// elements of a receipt; otherwise nothing is read.
    @inline(__always) @_lifetime(self: copy self)
    mutating func readShortElement() -> Element? {
        // The two header bytes and the content end at or before `end`, and so within the bytes. The reads need no
        // further check.
        guard end - position >= 2 else { return nil }
        let tag = unsafe bytes[unchecked: position]
        let count = Int(unsafe bytes[unchecked: position + 1])
        guard count < 0x80, count <= end - position - 2, tag & Tag.tagNumberMask != Tag.tagNumberMask else {
            return nil
        }
        defer { position += 2 + count }
        return Element(
            tag: tag, content: ByteRange(within: position + 2, count: count),
            whole: ByteRange(within: position, count: 2 + count))
    }

    /// Reads the next element if it is an INTEGER of one or two bytes; otherwise nothing is read.
    @inline(__always) @_lifetime(self: copy self)
    mutating func readSmallInteger() -> Int64? {
        guard end - position >= 4, unsafe bytes[unchecked: position] == Tag.integer else { return nil }
        let first = unsafe Int64(Int8(bitPattern: bytes[unchecked: position + 2]))
        switch unsafe bytes[unchecked: position + 1] {
        case 1:
            position += 3
            return first
        case 2:
            defer { position += 4 }
            return unsafe first << 8 | Int64(bytes[unchecked: position + 3])
        default: return nil
        }
    }

    /// Moves past `count` bytes and returns their range.
    ///
    /// - Throws: `.truncated` if fewer bytes remain, or `count` is negative.
    @_lifetime(self: copy self)
    public mutating func readBytes(_ count: Int) throws(MalformedReceipt) -> ByteRange {
        guard count >= 0, count <= end - position else {
            throw MalformedReceipt(.truncated, at: position)
        }
        let range = ByteRange(within: position, count: count)
        position += count
        return range
    }

    /// Requires that everything has been read.
    ///
    /// - Throws: `.trailingBytes` if bytes remain.
    public func requireEnd() throws(MalformedReceipt) {
        guard isAtEnd else { throw MalformedReceipt(.trailingBytes, at: position) }
    }

    /// The kinds of ranges that ``asciiKind(of:)`` distinguishes.
    enum ASCIIKind {
        /// The bytes are all from 1 to 127.
        case plain
        /// A byte is NUL, or the range exceeds the buffer.
        case withNUL
        /// Some bytes are above 127, and none is NUL.
        case beyond
    }

    /// Whether the bytes of a range are ASCII, examined eight at a time.
    func asciiKind(of range: ByteRange) -> ASCIIKind {
        guard range.end <= bytes.count else { return .withNUL }
        let ones: UInt64 = 0x0101_0101_0101_0101
        var bits: UInt64 = 0
        // Subtracting one from a zero byte borrows into its high bit.
        var zeros: UInt64 = 0
        var offset = range.offset
        // The loads end at or before the range's end, and so within the bytes.
        while range.end - offset >= 8 {
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
            bits |= word
            zeros |= (word &- ones) & ~word
            offset += 8
        }
        while offset < range.end {
            let byte = unsafe UInt64(bytes[unchecked: offset])
            bits |= byte
            zeros |= (byte &- 1) & ~byte & 0x80
            offset += 1
        }
        if zeros & ones << 7 != 0 { return .withNUL }
        return bits & ones << 7 == 0 ? .plain : .beyond
    }

    /// Whether the bytes of a range equal those of a literal; false if the range exceeds the buffer.
    public func matches(_ range: ByteRange, _ expected: StaticString) -> Bool {
        range.end <= bytes.count
            && expected.withUTF8Buffer { ByteSearch.isEqual(bytes.extracting(range.indices), $0.span) }
    }

    /// Whether two ranges contain the same bytes; false if one exceeds the buffer.
    public func equal(_ range: ByteRange, _ other: ByteRange) -> Bool {
        max(range.end, other.end) <= bytes.count
            && ByteSearch.isEqual(bytes.extracting(range.indices), bytes.extracting(other.indices))
    }

    /// Whether the bytes of a range equal those of an array; false if the range exceeds the buffer.
    public func matches(_ range: ByteRange, _ expected: [UInt8]) -> Bool {
        range.end <= bytes.count && ByteSearch.isEqual(bytes, range.indices, expected)
    }
}
