internal import CBase64
public import ReceiptFormat

/// Bytes that ranges point into: those of decoded lines, or what is kept of them.
/// Grows only where an estimate fell short.
@usableFromInline package struct ByteBuffer {
    @usableFromInline package internal(set) var octets: [UInt8] = []

    package init(capacity: Int) {
        octets.reserveCapacity(capacity)
    }

    /// The bytes written so far.
    @inlinable package var span: Span<UInt8> {
        @_lifetime(borrow self) get { octets.span }
    }

    /// Forgets what was appended since there were `count` bytes.
    mutating func truncate(to count: Int) {
        octets.removeSubrange(count...)
    }

    /// Appends bytes of `text`.
    package mutating func append(_ text: [UInt8], in range: Range<Int>) -> ByteRange {
        append(text.span, in: range)
    }

    /// The same of bytes that somebody lends.
    @inlinable package mutating func append(_ text: Span<UInt8>, in range: Range<Int>) -> ByteRange {
        let start = octets.count
        text.extracting(range).withUnsafeBufferPointer { octets.append(contentsOf: $0) }
        return ByteRange(offset: start, count: range.count)
    }

    /// Appends a part of another buffer; nil where there is none.
    package mutating func append(_ other: ByteBuffer, at range: ByteRange?) -> ByteRange? {
        range.map { append(other.span, in: $0.indices) }
    }

    /// Appends what base64 text decodes to (RFC 4648; any alphabet, padding and
    /// spacing); nil where it is no base64.
    package mutating func appendBase64(_ text: [UInt8], in range: Range<Int>) -> ByteRange? {
        appendBase64(text.span, in: range)
    }

    /// The same of bytes that somebody lends.
    package mutating func appendBase64(_ text: Span<UInt8>, in range: Range<Int>) -> ByteRange? {
        let start = octets.count
        var isBase64 = false
        octets.append(addingCapacity: receiptmill_base64_capacity(range.count)) { output in
            output.withUnsafeMutableBufferPointer { room, written in
                text.extracting(range).withUnsafeBufferPointer { characters in
                    guard let to = room.baseAddress, let from = characters.baseAddress else { return }
                    let count = receiptmill_base64_decode(from, characters.count, to)
                    isBase64 = count >= 0
                    written = max(count, 0)
                }
            }
        }
        return isBase64 ? ByteRange(offset: start, count: octets.count - start) : nil
    }

    /// Appends the octets of a string that stands here in several chunks.
    package mutating func appendBytes(of string: OctetString) throws(MalformedReceipt) -> ByteRange {
        var joined: [UInt8] = []
        try ByteReader(octets.span).appendBytes(of: string, to: &joined)
        return append(joined, in: joined.indices)
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inlinable
    package func part(_ range: ByteRange) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[range.indices])
    }

    /// The part at a range; nil for nil.
    @inlinable
    package func part(_ range: ByteRange?) -> UnsafeBufferPointer<UInt8>? { range.map { part($0) } }
}
