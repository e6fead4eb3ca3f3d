internal import CZlib

/// Reads a gzip member's header (RFC 1952, 2.3), however it is split into pieces.
///
/// Inflaters read headers, too, but between two pieces of input ISA-L forgets which optional fields are still to come.
/// It would report an intact member as damaged if its header is split between two reads. So ``plain`` is passed to
/// inflaters instead of the file's header.
struct GzipHeader {
    /// A header without optional fields.
    static let plain: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]

    private enum HeaderField {
        case fixed, extraLength, extra, name, comment, checksum, none
    }

    /// The fields in their order, with the flags that announce them.
    private static let order: [(field: HeaderField, flag: UInt8)] = [
        (.fixed, 0), (.extraLength, 4), (.extra, 0), (.name, 8), (.comment, 16), (.checksum, 2),
    ]
    private static let reservedFlags: UInt8 = 0xe0

    private var field = HeaderField.fixed
    /// The number of bytes of the current field that were read.
    private var count = 0
    private var flags: UInt8 = 0
    /// A value of two bytes, the least significant first: the extra field's length, or the
    /// checksum.
    private var number = 0
    private var crc: UInt = 0

    var isComplete: Bool { field == .none }

    /// Reads the next bytes of the header, and stops at its end.
    ///
    /// - Parameter consumed: a count to which the bytes that belong to the header are added.
    /// - Returns: the header's fault in zlib's words; nil if there is none.
    mutating func read(_ bytes: Span<UInt8>, consumed: inout Int) -> String? {
        for index in bytes.indices {
            if isComplete { break }
            var byte = bytes[index]
            consumed += 1
            if field != .checksum { crc = crc32(crc, &byte, 1) }
            if let fault = take(byte) { return fault }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) -> String? {
        count += 1
        switch field {
        case .fixed:
            switch count {
            case 1 where byte != 0x1f, 2 where byte != 0x8b: return "incorrect header check"
            case 3 where byte != 8: return "unknown compression method"
            case 4:
                // Reserved bits must be zero.
                guard byte & Self.reservedFlags == 0 else { return "unknown header flags set" }
                flags = byte
            case Self.plain.count: begin(after: .fixed)
            default: break
            }
        case .extraLength:
            number |= Int(byte) << (8 * (count - 1))
            if count == 2 {
                if number == 0 { begin(after: .extra) } else { (field, count) = (.extra, 0) }
            }
        case .extra: if count == number { begin(after: .extra) }
        case .name: if byte == 0 { begin(after: .name) }
        case .comment: if byte == 0 { begin(after: .comment) }
        case .checksum:
            number |= Int(byte) << (8 * (count - 1))
            if count == 2 {
                guard number == Int(crc & 0xffff) else { return "header crc mismatch" }
                begin(after: .checksum)
            }
        case .none: break
        }
        return nil
    }

    /// Begins the next field that the flags announce.
    private mutating func begin(after last: HeaderField) {
        (count, number) = (0, 0)
        let behind = Self.order.drop { $0.field != last }.dropFirst()
        field = behind.first { flags & $0.flag != 0 }?.field ?? .none
    }
}
