public import ReceiptFormat

/// The raw bytes that identify a device: 16 of identifierForVendor, or the 6 of
/// a MAC address.
public struct DeviceIdentifier: Sendable, Hashable {
    /// The identifier's octets, at the start of a fixed room.
    @usableFromInline var octets: (UInt64, UInt64) = (0, 0)
    public let count: Int

    /// Octets of a UUID and of a MAC address: no other device identifier exists,
    /// and taking other lengths would make mismatches out of mistakes.
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
        if let bytes = Self.separated(text, range) ?? Self.hexadecimal(text, range) ?? Self.base64(text, range) {
            self.init(bytes)
        } else {
            return nil
        }
    }

    /// Without white space around it, and the braces that some write around UUIDs.
    private static func trimmed(_ text: Span<UInt8>, _ range: ByteRange) -> ByteRange {
        var (start, end) = (range.offset, range.end)
        while start < end, text[start] == UInt8(ascii: " ") || text[start] == UInt8(ascii: "\t") { start += 1 }
        while end > start, text[end - 1] == UInt8(ascii: " ") || text[end - 1] == UInt8(ascii: "\t") { end -= 1 }
        if end - start == 38, text[start] == UInt8(ascii: "{"), text[end - 1] == UInt8(ascii: "}") {
            (start, end) = (start + 1, end - 1)
        }
        return ByteRange(offset: start, count: end - start)
    }

    /// Takes 16 or 6 raw bytes; nil for another number.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.lengths.uuid || bytes.count == Self.lengths.mac else { return nil }
        count = bytes.count
        withUnsafeMutableBytes(of: &octets) { room in
            for (index, byte) in bytes.enumerated() { room[index] = byte }
        }
    }

    /// Sixteen zero bytes: what the store hashes for receipts that it gives to
    /// a server.
    public static let server = DeviceIdentifier(count: 16)

    private init(count: Int) { self.count = count }

    /// The identifier's bytes, at the start of a room of sixteen.
    func withBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBytes(of: octets) { (room) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
    }

    /// The canonical form of a UUID, which nearly all submissions hold, read
    /// without making arrays of its groups.
    private static func uuid(_ text: Span<UInt8>, _ range: ByteRange) -> DeviceIdentifier? {
        guard range.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for place in 0..<36 {
            let byte = text[range.offset + place]
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexValue(byte) else { return nil }
            if digits < 16 {
                words.0 = words.0 << 4 | UInt64(digit)
            } else {
                words.1 = words.1 << 4 | UInt64(digit)
            }
            digits += 1
        }
        var device = DeviceIdentifier(count: lengths.uuid)
        device.octets = (words.0.bigEndian, words.1.bigEndian)
        return device
    }

    /// Hexadecimal digits in groups: a UUID's five, or a MAC address's six of
    /// one or two digits or three of four.
    private static func separated(_ text: Span<UInt8>, _ range: ByteRange) -> [UInt8]? {
        var groups: [[UInt8]] = [[]]
        var separator: UInt8?
        for index in range.indices {
            let byte = text[index]
            if let digit = hexValue(byte) {
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
        case 5 where counts == [8, 4, 4, 4, 12]: return pairs(groups.flatMap { $0 })
        case 3 where counts == [4, 4, 4]: return pairs(groups.flatMap { $0 })
        case 6 where counts.allSatisfy { $0 == 1 || $0 == 2 }:
            return groups.map { $0.count == 1 ? $0[0] : $0[0] << 4 | $0[1] }
        default: return nil
        }
    }

    private static func hexadecimal(_ text: Span<UInt8>, _ range: ByteRange) -> [UInt8]? {
        guard range.count == 2 * lengths.uuid || range.count == 2 * lengths.mac else { return nil }
        var digits: [UInt8] = []
        for index in range.indices {
            guard let digit = hexValue(text[index]) else { return nil }
            digits.append(digit)
        }
        return pairs(digits)
    }

    private static func pairs(_ digits: [UInt8]) -> [UInt8] {
        stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Standard or URL-safe alphabet, padded or not (RFC 4648).
    private static func base64(_ text: Span<UInt8>, _ range: ByteRange) -> [UInt8]? {
        var end = range.end
        while end > range.offset, range.end - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for index in range.offset..<end {
            guard let value = base64Value(text[index]) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return count < 6 && (bytes.count == lengths.uuid || bytes.count == lengths.mac) ? bytes : nil
    }

    private static func base64Value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.octets == right.octets
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(octets.0)
        hasher.combine(octets.1)
    }
}
