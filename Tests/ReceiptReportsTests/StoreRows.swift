import Foundation
import GRDB
import MillSystem
import MillTestSupport

/// Rows of the store's report files for hand-worked cases: CSV with a header line, each row with the number of its file, in
/// the order of loading, and the columns of a SALES, FINANCIAL or FINANCE_DETAIL row. Units may be fractions; prices are
/// in thousandths of the currency.
enum StoreRows {
    static let file = "store_sales.csv"
    private static let columns = [
        "file", "report", "begins", "ends", "sku", "product_type", "country", "currency", "units", "price_milliunits",
        "parent_sku",
    ]

    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    /// Inserts the rows as the loader would store them.
    static func insert(_ text: String, into db: Database) throws {
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard lines.first == columns else { throw Fault(description: "\(file) has other columns than \(columns)") }
        for (number, cells) in lines.enumerated().dropFirst() {
            guard cells.count == columns.count, let file = Int64(cells[0]), let units = Double(cells[8]),
                let price = Int64(cells[9])
            else { throw Fault(description: "\(file), line \(number + 1)") }
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO store_file (file_id, name, sha256, report, rows, rejected, loaded_at)
                    VALUES (?, ?, ?, ?, 0, 0, 0);
                    """, arguments: [file, "file-\(file)", Data("\(file)".utf8), cells[1]])
            let thousandths = Int64((units * 1000).rounded())
            try db.execute(
                sql: """
                    INSERT INTO store_sale
                        (file_id, line, begins_day, ends_day, sku, product_type, country, currency, units_thousandths, price,
                         price_milliunits, gross_milliunits, proceeds_milliunits, parent_sku)
                    VALUES
                        (?, ?, unixepoch(?) / 86400, unixepoch(?) / 86400, ?, nullif(?, ''), nullif(?, ''),
                         nullif(?, ''), ?, ?, ?, 0, nullif(?, ''))
                    """,
                arguments: [
                    file, number + 1, cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], thousandths, price,
                    thousandths * price / 1000, cells[10],
                ])
        }
    }
}
