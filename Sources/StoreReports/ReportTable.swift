/// How the lines below a header are read.
enum ReportTable {
    /// Sales, in a file whose tabs were replaced by spaces or not.
    case sales(SaleRows, isSpaced: Bool)
    case counts(CountRows)
    case payments(PaymentTable)
    /// Sums by country and currency at the end of a financial report.
    case sums(StoreFileColumns.Header)
    /// Rows of another report, whose header is in the same file.
    case other(StoreReportKind)

    /// - Parameters:
    ///   - row: the cells of a line; the initializer fails if they are not a header of a report.
    ///   - title: the text before the header; for payments, it states the month.
    ///   - notation: how the file writes its numbers.
    init?(_ row: StoreFileLine, title: String, _ notation: ReportNumber.Notation) {
        if let columns = StoreFileColumns(row) {
            self =
                switch columns.kind {
                case .sales, .financial, .financeDetail: .sales(SaleRows(columns, notation), isSpaced: false)
                default: .counts(CountRows(columns, notation))
                }
        } else if let payments = PaymentTable(row, title: title, notation) {
            self = .payments(payments)
        } else {
            return nil
        }
    }

    /// The report whose rows are read; nil for sums.
    var kind: StoreReportKind? {
        switch self {
        case .sales(let rows, _): rows.columns.kind
        case .counts(let rows): rows.columns.kind
        case .payments: .payments
        case .sums: nil
        case .other(let kind): kind
        }
    }

    /// The columns that contain numbers, which together show how the file writes numbers.
    func numbers(of row: StoreFileLine) -> [Int] {
        switch self {
        case .sales(let rows, _): rows.columns.numbers
        case .counts(let rows): rows.columns.numbers
        case .payments: Array(PaymentTable.numbers(of: row))
        case .sums, .other: []
        }
    }
}
