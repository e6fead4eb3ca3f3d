internal import MillBytes
internal import MillJSON
internal import ReceiptFormat

/// Finds the documents and their context in a line: a JSON object, list or string,
/// or bare text. The form of a document decides whether it is read as a receipt or as a signed string.
package struct SubmissionScanner {
    private let keys: LineKeyTable
    private let receiptKeys: [String]

    package init(keys: LineKeys) {
        self.keys = LineKeyTable(keys)
        receiptKeys = keys.receipt
    }

    /// Scans one line, without its newline.
    package func scan(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Unreadable) -> ScannedLine {
        var line = line
        var unread: Unreadable?
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
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                var walk = LineWalk(keys: keys)
                try walk.value(&cursor, depth: 0)
                try Self.requireEnd(&cursor)
                var found = walk.line
                found.unreadFault = UnreadDocument.fault(in: found, bytes, from: line.lowerBound)
                if !found.documents.isEmpty { return found }
                unread = found.unreadFault
            case UInt8(ascii: "\""):
                let token = try cursor.readString()
                try Self.requireEnd(&cursor)
                if !token.range.isEmpty { return ScannedLine(token) }
            default:
                // The line may be a JSON value of another kind, which looks like base64: null, 12.
                var probe = cursor
                if (try? probe.readValue()) != nil {
                    probe.skipWhitespace()
                    if probe.isAtEnd { break }
                }
                return ScannedLine(try Self.bare(bytes, line, &cursor))
            }
        } catch {
            throw Unreadable(.invalidJSON, "\(error.what) (character \(error.offset + 1))")
        }
        throw unread
            ?? Unreadable(
                .noReceipt,
                line.isEmpty
                    ? "the line is empty"
                    : "no text under \(receiptKeys.joined(separator: ", ")), nor under a key of signed data")
    }

    private static func requireEnd(_ cursor: inout JSONCursor) throws(InvalidJSON) {
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the value") }
    }

    /// The text of a line that is base64 or a signed string alone. A line with any other character
    /// was never meant as either.
    private static func bare(
        _ bytes: Span<UInt8>, _ line: Range<Int>, _ cursor: inout JSONCursor
    ) throws(InvalidJSON) -> JSONToken {
        for index in line {
            switch bytes[index] {
            case _ where Base64.value(of: bytes[index]) != nil: continue
            case UInt8(ascii: "="), UInt8(ascii: "."): continue
            case _ where WhiteSpace.contains(bytes[index]): continue
            default:
                throw InvalidJSON(
                    what: "neither a JSON object, list or string, bare base64 nor a signed string",
                    offset: index - line.lowerBound)
            }
        }
        return JSONToken(kind: .string, range: ErasedLines.content(of: bytes, line))
    }
}
