/// Why a row can't be read.
struct ReportFault: Error, Equatable {
    /// The reasons of rejections, in the words of the database.
    enum Reason: String {
        /// More or fewer cells than the header, quotes that don't end, or a line that is too long.
        case columns
        /// A cell that every row needs is empty.
        case missing
        case date
        case number
        /// A number that the database does not hold.
        case range
        case text
        /// Rows of another report that stand in the same file.
        case otherReport = "other_report"
    }

    let reason: Reason
    let detail: String

    init(_ reason: Reason, _ detail: String) { (self.reason, self.detail) = (reason, detail) }

    /// The greatest length of a cell's text in a message.
    private static let shownLength = 80

    /// A cell's text for a message.
    static func shown(_ cell: ArraySlice<UInt8>) -> String {
        let text = ReportText.decoded(cell.prefix(shownLength))
        return "'\(text)\(cell.count > shownLength ? "…" : "")'"
    }
}
