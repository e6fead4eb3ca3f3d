internal import MillJSON
package import ReceiptArchive

/// A table of an archive. Its rows are read by the names of its columns.
package struct LineTable {
    private let header: TableHeader
    /// Whether a column's name is a known key. A row that does not fit may then lack its account, and is rejected.
    private let hasKeys: Bool

    /// Nil if a first line is not a header: it has no known key, and the second line has another number of fields.
    init?(_ header: TableHeader, _ keys: LineKeyTable) {
        hasKeys = header.names.contains { keys.isKnown(column: $0) }
        guard hasKeys || header.isConfirmed else { return nil }
        self.header = header
    }

    /// Whether a line is the header: the first line, or the repeated header of a table that was appended.
    package func isHeader(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        header.isHeader(bytes, TableHeader.content(of: bytes, line))
    }

    enum Reading {
        case row
        /// The line is read like any text, not as a row.
        case other
        /// The line is not a row, for this reason.
        case misfit(String)
    }

    func read(_ line: Range<Int>, of bytes: Span<UInt8>, into walk: inout LineWalk) -> Reading {
        let empty = walk
        var fieldCount: Int?
        var fitting: LineWalk?
        for hasEscapes in header.escapes {
            guard let row = header.row(of: bytes, line, hasEscapes: hasEscapes) else { continue }
            fieldCount = row.fieldCount
            guard row.fieldCount == header.names.count else { continue }
            walk = empty
            walk.read(row, under: header.names, at: line)
            if !walk.line.documents.isEmpty, !hasEscapes || Self.isSound(walk.line) { return .row }
            if !hasEscapes || fitting == nil { fitting = walk }
        }
        walk = hasKeys ? fitting ?? empty : empty
        if !hasKeys { return .other }
        if fitting != nil { return .row }
        let names = header.names.count
        let what = fieldCount.map { "\($0) \($0 == 1 ? "field" : "fields") where the header has \(names)" }
        return .misfit(what ?? "a field in quotes does not end where a field ends")
    }

    /// Whether a text was rightly read with escapes: its JSON is valid, and no name contains a control character, as
    /// `C:\new` would.
    private static func isSound(_ line: ScannedLine) -> Bool {
        line.documents.allSatisfy { document in
            document.fault == nil
                && [document.context.account, document.context.device].allSatisfy { value in
                    guard let value, let text = value.text else { return true }
                    return line.texts[text].bytes[value.token.range].allSatisfy { $0 >= 0x20 }
                }
        }
    }
}
