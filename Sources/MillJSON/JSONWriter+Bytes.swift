public import MillBytes

/// Appends bytes unchanged, as digits, or escaped.
///
/// All except single bytes are written through ``append(upTo:_:)``, which reserves memory for the maximum number of
/// bytes and passes it as a span. Each store is checked against the span's bounds, even in release builds. Stores write
/// up to eight bytes, so that the checks cost nothing measurable.
extension JSONWriter {
    @inlinable @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        start[count] = byte
        count += 1
    }

    /// Appends text that needs no escape.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append($0) }
    }

    @inlinable @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        append(upTo: bytes.count) { output in
            output.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(bytes)) }
            return bytes.count
        }
    }

    mutating func append(repeating byte: UInt8, count: Int) {
        for _ in 0..<count { append(byte) }
    }

    // MARK: Numbers and bytes as text

    package mutating func appendDigits(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        appendDigits(number.magnitude)
    }

    /// Appends a decimal number, with leading zeros up to `places` digits.
    package mutating func appendDigits(_ number: UInt64, places: Int = 1) {
        let digits = max(places, Self.digits(of: number))
        append(upTo: digits) { output in
            var (rest, index) = (number, digits)
            while index >= 2 {
                index -= 2
                let pair = UInt16(truncatingIfNeeded: rest % 100)
                rest /= 100
                let characters = (0x30 + pair / 10) << 8 | (0x30 + pair % 10)
                output.storeBytes(of: characters.bigEndian, toByteOffset: index, as: UInt16.self)
            }
            if index == 1 {
                let digit = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                output.storeBytes(of: digit, toByteOffset: 0, as: UInt8.self)
            }
            return digits
        }
    }

    private static func digits(of number: UInt64) -> Int {
        var (rest, count) = (number, 1)
        while rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        return count + (rest >= 10 ? 1 : 0) + (rest >= 100 ? 1 : 0) + (rest >= 1000 ? 1 : 0)
    }

    /// Appends two lower-case hexadecimal digits for each byte.
    @inlinable package mutating func appendHex(_ bytes: some Collection<UInt8>) {
        append(upTo: 2 * bytes.count) { output in
            var index = 0
            for byte in bytes {
                let digits = UInt16(Hex.digit(of: byte >> 4)) << 8 | UInt16(Hex.digit(of: byte & 15))
                output.storeBytes(of: digits.bigEndian, toByteOffset: index, as: UInt16.self)
                index += 2
            }
            return index
        }
    }

    /// Appends base64 (RFC 4648, 4), padded.
    package mutating func appendBase64(_ bytes: UnsafeBufferPointer<UInt8>) {
        let count = Base64.encodedCount(bytes.count)
        append(upTo: count) { output in
            Base64.encode(bytes.span, into: &output)
            return count
        }
    }

    // MARK: Inside a string

    package mutating func appendEscaped(_ text: String) {
        var text = text
        text.withUTF8 { appendEscaped($0) }
    }

    /// Appends UTF-8 as the inside of a JSON string, and escapes what RFC 8259 requires; bytes that are not valid UTF-8
    /// become U+FFFD.
    package mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        var plain = appendUnescaped(utf8)
        // Nearly every text has no character to escape and is complete here.
        if plain == utf8.count { return }
        var rest = utf8[...]
        while plain < rest.count {
            rest = rest.dropFirst(plain)
            guard let byte = rest.first, byte < 0x80 else {
                appendRepaired(rest)
                return
            }
            appendEscape(of: byte)
            rest = rest.dropFirst()
            plain = appendUnescaped(UnsafeBufferPointer(rebasing: rest))
        }
    }

    /// Appends the beginning of a text up to the first byte that needs an escape or a check.
    ///
    /// - Returns: the number of bytes appended.
    private mutating func appendUnescaped(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var plain = 0
        append(upTo: text.count) { output in
            let from = UnsafeRawBufferPointer(text)
            while plain + 8 <= text.count {
                let word = from.loadUnaligned(fromByteOffset: plain, as: UInt64.self)
                // Bytes stored after one that is not plain are overwritten later, or never counted.
                output.storeBytes(of: word, toByteOffset: plain, as: UInt64.self)
                let found = Self.marked(word)
                if found != 0 {
                    plain += UInt64(littleEndian: found).trailingZeroBitCount / 8
                    return plain
                }
                plain += 8
            }
            while plain < text.count, Self.isPlain(text[plain]) {
                output.storeBytes(of: text[plain], toByteOffset: plain, as: UInt8.self)
                plain += 1
            }
            return plain
        }
        return plain
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Marks bytes that are not plain by their high bits. The first mark in memory is exact; a later one may be on a
    /// plain byte, because subtraction carries.
    private static func marked(_ word: UInt64) -> UInt64 {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let word = UInt64(littleEndian: word)
        let quote = word ^ ones &* 0x22
        let backslash = word ^ ones &* 0x5c
        let control = (word &- ones &* 0x20) & ~word
        let others = (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
        // DEL and all non-ASCII bytes.
        let above = (word &+ ones) | word
        return UInt64(littleEndian: (control | others | above) & highs)
    }

    private mutating func appendEscape(of byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0a: append("\\n")
        case 0x0d: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            appendHex(CollectionOfOne(byte))
        }
    }

    /// Appends a text that begins with a non-ASCII byte. The standard library decides which bytes are UTF-8; the String
    /// costs memory, but few texts get here.
    private mutating func appendRepaired(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        var repaired = String(decoding: text, as: UTF8.self)
        repaired.withUTF8 { utf8 in
            for byte in utf8 {
                if byte >= 0x80 || Self.isPlain(byte) { append(byte) } else { appendEscape(of: byte) }
            }
        }
    }

    // MARK: Memory

    /// Reserves `most` bytes and passes them to `write`, which returns the number of bytes that it has written from the
    /// start.
    @inlinable @inline(__always)
    mutating func append(upTo most: Int, _ write: (inout MutableRawSpan) -> Int) {
        if capacity - count < most { grow(by: most) }
        var output = UnsafeMutableRawBufferPointer(start: start + count, count: most).mutableBytes
        let written = write(&output)
        precondition(0...most ~= written, "more bytes than were reserved")
        count += written
    }

    @usableFromInline @inline(never)
    mutating func grow(by most: Int) {
        capacity = max(2 * capacity, count + most)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }
}
