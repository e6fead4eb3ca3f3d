package import MillJSON
internal import ReceiptFormat

/// The time at which a server received a receipt, in the formats that servers write.
package enum SubmissionTime {
    /// Numbers from this one on are milliseconds, since as seconds they would be after the year 5000.
    private static let smallestMilliseconds = 100_000_000_000.0
    /// The end of the year 9999, the last that ISO 8601 writes with four digits.
    private static let latestMilliseconds = 253_402_300_799_999.0

    /// Reads an ISO 8601 text, or Unix seconds or milliseconds as a number or text; nil if there is no readable time.
    ///
    /// - Returns: milliseconds since 1970 UTC.
    package static func milliseconds(_ token: JSONToken?, in text: [UInt8]) -> Int64? {
        guard let token, token.kind == .string || token.kind == .number, token.range.count <= 100 else { return nil }
        if token.hasEscapes {
            // Some writers escape the plus sign of an offset.
            return JSONString.unescaped(text.span, in: token.range).flatMap {
                Self.milliseconds(JSONToken(kind: .string, range: $0.indices), in: $0)
            }
        }
        let range = ByteRange(offset: token.range.lowerBound, count: token.range.count)
        if let date = ReceiptDate.milliseconds(text.span, in: range) { return date }
        // Swift also reads hexadecimal numbers and names such as "nan", which no server writes.
        guard text[token.range].allSatisfy({ $0 <= UInt8(ascii: "9") || $0 | 0x20 == UInt8(ascii: "e") }),
            let number = Double(String(decoding: text[token.range], as: UTF8.self)), number.isFinite, number >= 0
        else { return nil }
        let milliseconds = number < smallestMilliseconds ? number * 1000 : number
        return milliseconds <= latestMilliseconds ? Int64(milliseconds) : nil
    }
}
