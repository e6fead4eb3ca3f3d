/// Why a row can't be read.
struct ReportFault: Error, Equatable {
    /// The reasons of rejections, as the database stores them.
    enum Reason: String {
        /// More cells than the header, fewer than a row needs, an unclosed quote, or a line that is too long.
        case columns
        /// A cell that every row needs is empty.
        case missing
        case date
        case number
        /// A number that is too large for the database.
        case range
        case text
        /// A row of another report in the same file.
        case otherReport = "other_report"
    }

    let reason: Reason
    let detail: String

    init(_ reason: Reason, _ detail: String) { (self.reason, self.detail) = (reason, detail) }

    /// A row of more cells than the header.
    static func wide(_ row: StoreFileLine, header names: [String]) -> ReportFault {
        ReportFault(.columns, "the row has \(row.width) cells, the header \(names.count)")
    }

    /// A row that ends before a required column.
    static func short(_ row: StoreFileLine, before name: String) -> ReportFault {
        let detail = "the row ends after \(row.cells.count) cells, before \(name)"
        return ReportFault(.columns, row.endsInOpenQuote ? "\(detail), with \(openQuote)" : detail)
    }

    /// Each line is one row, so a quoted cell with a line break causes the rejection of two lines.
    static let openQuote = "a quote that does not end; cells can't have line breaks"

    /// A cell that is not a number. The message shows the cell, or a text of the caller's instead.
    static func noNumber(
        _ name: String, _ cell: ArraySlice<UInt8>, shown text: String? = nil, _ notation: ReportNumber.Notation
    ) -> ReportFault {
        let text = text ?? shown(cell)
        return ReportFault(
            .number,
            ReportNumber.isAmbiguous(cell, notation)
                ? "\(name) \(text) has three decimals or thousands, and the other numbers of the file don't tell which"
                : "\(name) \(text) is no number that can be read")
    }

    /// The maximum length of a cell's text in a message.
    private static let shownLength = 80

    /// A cell's text for a message.
    static func shown(_ cell: ArraySlice<UInt8>) -> String {
        let text = ReportText.decoded(cell, upTo: shownLength)
        return "'\(text)\(cell.count > shownLength ? "…" : "")'"
    }
}
