/// How lines below a header are read.
enum ReportTable {
    case sales(SaleRows)
    /// Sales whose tabs became spaces.
    case spacedSales(SaleRows)
    case counts(CountRows)
    case payments(PaymentTable)
    /// Sums by country and currency at the end of a financial report.
    case sums(StoreFileColumns.Sums)
    /// Rows of another report, which follow its header in the same file.
    case other(StoreReportKind)

    /// - Parameters:
    ///   - row: the cells of a line; the result is nil if they are no header of a report.
    ///   - title: the text before the header, in which payments have their month.
    ///   - notation: how the file writes its numbers.
    init?(_ row: StoreFileLine, title: String, _ notation: ReportNumber.Notation) {
        if let columns = StoreFileColumns(row) {
            self =
                switch columns.kind {
                case .sales, .financial, .financeDetail: .sales(SaleRows(columns, notation))
                default: .counts(CountRows(columns, notation))
                }
        } else if let payments = PaymentTable(row, title: title, notation) {
            self = .payments(payments)
        } else {
            return nil
        }
    }

    /// The report whose rows are read; nil of sums.
    var kind: StoreReportKind? {
        switch self {
        case .sales(let rows), .spacedSales(let rows): rows.columns.kind
        case .counts(let rows): rows.columns.kind
        case .payments: .payments
        case .sums: nil
        case .other(let kind): kind
        }
    }

    /// The columns in which a line has numbers, which show together how the file writes them.
    func numbers(of row: StoreFileLine) -> [Int] {
        switch self {
        case .sales(let rows): rows.columns.numbers
        case .counts(let rows): rows.columns.numbers
        case .payments: Array(PaymentTable.numbers(of: row))
        case .spacedSales, .sums, .other: []
        }
    }
}
