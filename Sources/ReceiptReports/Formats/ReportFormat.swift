internal import ReportHeaders

/// How a report's rows become text.
///
/// A format appends to a text. Calls come in the order `begin`, any number of `row`, `end`. Each row has one value for
/// each of the header's columns.
protocol ReportFormat {
    /// Appends the text before the rows.
    mutating func begin(_ header: ReportHeader, into text: inout String)
    /// Appends a row, or holds it back for ``end(into:)``; a format may hold back
    /// only as many rows as a named bound says.
    mutating func row(_ values: [ReportValue], into text: inout String)
    /// Appends the rows held back and the text after the rows.
    mutating func end(into text: inout String)
}

extension ReportFormat {
    func end(into text: inout String) {}
}

/// The limits that a terminal sets to a table.
package struct TableLayout: Sendable, Hashable {
    /// Columns of the terminal; nil if lines may be of any length.
    package var width: Int?
    /// Whether headings may be set in bold, faint and the like.
    package var isStyled: Bool

    package init(width: Int? = nil, isStyled: Bool = false) {
        self.width = width
        self.isStyled = isStyled
    }

    func bold(_ text: String) -> String { isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
    func faint(_ text: String) -> String { isStyled ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
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

    /// The ending of file names of the format.
    package var fileExtension: String { self == .table ? "txt" : self == .markdown ? "md" : rawValue }

    /// The format that the ending of a file's name says; nil for any other ending.
    package init?(endingOf path: String) {
        guard let format = Self.allCases.first(where: { path.lowercased().hasSuffix("." + $0.fileExtension) }) else {
            return nil
        }
        self = format
    }

    /// - Parameters:
    ///   - isExact: whether CSV, TSV and Markdown write control characters as they are, and CSV and TSV also texts that
    ///     a spreadsheet would take for formulas.
    ///   - caseLinks: the links from cells of HTML.
    ///   - columns: the columns that people are shown; formats for programs get these columns alone.
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
