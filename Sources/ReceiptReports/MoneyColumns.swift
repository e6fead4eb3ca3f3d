internal import GRDB
internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// The columns of money in a report's rows, and the decimals of their amounts.
struct MoneyColumns {
    /// Decimals of currencies that ISO 4217 does not list, and of amounts without currency.
    private static let usualDigits = 2

    private let report: Report
    private let digitsByCurrency: [DocumentText: Int]
    /// The indices of each money column and of the column with its currency.
    private let places: [(amount: Int, currency: Int)]

    init(_ report: Report, in connection: Database) throws {
        let columns = report.header.columns
        self.report = report
        places = columns.indices.compactMap { index in
            columns[index].currencyColumn.flatMap { name in columns.firstIndex { $0.name == name } }.map { (index, $0) }
        }
        guard !places.isEmpty else {
            digitsByCurrency = [:]
            return
        }
        let rows: [Row]
        do {
            rows = try Row.fetchAll(connection, sql: "SELECT currency, digits FROM main.internal_currency_digits")
        } catch let error as DatabaseError {
            throw ReportStatement.fault(in: report, error, atOffset: -1)
        }
        digitsByCurrency = Dictionary(rows.map { (DocumentText($0[0] as String), $0[1] as Int) }) { first, _ in first }
    }

    /// The row with amounts instead of whole numbers of milliunits.
    ///
    /// - Throws: ``MillError`` if the statement returns anything but whole numbers, which might not be exact.
    func read(_ row: [ReportValue]) throws -> [ReportValue] {
        guard !places.isEmpty else { return row }
        var read = row
        for (amount, currency) in places {
            switch row[amount] {
            case .null: continue
            case .integer(let milliunits):
                let digits = row[currency].key.flatMap { digitsByCurrency[$0] } ?? Self.usualDigits
                read[amount] = .money(MoneyAmount(milliunits: milliunits, digits: digits))
            default:
                throw report.origin.fault(
                    line: report.header.columnLines[amount],
                    "\(report.header.columns[amount].name) is money, and the statement gives \(row[amount].plainText ?? "")",
                    hint: "money is whole thousandths of its currency: CAST(floor(x + 0.5) AS BIGINT) rounds to them")
            }
        }
        return read
    }
}
