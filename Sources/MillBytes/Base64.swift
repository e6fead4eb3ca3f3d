internal import CBase64

/// Base64 (RFC 4648), in the forms in which documents and lines hold it.
package enum Base64 {
    /// The six bits that a digit of either alphabet stands for (RFC 4648, 4 and 5); nil for another
    /// character.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    // MARK: Decoding

    /// Appends the bytes that base64 in a range stands for: of either alphabet, padded or not, with
    /// white space anywhere.
    ///
    /// - Returns: false where the range is empty or holds no base64; nothing is appended then.
    package static func append(_ text: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) -> Bool {
        !range.isEmpty && append(text, in: range, to: &output, receiptmill_base64_decode)
    }

    /// Appends the bytes that base64url in a range stands for, as JWS writes it: in the URL-safe
    /// alphabet, without padding and white space, unused bits zero (RFC 7515, 2).
    ///
    /// - Returns: false where the range holds other text; nothing is appended then.
    package static func appendURL(_ text: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) -> Bool {
        append(text, in: range, to: &output, receiptmill_base64url_decode)
    }

    /// The decoder writes whole vectors, so it gets more memory after `output` than the bytes need.
    @inline(__always)
    private static func append(
        _ text: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8],
        _ decode: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> Int
    ) -> Bool {
        var count = 0
        output.append(addingCapacity: receiptmill_base64_capacity(range.count)) { output in
            output.withUnsafeMutableBufferPointer { free, written in
                text.extracting(range).withUnsafeBufferPointer { characters in
                    guard let start = characters.baseAddress else { return }
                    count = decode(start, characters.count, free.baseAddress)
                    written = max(count, 0)
                }
            }
        }
        return count >= 0
    }

    /// The bytes of padded text of the standard alphabet, without white space, unused bits zero, as
    /// `x5c` holds certificates (RFC 7515, 4.1.6); nil for other text, and for an empty range.
    package static func canonicalBytes(_ text: Span<UInt8>, in range: Range<Int>) -> [UInt8]? {
        guard range.count.isMultiple(of: 4), !range.isEmpty else { return nil }
        var end = range.upperBound
        while end > range.lowerBound, range.upperBound - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        var characters: [UInt8] = []
        characters.reserveCapacity(range.count)
        for index in range.lowerBound..<end {
            switch text[index] {
            case UInt8(ascii: "+"): characters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): characters.append(UInt8(ascii: "_"))
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            case let other: characters.append(other)
            }
        }
        var bytes: [UInt8] = []
        return appendURL(characters.span, in: characters.indices, to: &bytes) ? bytes : nil
    }

    // MARK: Encoding

    /// The number of characters that ``encode(_:into:)`` writes.
    package static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Writes padded text of the standard alphabet, from the first byte of `output` on.
    package static func encode(_ bytes: Span<UInt8>, into output: inout MutableRawSpan) {
        var (start, written) = (0, 0)
        while start + 3 <= bytes.count {
            let group = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
            let first = character(group >> 18) << 24 | character(group >> 12) << 16
            let characters = first | character(group >> 6) << 8 | character(group)
            output.storeBytes(of: characters.bigEndian, toByteOffset: written, as: UInt32.self)
            (start, written) = (start + 3, written + 4)
        }
        guard start < bytes.count else { return }
        // One byte or two are left, and padding stands for the others.
        let padding = UInt32(UInt8(ascii: "="))
        let hasTwo = start + 2 == bytes.count
        let group = UInt32(bytes[start]) << 16 | (hasTwo ? UInt32(bytes[start + 1]) << 8 : 0)
        let first = character(group >> 18) << 24 | character(group >> 12) << 16
        let characters = first | (hasTwo ? character(group >> 6) : padding) << 8 | padding
        output.storeBytes(of: characters.bigEndian, toByteOffset: written, as: UInt32.self)
    }

    /// The padded text of the standard alphabet for some bytes.
    package static func text(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: encodedCount(bytes.count))
        var span = text.mutableSpan
        var output = span.mutableBytes
        encode(bytes.span, into: &output)
        return text
    }

    /// The character of the alphabet for the lowest six bits of a number.
    @inline(__always)
    private static func character(_ bits: UInt32) -> UInt32 { UInt32(alphabet.utf8Start[Int(bits & 63)]) }

    private static var alphabet: StaticString { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" }
}
