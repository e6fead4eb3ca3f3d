import MillTestSupport
internal import Testing

@testable import MillDatabase
@testable import MillSystem
@testable import ReceiptReports

/// What is odd about a run is told, and the run goes on.
@Suite struct ReportWarningTests {
    private func warnings(
        _ name: String, _ settings: [(name: String, text: String)] = [], rows: String = "", rates: String? = nil
    ) throws -> [String] {
        let database = try SampleDatabase(rows: sampleRows + rows)
        var run = try ReportRun(ReportCatalog().report(named: name), settings: settings)
        run.rates = try rates.map { try RateList(path: database.write($0, to: "rates.csv")) }
        var warnings: [String] = []
        try run.write(in: ReportSession(database: database.path), as: .csv, warn: { warnings.append($0.message) }) {
            _ in
        }
        return warnings
    }

    @Test("An app without receipts is reported, a question about all apps is not")
    func bundle() throws {
        #expect(
            try warnings("refunds", [("bundle", "com.example.card")])
                == ["no receipt of the database is of the app com.example.card"])
        #expect(try warnings("refunds", [("bundle", "com.example.cards")]) == [])
        #expect(try warnings("refunds", [("bundle", "all"), ("environment", "all")]) == [])
        #expect(try warnings("refunds") == [])
    }

    @Test("An app that is only in other environments is reported")
    func elsewhere() throws {
        let asked = [(name: "bundle", text: "com.example.chess"), (name: "environment", text: "Production")]
        #expect(
            try warnings("refunds", asked)
                == ["no receipt of com.example.chess is of the environment Production"])
        #expect(
            try warnings("refunds", [("bundle", "com.example.chess")])
                == ["no receipt of com.example.chess is of the environment Production"])
        #expect(try warnings("refunds", [("bundle", "com.example.chess"), ("environment", "ProductionVPP")]) == [])
    }

    @Test("An environment that the database lacks is reported; an unknown one is refused")
    func environment() throws {
        #expect(
            try warnings("refunds", [("environment", "Production,Xcode")])
                == ["no receipt of the database is of the environment Xcode"])
        for (name, near) in [("sandbox", "Sandbox"), ("Xcod", "Xcode"), ("productoin", "Production")] {
            let error = #expect(throws: MillError.self) { _ = try warnings("refunds", [("environment", name)]) }
            #expect(error?.hint?.hasPrefix("did you mean \(near)?") == true)
        }
        let error = #expect(throws: MillError.self) {
            _ = try warnings("refunds", [("environment", "Production,Sanbox")])
        }
        #expect(error?.what == "environment=Production,Sanbox: there is no environment Sanbox")
        #expect(error?.exitStatus == .usage)
    }

    @Test("A test store's environment is one where the database has it")
    func testStore() throws {
        let rows = "INSERT INTO app VALUES (9, 'OurStore', 'com.example.cards');"
        #expect(try warnings("refunds", [("environment", "OurStore")], rows: rows) == [])
    }

    @Test("Amounts without a rate are named, whether the rates are the run's or the database's")
    func rates() throws {
        let listed = "INSERT INTO listed_price (product_id, currency, price_milliunits, valid_from) VALUES "
        let prices = listed + "('gold', 'USD', 1000, ''), ('gems', 'EUR', 1000, '');"
        let rates = "valid_from,currency,into_currency,rate\n2024-01-01,USD,EUR,0.9\n"
        let nothing = ["no rate into GBP for some or all amounts in EUR, USD: they stay rows of their own"]
        let intoPounds = [(name: "into_currency", text: "GBP")]
        #expect(try warnings("revenue", intoPounds, rows: prices, rates: rates) == nothing)
        #expect(try warnings("revenue", intoPounds, rows: prices) == nothing)
        #expect(try warnings("revenue", [("into_currency", "EUR")], rows: prices, rates: rates) == [])
        #expect(
            try warnings("revenue", [("into_currency", "EUR")], rows: listed + "('gold', 'EUR', 1000, '');") == [])
        #expect(
            try warnings("revenue", rows: prices, rates: rates)
                == ["the rates convert nothing: no currency to convert into is set"])
        let kept = prices + "INSERT INTO exchange_rate VALUES ('USD', 19723, 'CHF', 0.9);"
        #expect(
            try warnings("revenue", rows: kept)
                == ["no rate into CHF for some or all amounts in EUR, USD: they stay rows of their own"])
        #expect(try warnings("subscription-churn", rates: rates) == [])
    }

    @Test("A threshold without effect is reported with the reports that read signals")
    func thresholds() throws {
        let rows = "INSERT INTO signal_setting VALUES ('shared_device_high', 8), ('burst_seconds', -1);"
        #expect(
            try warnings("fraud-signals", rows: rows) == [
                "signal_setting: burst_seconds is -1, and not from 0 to 1000000000 seconds",
                "signal_setting: shared_device_high is no threshold, shared_devices_high is",
            ])
        #expect(try warnings("refunds", rows: rows) == [])
    }

    @Test("Months of whose sales the archive knows little are reported, of the apps and months shown alone")
    func completeness() throws {
        // Of eleven units in February one, gems on the Pacific day before the transaction's in UTC, has a transaction.
        let rows = """
            INSERT INTO store_file (file_id, name, sha256, report, rows, rejected, loaded_at)
            VALUES (1, 'S_D_1.txt', x'01', 'sales', 2, 0, 0);
            INSERT INTO store_sale
                (file_id, line, begins_day, ends_day, sku, product_type, country, currency, units_thousandths,
                 price_milliunits, gross_milliunits, proceeds_milliunits)
            VALUES
                (1, 2, 19757, 19757, 'gems', 'IA1', 'US', 'USD', 1000, 990, 990, 700),
                (1, 3, 19773, 19773, 'gold', 'IA1', 'US', 'USD', 10000, 9990, 99900, 69900);
            """
        let little = ["the archive knows less than nine tenths of the store's sales of 2024-02 (9 %)"]
        for name in ["revenue", "refunds"] { #expect(try warnings(name, rows: rows) == little) }
        #expect(try warnings("revenue", [("from", "2024-03")], rows: rows) == [])
        #expect(try warnings("revenue", [("environment", "ProductionVPP")], rows: rows) == [])
        for name in ["archive-completeness", "reconciliation", "entitled"] {
            #expect(try warnings(name, rows: rows) == [])
        }
    }
}
