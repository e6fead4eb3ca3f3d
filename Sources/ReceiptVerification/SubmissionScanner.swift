internal import MillBytes
internal import MillJSON
package import ReceiptArchive
internal import ReceiptFormat

/// Finds the documents and their context in a line: JSON, bare text of a document, a form, or the text of a log with
/// any of these in it. The form of a document decides whether it is read as a receipt or as a signed string.
package struct SubmissionScanner {
    private let keys: LineKeyTable

    package init(keys: LineKeys) { self.keys = LineKeyTable(keys) }

    /// Scans one line, without its newline.
    ///
    /// - Parameter header: the header of the archive, if the line may be a row of a table.
    package func scan(
        _ bytes: Span<UInt8>, _ line: Range<Int>, header: TableHeader? = nil
    ) throws(Unreadable) -> ScannedLine {
        var line = line
        // Some exports put a byte order mark before the first line.
        if line.count >= 3, bytes[line.lowerBound] == 0xef, bytes[line.lowerBound + 1] == 0xbb,
            bytes[line.lowerBound + 2] == 0xbf
        {
            line = (line.lowerBound + 3)..<line.upperBound
        }
        var walk = LineWalk(keys: keys, lineBytes: line.count)
        do throws(InvalidJSON) {
            var cursor = try JSONCursor(line: bytes, line)
            cursor.skipWhitespace()
            if let header, Self.read(row: ErasedLines.content(of: bytes, line), of: header, bytes, &walk) {
                return walk.line
            }
            try Self.read(&cursor, line, &walk)
        } catch {
            throw Unreadable(.invalidJSON, "\(error.what) (character \(error.offset + 1))")
        }
        guard walk.line.documents.isEmpty else { return walk.line }
        throw walk.line.noDocument(in: bytes, line)
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
                // Records of logs begin with brackets, too. Nothing of cut JSON is submitted, because what was cut off
                // may be its account.
                guard bytes[start] == UInt8(ascii: "["), !walk.hasMetDocument else { throw error }
                fault = error
                walk.scan(bytes, start + 1..<line.upperBound, depth: 0)
            }
        case UInt8(ascii: "\""):
            let token = try cursor.readString()
            cursor.skipWhitespace()
            if cursor.isAtEnd { return walk.read(token, bytes, isMeant: true, depth: 0) }
            fault = cursor.failure("text follows the value")
            walk.scan(bytes, start..<line.upperBound, depth: 0)
        default:
            // The line may be a JSON value of another kind, which looks like base64: null, 12.
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

    /// Reads the row of a table.
    ///
    /// - Returns: whether a document was found.
    private static func read(
        row: Range<Int>, of header: TableHeader, _ bytes: Span<UInt8>, _ walk: inout LineWalk
    ) -> Bool {
        for hasEscapes in header.escapes where walk.line.documents.isEmpty {
            if let members = MemberText(row: bytes, row, of: header, hasEscapes: hasEscapes) {
                walk.read(members, at: row, depth: 0)
            }
        }
        return !walk.line.documents.isEmpty
    }

    private static func mayBeInDocument(_ byte: UInt8) -> Bool {
        Base64.value(of: byte) != nil || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ".")
            || WhiteSpace.contains(byte)
    }
}
