internal import GRDB
import MillTestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptReports

/// Lists hide empty views also from the views of the database that read them.
@Suite struct OfferedListTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase(rows: sampleRows) }

    private func prices(_ price: String) throws -> PriceList {
        try PriceList(path: database.write("product_id,currency,price\ngold,EUR,\(price)\n", to: "prices.csv"))
    }

    private func answer(
        _ report: Report, in session: ReportSession? = nil, subject: String? = nil, prices: PriceList
    ) throws -> [String] {
        var run = try ReportRun(report, subject: subject)
        run.prices = prices
        var text = ""
        try run.write(in: session ?? ReportSession(database: database.path), as: .csv) { text += $0 }
        return text.split(separator: "\r\n").dropFirst().map(String.init)
    }

    @Test("A report is found to read a list through views")
    func readers() throws {
        let catalog = ReportCatalog()
        #expect(try catalog.report(named: "revenue").readsPrices)
        #expect(try catalog.report(named: "revenue").readsRates)
        #expect(try catalog.report(named: "revenue-at-risk").readsPrices)
        #expect(try !catalog.report(named: "revenue-at-risk").readsRates)
        #expect(try !catalog.report(named: "refunds").readsPrices)
        #expect(ViewReferences.builtIn.readers(of: PriceList.view).contains("priced_purchases"))
    }

    @Test("Readers are found through any number of views")
    func references() {
        let views = ViewReferences([
            ("one", "CREATE VIEW one AS SELECT 1 FROM list"), ("two", "CREATE VIEW two AS SELECT 1 FROM \"One\""),
            ("three", "CREATE VIEW three AS SELECT 1 FROM two"), ("other", "CREATE VIEW other AS SELECT 1 -- list"),
        ])
        #expect(views.readers(of: "list") == ["one", "two", "three"])
    }

    @Test("Reports of one session see the list of their run")
    func session() throws {
        let revenue = try ReportCatalog().report(named: "revenue")
        let session = try ReportSession(database: database.path)
        let first = try answer(revenue, in: session, prices: prices("1.00"))
        #expect(first.contains { $0.contains("gold,(none),EUR,list,1,1000,") })
        #expect(try first == answer(revenue, prices: prices("1.00")))
        // The shared views of these are temporary tables from here on.
        for name in ["overview", "revenue-at-risk"] {
            _ = try answer(ReportCatalog().report(named: name), in: session, prices: prices("1.00"))
        }
        let second = try answer(revenue, in: session, prices: prices("2.00"))
        #expect(second.contains { $0.contains("gold,(none),EUR,list,1,2000,") })
        #expect(second.count == first.count)
    }

    @Test("A report about a case sees the list, too")
    func caseScope() throws {
        let text = """
            -- paid: Paid
            -- What did a case pay?
            --
            -- Grain: one row per transaction_id
            --
            -- Parameters:
            --   :case  text  required  case
            --
            -- Columns:
            --   transaction_id    text     transaction
            --   price_milliunits  integer  price
            --
            -- Example:
            --   receiptmill report paid fay
            SELECT transaction_id, price_milliunits FROM priced_purchases WHERE :case <> '' AND price_source = 'list'
            ORDER BY 1
            """
        let report = try Report(sql: text, fileName: "paid", topic: nil, origin: Report.Origin(path: "paid.sql"))
        #expect(try answer(report, subject: "fay", prices: prices("3.00")) == ["107,3000"])
    }
}
