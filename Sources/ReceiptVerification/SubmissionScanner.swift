internal import MillBytes
internal import MillJSON
package import ReceiptArchive
internal import ReceiptFormat

/// Finds the documents and their context in a line: in JSON, a bare document, a form, or a log's text with any of these
/// in it. The form of a document decides whether it is read as a receipt or as a signed string.
package struct SubmissionScanner {
    private let keys: LineKeyTable

    package init(keys: LineKeys) { self.keys = LineKeyTable(keys) }

    /// The table of an archive; nil if its lines are not rows.
    package func table(_ header: TableHeader?) -> LineTable? { header.flatMap { LineTable($0, keys) } }

    /// Scans one line, without its newline.
    ///
    /// - Parameter table: the archive's table, if the line may be one of its rows.
    package func scan(
        _ bytes: Span<UInt8>, _ line: Range<Int>, table: LineTable? = nil
    ) throws(Unreadable) -> ScannedLine {
        let line = TableHeader.content(of: bytes, line)
        var walk = LineWalk(keys: keys, lineBytes: line.count)
        var reading = LineTable.Reading.other
        do throws(InvalidJSON) {
            var cursor = try JSONCursor(line: bytes, line)
            cursor.skipWhitespace()
            if let table, !cursor.isAtEnd, !Self.isJSON(cursor) {
                reading = table.read(line, of: bytes, into: &walk)
            }
            if case .other = reading { try Self.read(&cursor, line, &walk) }
        } catch {
            throw Unreadable(.invalidJSON, "\(error.what) (character \(error.offset + 1))")
        }
        if case .misfit(let what) = reading { throw Unreadable(.invalidJSON, what) }
        guard walk.line.documents.isEmpty else { return walk.line }
        throw walk.line.noDocument(in: bytes, line)
    }

    /// Whether a line is one complete JSON value, and so is no row of a table.
    private static func isJSON(_ cursor: JSONCursor) -> Bool {
        var cursor = cursor
        guard let first = cursor.next, TextForm.beginsJSON(first), (try? cursor.readValue()) != nil else {
            return false
        }
        cursor.skipWhitespace()
        return cursor.isAtEnd
    }

    private static func read(_ cursor: inout JSONCursor, _ line: Range<Int>, _ walk: inout LineWalk) throws(InvalidJSON)
    {
        let bytes = cursor.bytes
        let start = cursor.position
        var fault: InvalidJSON?
        switch cursor.next {
        case nil: return
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            do throws(InvalidJSON) {
                try walk.value(&cursor, isMeant: false, depth: 0)
                cursor.skipWhitespace()
                if cursor.isAtEnd { return }
                fault = cursor.failure("text follows the value")
                walk.scan(bytes, cursor.position..<line.upperBound, depth: 0)
            } catch {
                // Log records begin with brackets, too. Nothing of cut JSON is loaded, because the missing part may
                // contain the document's account.
                guard bytes[start] == UInt8(ascii: "["), !walk.hasMetDocument else { throw error }
                fault = error
                walk.scan(bytes, start + 1..<line.upperBound, depth: 0)
            }
        case UInt8(ascii: "\""):
            do throws(InvalidJSON) {
                let token = try cursor.readString()
                cursor.skipWhitespace()
                if cursor.isAtEnd { return walk.read(token, bytes, isMeant: true, depth: 0) }
                fault = cursor.failure("text follows the value")
                walk.scan(bytes, start..<line.upperBound, depth: 0)
            } catch {
                // The escapes in nginx's logs (`\x22`) are not valid in JSON.
                guard FormText.unescaped(bytes, start..<line.upperBound) != nil else { throw error }
                fault = error
                walk.readOther(bytes, start..<line.upperBound, depth: 0)
            }
        default:
            // The line may be a JSON value that looks like base64, such as null or 12.
            var probe = cursor
            if (try? probe.readValue()) != nil {
                probe.skipWhitespace()
                if probe.isAtEnd { return }
            }
            let other = line.first { !mayBeInDocument(bytes[$0]) }
            fault = other.map {
                InvalidJSON(what: "no document, and no text with one", offset: $0 - line.lowerBound)
            }
            let text = JSONToken(kind: .string, range: ErasedLines.content(of: bytes, line))
            walk.read(text, bytes, isMeant: other == nil, depth: 0)
        }
        if let fault, walk.line.documents.isEmpty { throw fault }
    }

    private static func mayBeInDocument(_ byte: UInt8) -> Bool {
        Base64.value(of: byte) != nil || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ".")
            || WhiteSpace.contains(byte)
    }
}
