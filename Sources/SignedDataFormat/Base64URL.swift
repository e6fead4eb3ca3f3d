internal import CBase64
internal import ReceiptFormat

/// Base64url as JWS writes it: one alphabet, no padding, no white space, unused bits
/// zero (RFC 7515, 2).
package enum Base64URL {
    /// Appends what a range of characters decodes to.
    ///
    /// - Returns: false where they are no base64url; nothing is appended then.
    package static func append(_ text: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) -> Bool {
        var isDecoded = false
        output.append(addingCapacity: receiptmill_base64_capacity(range.count)) { span in
            span.withUnsafeMutableBufferPointer { room, written in
                text.extracting(range).withUnsafeBufferPointer { characters in
                    guard let to = room.baseAddress else { return }
                    guard let from = characters.baseAddress else {
                        isDecoded = true
                        return
                    }
                    let count = receiptmill_base64url_decode(from, characters.count, to)
                    isDecoded = count >= 0
                    written = max(count, 0)
                }
            }
        }
        return isDecoded
    }

    /// The bytes of one certificate of `x5c`: base64 of the standard alphabet, padded
    /// (RFC 7515, 4.1.6); nil for other text.
    static func certificate(_ text: Span<UInt8>, in range: Range<Int>) -> [UInt8]? {
        guard range.count.isMultiple(of: 4), !range.isEmpty else { return nil }
        var characters: [UInt8] = []
        characters.reserveCapacity(range.count)
        var end = range.upperBound
        while end > range.lowerBound, range.upperBound - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        for index in range.lowerBound..<end {
            switch text[index] {
            case UInt8(ascii: "+"): characters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): characters.append(UInt8(ascii: "_"))
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            case let other: characters.append(other)
            }
        }
        var der: [UInt8] = []
        return append(characters.span, in: characters.indices, to: &der) ? der : nil
    }
}
