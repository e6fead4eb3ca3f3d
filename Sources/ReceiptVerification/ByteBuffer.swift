internal import MillBytes
public import ReceiptFormat

/// A buffer to which ranges refer: the bytes of decoded lines, or the parts of them that are stored. The buffer grows
/// only if an estimate was too small.
@usableFromInline package struct ByteBuffer {
    @usableFromInline package internal(set) var bytes: [UInt8] = []

    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// The bytes written so far.
    @inlinable package var span: Span<UInt8> {
        @_lifetime(borrow self) get { bytes.span }
    }

    /// Removes all bytes after the first `count`.
    mutating func truncate(to count: Int) {
        bytes.removeSubrange(count...)
    }

    package mutating func append(_ whole: [UInt8]) -> ByteRange { append(whole.span, in: whole.indices) }

    @inlinable package mutating func append(_ text: Span<UInt8>, in range: Range<Int>) -> ByteRange {
        let start = bytes.count
        text.extracting(range).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        return ByteRange(offset: start, count: range.count)
    }

    /// Appends a part of another buffer; returns nil if the range is nil.
    package mutating func append(_ other: ByteBuffer, at range: ByteRange?) -> ByteRange? {
        range.map { append(other.span, in: $0.indices) }
    }

    /// Appends the bytes that a base64 text encodes (RFC 4648; any alphabet, padding and spacing); returns nil if the
    /// text is not base64.
    package mutating func appendBase64(_ text: Span<UInt8>, in range: Range<Int>) -> ByteRange? {
        let start = bytes.count
        guard Base64.append(text, in: range, to: &bytes) else { return nil }
        return ByteRange(offset: start, count: bytes.count - start)
    }

    /// Appends the joined content of a string that is in this buffer in several chunks.
    package mutating func appendBytes(of string: OctetString) throws(MalformedReceipt) -> ByteRange {
        var joined: [UInt8] = []
        try ByteReader(bytes.span).appendBytes(of: string, to: &joined)
        return append(joined)
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inlinable
    package func part(_ range: ByteRange) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[range.indices])
    }

    /// The part at a range; nil if the range is nil.
    @inlinable
    package func part(_ range: ByteRange?) -> UnsafeBufferPointer<UInt8>? { range.map { part($0) } }
}
