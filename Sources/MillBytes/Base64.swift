internal import CBase64

/// Base64 (RFC 4648), in the forms in which documents and lines contain it.
package enum Base64 {
    /// The six bits that a digit of either alphabet means (RFC 4648, 4 and 5); nil for any other character.
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

    /// Appends the decoded bytes of base64 in a range: in either alphabet, padded or not, with white space anywhere.
    ///
    /// - Returns: false if the range is empty or is not base64; nothing is appended then.
    package static func append(_ text: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) -> Bool {
        !range.isEmpty && append(text, in: range, to: &output, receiptmill_base64_decode)
    }

    /// Appends the decoded bytes of base64url in a range, in the form that JWS requires: URL-safe alphabet, no padding,
    /// no white space, unused bits zero (RFC 7515, 2).
    ///
    /// - Returns: false if the range is any other text; nothing is appended then.
    package static func appendURL(_ text: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) -> Bool {
        append(text, in: range, to: &output, receiptmill_base64url_decode)
    }

    /// The decoder writes whole vectors, so `output` gets more memory than the bytes need.
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

    /// The decoded bytes of padded text in the standard alphabet, without white space and with unused bits zero, as in
    /// `x5c` (RFC 7515, 4.1.6); nil for any other text, and for an empty range.
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

    /// Writes padded text in the standard alphabet, starting at the first byte of `output`.
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
        // One or two bytes are left; padding replaces the missing ones.
        let padding = UInt32(UInt8(ascii: "="))
        let hasTwo = start + 2 == bytes.count
        let group = UInt32(bytes[start]) << 16 | (hasTwo ? UInt32(bytes[start + 1]) << 8 : 0)
        let first = character(group >> 18) << 24 | character(group >> 12) << 16
        let characters = first | (hasTwo ? character(group >> 6) : padding) << 8 | padding
        output.storeBytes(of: characters.bigEndian, toByteOffset: written, as: UInt32.self)
    }

    /// The base64 of some bytes, padded, in the standard alphabet.
    package static func text(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: encodedCount(bytes.count))
        var span = text.mutableSpan
        var output = span.mutableBytes
        encode(bytes.span, into: &output)
        return text
    }

    /// The base64 character for the lowest six bits of a number.
    @inline(__always)
    private static func character(_ bits: UInt32) -> UInt32 { UInt32(alphabet.utf8Start[Int(bits & 63)]) }

    private static var alphabet: StaticString { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" }
}
