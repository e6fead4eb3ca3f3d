internal import ReportHeaders

/// Converts a report's rows into text.
///
/// A format appends to a text. It is called in the order `begin`, any number of `row`, `end`. Each row has one value
/// for each of the header's columns.
protocol ReportFormat {
    /// Appends the text before the rows.
    mutating func begin(_ header: ReportHeader, into text: inout String)
    /// Appends a row, or holds it back until ``end(into:)``. A format may hold back only a limited number of rows,
    /// stated by a named constant.
    mutating func row(_ values: [ReportValue], into text: inout String)
    /// Appends the rows that were held back and the text after the rows.
    mutating func end(into text: inout String)
}

extension ReportFormat {
    func end(into text: inout String) {}
}

/// A table's limits, set by the terminal.
package struct TableLayout: Sendable, Hashable {
    /// The terminal's width in columns; nil if lines may have any length.
    package var width: Int?
    /// Whether headings may be bold, faint and the like.
    package var isStyled: Bool

    package init(width: Int? = nil, isStyled: Bool = false) {
        self.width = width
        self.isStyled = isStyled
    }

    func bold(_ text: String) -> String { isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
    func faint(_ text: String) -> String { isStyled ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
}

/// The formats, by their names on the command line.
package enum ReportFormatName: String, Sendable, Hashable, CaseIterable {
    /// Aligned columns for a terminal.
    case table
    /// RFC 4180: commas, CRLF, quotes where needed.
    case csv
    /// Tab-separated values with backslash escapes.
    case tsv
    /// One array of objects.
    case json
    /// One object on each line.
    case jsonl
    /// A table of GitHub's Markdown.
    case markdown
    /// One self-contained page.
    case html

    /// The file name extension of the format.
    package var fileExtension: String { self == .table ? "txt" : self == .markdown ? "md" : rawValue }

    /// The format for a file name's extension; nil for any other extension.
    package init?(endingOf path: String) {
        guard let format = Self.allCases.first(where: { path.lowercased().hasSuffix("." + $0.fileExtension) }) else {
            return nil
        }
        self = format
    }

    /// - Parameters:
    ///   - isExact: whether CSV, TSV and Markdown keep control characters, and CSV and TSV also texts that a
    ///     spreadsheet would run as formulas.
    ///   - caseLinks: the links from cells of HTML to reports about a case.
    ///   - columns: the columns that people are shown; formats for programs get only these columns.
    func makeFormat(
        layout: TableLayout = TableLayout(), isExact: Bool = false, caseLinks: CaseLinks? = nil,
        columns: ColumnChoice = .main
    ) -> any ReportFormat {
        switch self {
        case .table: TableFormat(layout: layout, choice: columns)
        case .html: HTMLFormat(caseLinks: caseLinks, choice: columns)
        case .csv: DelimitedFormat.csv(isExact: isExact)
        case .tsv: DelimitedFormat.tsv(isExact: isExact)
        case .json: JSONFormat(isArray: true)
        case .jsonl: JSONFormat(isArray: false)
        case .markdown: MarkdownFormat(isExact: isExact)
        }
    }

    /// Whether the format is for people, who get the main columns, totals and triangles.
    var isForPeople: Bool { self == .table || self == .html }
}
