internal import MillBytes
internal import MillJSON
internal import ReceiptFormat

/// Tells documents of the store from other texts, under keys that hold either.
///
/// Only the beginning decides, so that a document that is cut short, or altered behind its beginning, is rejected and
/// not passed over.
enum DocumentBeginning {
    /// The number of characters that are looked at. The store's headers begin with `alg` and `x5c`; the first key of a
    /// property list may stand behind a comment.
    private static let length = 1_024
    private static let certificates = KeyTable(["x5c"])

    /// Whether a text begins like base64 of a PKCS#7 container or of a property list, or like a JWS whose header has
    /// the member `x5c`.
    static func matches(_ bytes: Span<UInt8>, in text: Range<Int>) -> Bool {
        let head = decoded(bytes, text.prefix(length))
        let reader = ByteReader(head.span)
        return reader.beginsWithContainer || reader.beginsWithPropertyList || isHeader(head)
    }

    /// Whether a text begins as a JSON object with the member `x5c`, in which a JWS holds its certificates (RFC 7515,
    /// 4.1.6). Tokens of sessions have none.
    private static func isHeader(_ head: [UInt8]) -> Bool {
        var cursor = JSONCursor(head.span, in: head.indices, mayHoldControls: true)
        cursor.skipWhitespace()
        var isFirst = true
        do throws(InvalidJSON) {
            while let key = try cursor.nextKey(&isFirst) {
                if key.number(in: certificates, head.span) != nil { return true }
                _ = try cursor.readValue(depth: 1)
            }
        } catch {
            // Other text is no header.
        }
        return false
    }

    /// The bytes that base64 of either alphabet stands for, up to the first other character.
    private static func decoded(_ bytes: Span<UInt8>, _ text: Range<Int>) -> [UInt8] {
        var decoded: [UInt8] = []
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for index in text {
            let character = bytes[index]
            if WhiteSpace.contains(character) { continue }
            guard let value = Base64.value(of: character) else { break }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            guard count >= 8 else { continue }
            count -= 8
            decoded.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return decoded
    }
}
