/// How a report's rows become text.
///
/// A format only appends to the text that it is given; whoever drives it decides
/// when to hand that on. Calls come in the order `begin`, any number of `row`,
/// `end`. Rows hold one value for each of the header's columns.
protocol ReportFormat {
    /// Appends what stands before the rows.
    mutating func begin(_ header: ReportHeader, into text: inout String)
    /// Appends a row, or keeps it back for ``end(into:)``; a format may keep
    /// only as many rows as a named bound says.
    mutating func row(_ values: [ReportValue], into text: inout String)
    /// Appends what was kept back and what stands after the rows.
    mutating func end(into text: inout String)
}

/// The formats by the names that the command line gives them.
package enum ReportFormatName: String, Sendable, Hashable, CaseIterable {
    /// Aligned columns for a terminal.
    case table
    /// RFC 4180: commas, CRLF, quotes where needed.
    case csv
    /// Tab-separated values with backslash escapes.
    case tsv
    /// One array of objects.
    case json
    /// One object a line.
    case jsonl
    /// A table of GitHub's Markdown.
    case markdown
    /// One self-contained page.
    case html

    /// What files of the format end with.
    package var fileExtension: String {
        switch self {
        case .table: "txt"
        case .csv, .tsv, .json, .jsonl, .html: rawValue
        case .markdown: "md"
        }
    }

    func makeFormat(layout: TableLayout = TableLayout()) -> any ReportFormat {
        switch self {
        case .table: TableFormat(layout: layout)
        case .csv: CSVFormat()
        case .tsv: TSVFormat()
        case .json: JSONFormat()
        case .jsonl: JSONLinesFormat()
        case .markdown: MarkdownFormat()
        case .html: HTMLFormat()
        }
    }
}
