internal import GRDB
internal import MillDigest
internal import MillSystem
internal import ReceiptWarehouse
internal import StoreReports

/// The rows of one report file while they are written to the tables. For use within a transaction.
final class StoreFileRows {
    private let db: Database
    let file: Int64
    private let erasedRows: ErasedReportRows
    private let sale: Statement
    private let row: Statement
    private let rejection: Statement
    private let periods: ReportPeriods
    private var vendor: ReportVendor
    private(set) var count = 0
    private(set) var rejected = 0
    private(set) var erased = 0
    /// The number of rows that are equal to an earlier row.
    private(set) var repeated = 0
    /// Hashes of rows, which are short however long the rows are.
    private var seen: Set<Int> = []

    /// The maximum number of hashes that are stored at a time. gzip looks back only 32 KiB, so a row that repeats a
    /// more distant one takes its full size in the file.
    private static let maximumSeen = 100_000

    /// Adds the file's row to the database.
    init(_ db: Database, _ content: ReportContent, report: StoreReportKind) throws {
        self.db = db
        erasedRows = try ErasedReportRows(db)
        try db.execute(
            sql: """
                INSERT INTO store_file (name, folder, sha256, bytes, report, rows, rejected, loaded_at)
                VALUES (?, ?, ?, ?, ?, 0, 0, ?)
                """,
            arguments: [
                content.name, content.folder, content.sha256, content.bytes, report.rawValue, LoadProgress.now,
            ])
        file = db.lastInsertedRowID
        periods = try ReportPeriods(db, file: file, report)
        vendor = ReportVendor(db, fileName: content.name)
        let texts = StoreField.texts.map(\.column)
        sale = try db.makeStatement(
            sql: """
                INSERT INTO store_sale (
                    file_id, line, begins_day, ends_day, sku, apple_id,
                    units_thousandths, price_milliunits, gross_milliunits, proceeds_milliunits,
                    \(texts.joined(separator: ", ")))
                VALUES (\(databaseQuestionMarks(count: 10 + texts.count)))
                """)
        row = try db.makeStatement(
            sql: """
                INSERT INTO store_row (file_id, line, day, app_apple_id, product, country, subscriber_id, fields)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        rejection = try db.makeStatement(
            sql: "INSERT OR IGNORE INTO store_rejection (file_id, line, reason, detail) VALUES (?, ?, ?, ?)")
    }

    func insert(_ item: StoreReportItem) throws {
        switch item {
        case .sale(let sale): try insert(sale)
        case .row(let row): try insert(row)
        case .rejection(let line, let reason, let detail):
            try rejection.execute(arguments: [file, line, reason, detail])
            rejected += db.changesCount
        case .warning: break
        }
    }

    private func note(_ hash: Int) {
        if seen.contains(hash) {
            repeated += 1
            return
        }
        if seen.count == Self.maximumSeen { seen.removeAll(keepingCapacity: true) }
        seen.insert(hash)
    }

    private func insert(_ sale: StoreSale) throws {
        var content = sale
        content.line = 0
        note(content.hashValue)
        let columns: StatementArguments = [
            file, sale.line, sale.beginsDay, sale.endsDay, sale.sku, sale.appleID, sale.unitsThousandths,
            sale.priceMilliunits, sale.grossMilliunits, sale.proceedsMilliunits,
        ]
        try self.sale.execute(arguments: columns + StatementArguments(sale.texts))
        try periods.note(sale)
        vendor.note(product: sale.appleID, of: sale.developer)
        count += 1
    }

    private func insert(_ row: StoreRow) throws {
        note(row.fields.hashValue)
        if row.subscriberID != nil, try erasedRows.contain(fields: row.fields) {
            erased += 1
            return
        }
        try self.row.execute(arguments: [
            file, row.line, row.day, row.appAppleID, row.product, row.country, row.subscriberID, row.fields,
        ])
        try periods.note(day: row.day)
        vendor.note(product: row.appAppleID)
        count += 1
    }

    /// Completes the file's row with its counts and its account.
    func end() throws {
        try db.execute(
            sql: "UPDATE store_file SET rows = ?, rejected = ?, vendor = ? WHERE file_id = ?",
            arguments: [count, rejected, vendor.resolved(), file])
    }
}
