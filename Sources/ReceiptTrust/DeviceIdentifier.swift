internal import MillBytes
public import ReceiptFormat

/// The raw bytes that identify a device: the 16 of identifierForVendor, or the 6 of
/// a MAC address.
public struct DeviceIdentifier: Sendable, Hashable {
    /// The identifier's bytes in memory, zero after ``count``.
    @usableFromInline var words: (UInt64, UInt64) = (0, 0)
    /// The number of bytes, 16 or 6.
    public let count: Int

    /// The sizes in bytes of a UUID and of a MAC address. Apple uses no others, and accepting others would turn
    /// malformed identifiers into mismatches.
    private static let lengths = (uuid: 16, mac: 6)

    /// Reads a UUID, a MAC address in any usual notation (`00:17:f2:c4:bc:c0`,
    /// `0:17:F2:…`, `00-17-…`, `0017.f2c4.bcc0`), or hexadecimal or base64 of the
    /// raw bytes; nil for anything else.
    public init?(parsing text: Span<UInt8>, in range: ByteRange) {
        guard range.count <= 64 else { return nil }
        let range = Self.trimmed(text, range)
        if let device = Self.uuid(text, range) {
            self = device
            return
        }
        if let bytes = Self.hexadecimal(text, range) ?? Self.base64(text, range) {
            self.init(bytes)
        } else {
            return nil
        }
    }

    /// Reads the canonical form of a UUID (RFC 9562, 4) and no other notation.
    public init?(uuid text: Span<UInt8>, in range: ByteRange) {
        guard let uuid = Self.uuid(text, range) else { return nil }
        self = uuid
    }

    /// The range without surrounding white space, and without braces around a UUID.
    private static func trimmed(_ text: Span<UInt8>, _ range: ByteRange) -> ByteRange {
        var (start, end) = (range.offset, range.end)
        while start < end, text[start] == UInt8(ascii: " ") || text[start] == UInt8(ascii: "\t") { start += 1 }
        while end > start, text[end - 1] == UInt8(ascii: " ") || text[end - 1] == UInt8(ascii: "\t") { end -= 1 }
        if end - start == 38, text[start] == UInt8(ascii: "{"), text[end - 1] == UInt8(ascii: "}") {
            (start, end) = (start + 1, end - 1)
        }
        return ByteRange(offset: start, count: end - start)
    }

    /// The identifier of 16 or 6 raw bytes; nil for another count.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.lengths.uuid || bytes.count == Self.lengths.mac else { return nil }
        count = bytes.count
        withUnsafeMutableBytes(of: &words) { buffer in
            for (index, byte) in bytes.enumerated() { buffer[index] = byte }
        }
    }

    package var bytes: [UInt8] { withBytes { Array($0) } }

    /// Sixteen zero bytes, which Apple hashes for receipts that it gives to a server.
    public static let server = DeviceIdentifier(count: 16)

    private init(count: Int) { self.count = count }

    func withBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBytes(of: words) { (buffer) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Reads the canonical form of a UUID, which nearly all submissions have, without creating arrays of its groups.
    private static func uuid(_ text: Span<UInt8>, _ range: ByteRange) -> DeviceIdentifier? {
        guard range.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for index in 0..<36 {
            let byte = text[range.offset + index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Hex.value(of: byte) else { return nil }
            if digits < 16 {
                words.0 = words.0 << 4 | UInt64(digit)
            } else {
                words.1 = words.1 << 4 | UInt64(digit)
            }
            digits += 1
        }
        var device = DeviceIdentifier(count: lengths.uuid)
        device.words = (words.0.bigEndian, words.1.bigEndian)
        return device
    }

    /// Reads hexadecimal digits: all in one group, in a UUID's five, or in a MAC address's six of one or two digits or
    /// three of four.
    private static func hexadecimal(_ text: Span<UInt8>, _ range: ByteRange) -> [UInt8]? {
        var groups: [[UInt8]] = [[]]
        var separator: UInt8?
        for index in range.indices {
            let byte = text[index]
            if let digit = Hex.value(of: byte) {
                groups[groups.count - 1].append(digit)
            } else if byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: " ")
            {
                guard separator == nil || separator == byte, groups.count < 6 else { return nil }
                separator = byte
                groups.append([])
            } else {
                return nil
            }
        }
        let counts = groups.map(\.count)
        switch groups.count {
        case 1 where counts == [2 * lengths.uuid] || counts == [2 * lengths.mac]: return pairs(groups[0])
        case 5 where counts == [8, 4, 4, 4, 12]: return pairs(groups.flatMap { $0 })
        case 3 where counts == [4, 4, 4]: return pairs(groups.flatMap { $0 })
        case 6 where counts.allSatisfy { $0 == 1 || $0 == 2 }:
            return groups.map { $0.count == 1 ? $0[0] : $0[0] << 4 | $0[1] }
        default: return nil
        }
    }

    private static func pairs(_ digits: [UInt8]) -> [UInt8] {
        stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Reads base64 of 16 or 6 bytes in the standard or the URL-safe alphabet, padded
    /// or not (RFC 4648).
    private static func base64(_ text: Span<UInt8>, _ range: ByteRange) -> [UInt8]? {
        var end = range.end
        while end > range.offset, range.end - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let digits = range.offset..<end
        var bytes: [UInt8] = []
        guard digits.allSatisfy({ Base64.value(of: text[$0]) != nil }), Base64.append(text, in: digits, to: &bytes)
        else { return nil }
        return bytes.count == lengths.uuid || bytes.count == lengths.mac ? bytes : nil
    }

    /// Whether two identifiers have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.words == right.words
    }

    /// Hashes the identifier's bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}
