import MillTestSupport
internal import ReceiptFormat
internal import Testing

@testable import ReceiptReports
@testable import ReportHeaders

/// Dates that can't be: years 1 and 9999, from before there was a store, from after
/// the calendar ends.
@Suite struct OddDatesTests {
    /// Purchases, receipts, forgeries and submissions of odd years, beside the sample.
    private static let rows = ["0001-01-01", "1900-01-01", "2041-01-01", "9999-12-31"].enumerated().map { place, day in
        let number = 900 + place
        let sha = "x'ee0\(place)'"
        return """
            INSERT INTO purchase
                (app_id, transaction_id, original_transaction_id, product_number, quantity, product_type, purchase_date,
                 expires_date, cancellation_date, is_trial_period, as_of, receipt_id)
            VALUES
                (1, \(number), \(number), 1, 1, 3, unixepoch('\(day)') * 1000, unixepoch('9999-12-31') * 1000, NULL, 0, 0, 2),
                (1, \(number + 50), \(number + 50), 2, 1, 0, unixepoch('\(day)') * 1000, NULL,
                 unixepoch('\(day)') * 1000, 0, 0, 2),
                (1, \(number + 90), \(number + 90), 1, 1, 3, unixepoch('2024-02-01') * 1000, unixepoch('\(day)') * 1000,
                 unixepoch('\(day)') * 1000, 1, 0, 2);
            INSERT INTO receipt
                (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
            VALUES (\(number), \(sha), 'app_receipt', 'bad_signature', 1, unixepoch('\(day)') * 1000, 0, 1);
            INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
            VALUES (2 << 32 | \(number), \(number), 'd\(number)', 'a\(number)', unixepoch('\(day)') * 1000, 'match');
            """
    }.joined()

    /// Reports only read it.
    private static let sample = Result { try SampleDatabase(rows: sampleRows + rows) }

    @Test("No report fails over odd dates", arguments: ReportCatalog().names)
    func reports(name: String) throws {
        let report = try ReportCatalog().report(named: name)
        let required = report.header.parameters.filter(\.isRequired).map { ($0.name, "ann") }
        _ = try Self.sample.get().output(of: report, with: required)
    }

    @Test("Reports by month leave out what no calendar has, and nothing else")
    func months() throws {
        let without = try SampleDatabase(rows: sampleRows).output(of: "refunds")
        let rows =
            Self.rows + """
                DELETE FROM purchase WHERE transaction_id >= 990;
                """
        #expect(try SampleDatabase(rows: sampleRows + rows).output(of: "refunds") == without)
    }

    private func page(_ rows: String) throws -> String {
        var page = ""
        let database = try SampleDatabase(rows: rows)
        try Dashboard(ReportCatalog()).write(in: ReportSession(database: database.path)) { page += $0 }
        return page
    }

    @Test("The dashboard draws the days that can be")
    func dashboard() throws {
        let page = try page(sampleRows + Self.rows)
        #expect(page.contains("<svg class=\"small\"") && page.utf8.count < 400_000)
        for year in ["0001", "1900", "2041", "9999"] { #expect(!page.contains(">\(year)-12</text>")) }
        // Up to 2024-03-10, the newest of a trusted receipt.
        #expect(page.contains(" from=2022-04</code>"))
    }

    @Test("A dashboard can be drawn whatever the newest day", arguments: ["0001-01-01", "1900-01-01", "9999-12-31"])
    func newest(day: String) throws {
        let rows = """
            UPDATE receipt SET receipt_creation_date = unixepoch('\(day)') * 1000 WHERE verdict = 'trusted';
            """
        #expect(try page(sampleRows + Self.rows + rows).contains("</html>"))
    }

    @Test("Days around the newest one stay within the calendar")
    func days() {
        #expect(CalendarAxis.days(around: 19_792, -365...92) == "2023-03-11"..."2024-06-10")
        #expect(CalendarAxis.days(around: 2_932_896, -365...92) == "2040-12-31"..."2040-12-31")
        #expect(CalendarAxis.days(around: -719_162, -365...92) == "2008-01-01"..."2008-01-01")
        #expect(CalendarAxis.days(around: nil, -365...92) == "2008-01-01"..."2040-12-31")
    }
}
