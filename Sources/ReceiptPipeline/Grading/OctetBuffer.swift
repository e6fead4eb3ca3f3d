internal import CBase64
internal import ReceiptFormat

/// The bytes that a batch's ranges point into: decoded receipts, and the texts
/// that are kept of their lines. Grows only where an estimate fell short.
struct OctetBuffer {
    private(set) var octets: [UInt8]
    private var used = 0

    init(capacity: Int) {
        octets = [UInt8](repeating: 0, count: capacity)
    }

    /// The bytes written so far and the room after them.
    var span: Span<UInt8> {
        @_lifetime(borrow self) get { octets.span }
    }

    private mutating func reserve(_ count: Int) {
        guard octets.count - used < count else { return }
        octets.append(contentsOf: repeatElement(0, count: max(count, octets.count / 2)))
    }

    /// Appends bytes of `text`.
    mutating func append(_ text: [UInt8], in range: Range<Int>) -> ByteRange {
        reserve(range.count)
        octets.withUnsafeMutableBufferPointer { room in
            text.withUnsafeBufferPointer { bytes in
                _ = room[used...].update(fromContentsOf: bytes[range])
            }
        }
        defer { used += range.count }
        return ByteRange(offset: used, count: range.count)
    }

    /// Appends what base64 text decodes to (RFC 4648; any alphabet, padding and
    /// spacing); nil where it is no base64.
    mutating func appendBase64(_ text: [UInt8], in range: Range<Int>) -> ByteRange? {
        reserve(receiptmill_base64_capacity(range.count))
        let start = used
        let count = text.span.extracting(range).withUnsafeBufferPointer { characters in
            octets.withUnsafeMutableBufferPointer { room -> Int in
                guard let to = room.baseAddress, let from = characters.baseAddress else { return 0 }
                return receiptmill_base64_decode(from, characters.count, to + start)
            }
        }
        guard count >= 0 else { return nil }
        used += count
        return ByteRange(offset: start, count: count)
    }

    /// Appends the octets of a string that stands here in several chunks.
    mutating func appendOctets(of string: OctetString) throws(MalformedReceipt) -> ByteRange {
        var joined: [UInt8] = []
        try ByteReader(octets.span).appendOctets(of: string, to: &joined)
        return append(joined, in: joined.indices)
    }
}
