package import MillJSON
package import MillSystem
internal import ReceiptFormat

/// The parts of a line, as ranges in it.
package struct ScannedLine {
    package var receipt: JSONToken
    package var device: JSONToken?
    package var account: JSONToken?
    package var time: JSONToken?
}

/// Finds the receipt and its context in a line: a JSON object, a JSON string,
/// or bare base64.
package struct SubmissionScanner {
    private enum Field {
        case receipt, device, account, time
    }

    private struct Key {
        let name: [UInt8]
        let field: Field
        /// Index among the field's keys; the smallest wins.
        let rank: Int
    }

    private let keys: [Key]

    package init(keys: LineKeys) {
        func named(_ names: [String], _ field: Field) -> [Key] {
            names.enumerated().map { Key(name: Array($1.utf8), field: field, rank: $0) }
        }
        self.keys =
            named(keys.receipt, .receipt) + named(keys.device, .device) + named(keys.account, .account)
            + named(keys.time, .time)
    }

    /// Scans one line, without its newline.
    package func scan(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Unreadable) -> ScannedLine {
        var line = line
        // Some exports put a byte order mark before the first line.
        if line.count >= 3, bytes[line.lowerBound] == 0xef, bytes[line.lowerBound + 1] == 0xbb,
            bytes[line.lowerBound + 2] == 0xbf
        {
            line = (line.lowerBound + 3)..<line.upperBound
        }
        do throws(InvalidJSON) {
            var cursor = try JSONCursor(line: bytes, line)
            cursor.skipWhitespace()
            switch cursor.next {
            case nil: break
            case UInt8(ascii: "{"):
                if let scanned = try object(&cursor, bytes) { return scanned }
            case UInt8(ascii: "\""):
                let token = try cursor.readString()
                try Self.requireEnd(&cursor)
                if !token.range.isEmpty { return ScannedLine(receipt: token) }
            default:
                // A JSON value of another kind, which may look like base64: null, 12.
                var probe = cursor
                if (try? probe.readValue()) != nil {
                    probe.skipWhitespace()
                    if probe.isAtEnd { break }
                }
                return ScannedLine(receipt: try Self.bare(bytes, line, &cursor))
            }
        } catch {
            throw Unreadable(.invalidJSON, "\(error.what) (character \(error.offset + 1))")
        }
        throw Unreadable(.noReceipt, line.isEmpty ? "the line is empty" : "no text under \(receiptKeys)")
    }

    private var receiptKeys: String {
        keys.filter { $0.field == .receipt }.map { String(decoding: $0.name, as: UTF8.self) }.joined(separator: ", ")
    }

    private static func requireEnd(_ cursor: inout JSONCursor) throws(InvalidJSON) {
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the value") }
    }

    /// A line of base64 alone. Anything with other characters in it was never
    /// meant as base64.
    private static func bare(
        _ bytes: Span<UInt8>, _ line: Range<Int>, _ cursor: inout JSONCursor
    ) throws(InvalidJSON) -> JSONToken {
        for index in line {
            switch bytes[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="), 0x20, 0x09, 0x0d:
                continue
            default:
                throw InvalidJSON(
                    what: "neither a JSON object, a JSON string nor bare base64", offset: index - line.lowerBound)
            }
        }
        return JSONToken(kind: .string, range: line)
    }

    /// Nil where the object holds no receipt.
    private func object(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(InvalidJSON) -> ScannedLine? {
        var receipt: (token: JSONToken, rank: Int)?
        var device: (token: JSONToken, rank: Int)?
        var account: (token: JSONToken, rank: Int)?
        var time: (token: JSONToken, rank: Int)?
        func choose(_ chosen: inout (token: JSONToken, rank: Int)?, _ token: JSONToken, _ rank: Int) {
            if let rankBefore = chosen?.rank, rankBefore < rank { return }
            chosen = (token, rank)
        }
        var isFirst = true
        while let key = try cursor.nextKey(&isFirst) {
            let value = try cursor.readValue(depth: 1)
            // An empty text counts as absent, and only a text can be a receipt: another key
            // may hold one.
            guard value.kind != .null, !(value.kind == .string && value.range.isEmpty),
                let known = self.key(bytes, key), known.field != .receipt || value.kind == .string
            else { continue }
            switch known.field {
            case .receipt: choose(&receipt, value, known.rank)
            case .device: choose(&device, value, known.rank)
            case .account: choose(&account, value, known.rank)
            case .time: choose(&time, value, known.rank)
            }
        }
        try Self.requireEnd(&cursor)
        guard let receipt else { return nil }
        return ScannedLine(receipt: receipt.token, device: device?.token, account: account?.token, time: time?.token)
    }

    private func key(_ bytes: Span<UInt8>, _ token: JSONToken) -> Key? {
        if token.hasEscapes {
            let name = JSONString.unescaped(bytes, in: token.range)
            return keys.first { $0.name == name }
        }
        return keys.first { ByteSearch.isEqual(bytes, token.range, $0.name) }
    }
}
