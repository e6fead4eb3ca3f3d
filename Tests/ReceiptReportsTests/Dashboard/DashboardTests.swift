internal import Foundation
import MillTestSupport
internal import ReceiptFormat
import ReportHeaders
internal import TestSupport
internal import Testing

@testable import MillDatabase
@testable import MillSystem
@testable import ReceiptReports

/// The page as a whole.
@Suite struct DashboardTests {
    private static func page(
        of database: SampleDatabase, _ catalog: ReportCatalog = ReportCatalog(), settings: [(String, String)] = [],
        rates: RateList? = nil, warn: (ReportWarning) -> Void = { _ in }
    ) throws -> String {
        var page = ""
        var dashboard = Dashboard(catalog)
        dashboard.settings = settings.map { (name: $0.0, text: $0.1) }
        dashboard.rates = rates
        // 2024-03-12 at 07:05:09 in UTC.
        try dashboard.write(in: ReportSession(database: database.path), at: 1_710_227_109_000, warn: warn) {
            page += $0
        }
        return page
    }

    /// A report of two rows in the place of a built-in one.
    private static let own = """
        -- refunds: Refunds <b>by</b> product
        -- Which & why?
        --
        -- Grain: one row per product_id
        --
        -- Columns:
        --   product_id  text     product
        --   refunds     integer  refunds
        --   rate        share    refunds per purchase
        --
        -- Chart: bars  x=product_id  y=refunds
        --
        -- Panel:
        --   place    9
        --   title    Refunds <b>by</b> product
        --   chart    bars  x=product_id  y=refunds
        --   missing  No purchase is known in these months.
        --
        -- Example:
        --   receiptmill report refunds --database mill.sqlite

        SELECT 'gems' AS product_id, 1200 AS refunds, 0.125 AS rate
        UNION ALL SELECT '"</svg><script>alert(1)</script>', 3, NULL
        ORDER BY 2 DESC;
        """

    @Test("A small page is what it was when it was looked at in a browser")
    func golden() throws {
        let database = try SampleDatabase()
        _ = try database.write(Self.own, to: "own/refunds.sql")
        let page = try Self.page(of: database, ReportCatalog(folder: database.folder.path + "/own"))
        let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "page.html")
        let expected = try String(contentsOf: golden, encoding: .utf8)
        // By lines, so that a difference is shown as one.
        #expect(page.split(separator: "\n") == expected.split(separator: "\n"))
    }

    @Test("A hostile name of a product stays text")
    func hostileNames() throws {
        let database = try SampleDatabase(
            rows: sampleRows + """
                UPDATE product SET product_id = '<img src=x onerror=alert(1)>"''&' || char(8238) || 'gems'
                WHERE product_number = 1;
                UPDATE app SET bundle_id = '</title><script>alert(1)</script>' WHERE app_id = 3;
                """)
        let page = try Self.page(of: database)
        #expect(page.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;\\u{202e}gems"))
        #expect(page.contains("&lt;/title&gt;&lt;script&gt;"))
        #expect(!page.contains("<img"))
        #expect(page.components(separatedBy: "<script").count == 2)
        #expect(!page.unicodeScalars.contains("\u{202e}"))
    }

    @Test("The page loads nothing")
    func selfContained() throws {
        let page = try Self.page(of: SampleDatabase(rows: sampleRows))
        for word in ["http://", "https://", "url(", "@import", " src="] {
            #expect(!page.contains(word))
        }
        #expect(page.contains("default-src 'none'"))
    }

    @Test("The page's policy allows its own script alone, by the digest that OpenSSL computes")
    func script() throws {
        let page = try Self.page(of: SampleDatabase(rows: sampleRows))
        let parts = page.components(separatedBy: "<script>")
        #expect(parts.count == 2)
        let script = try #require(parts.last?.components(separatedBy: "</script>").first)
        let folder = try Workdir()
        try folder.write(script, to: "script")
        let digest = try Command("openssl", ["dgst", "-sha256", "-binary", "script"], in: folder.url).run().bytes
        #expect(page.contains("script-src 'sha256-\(Data(digest).base64EncodedString())'"))
    }

    /// Gems cost 1 EUR and gold 2; and a sale of 150 yen in February.
    private static let priced =
        sampleRows + """
            INSERT INTO listed_price (product_id, currency, price_milliunits, valid_from)
            VALUES ('gems', 'EUR', 1000, ''), ('gold', 'EUR', 2000, ''), ('pearls', 'JPY', 150000, '');
            INSERT INTO product VALUES (3, 'pearls');
            INSERT INTO purchase
                (app_id, transaction_id, product_number, purchase_date, is_trial_period, as_of, receipt_id)
            VALUES (1, 108, 3, unixepoch('2024-02-10') * 1000, 0, 0, 2);
            """

    private static func card(_ figure: String, _ value: String, _ month: String, _ before: String) -> String {
        "<div><dt>\(figure)</dt><dd>\(value)</dd><dd class=\"meaning\">\(month)<br>\(before)<"
    }

    // January: 101, for 1 EUR. February: 102 and 103, for 3, less the 1 of 101; the trial costs nothing. The newest
    // document is of 2024-03-10, so that no refund rate is known of either, which takes 60 days.
    @Test("The first screen has six figures in one currency, against the month before, and says which")
    func keyFigures() throws {
        let page = try Self.page(
            of: SampleDatabase(rows: Self.priced + "DELETE FROM purchase WHERE transaction_id = 108;"))
        #expect(page.contains(Self.card("net revenue", "2.00 <small>EUR</small>", "2024-02", "▲ 100 %, before 1.00")))
        #expect(page.contains(Self.card("refund rate", "–", "not known yet", "")))
        let names = page.components(separatedBy: "<div><dt>").dropFirst().map { $0.prefix { $0 != "<" } }
        #expect(
            Array(names.suffix(6)) == [
                "recurring revenue", "net revenue", "active subscriptions", "paid churn", "trial conversion",
                "refund rate",
            ])
        #expect(page.contains("<p class=\"remark\">Amounts are in EUR.</p>"))
        #expect(!page.contains("class=\"amber\""))
    }

    // Of February's three paid sales, 102 and 103 are in EUR and 108 is in yen: a third is left out.
    @Test("With several currencies there are no amounts until one is chosen; the omitted share is shown beside it")
    func currencies() throws {
        let database = try SampleDatabase(rows: Self.priced)
        var warnings: [ReportWarning] = []
        let open = try Self.page(of: database) { warnings.append($0) }
        #expect(open.contains(Self.card("net revenue", "–", "2 currencies, none chosen", "")))
        #expect(open.contains("Amounts are in 2 currencies, of which none is chosen:"))
        #expect(!open.contains("<small>EUR</small>") && !open.contains("<small>JPY</small>"))
        let unchosen = "none of 2 currencies is chosen: the page has no figures of amounts; its charts draw EUR and "
        #expect(warnings.map { $0.message.hasPrefix(unchosen) } == [true])
        let left = "without 33.3 % of sales, which are in other currencies"
        let chosen = try Self.page(of: database, settings: [("into_currency", "EUR")]) { warnings.append($0) }
        let amount = Self.card("net revenue", "2.00 <small>EUR</small>", "2024-02", "▲ 100 %, before 1.00")
        #expect(chosen.contains(amount + "br><span class=\"amber\">\(left)</span>"))
        #expect(chosen.contains("Drawn in EUR alone: "))
        #expect(
            warnings.last?.message
                == "the page's amounts are in EUR and leave out 1 other currency: net revenue \(left)")
        let yen = try Self.page(of: database, settings: [("into_currency", "JPY")])
        #expect(yen.contains(Self.card("net revenue", "150 <small>JPY</small>", "2024-02", "before 0")))
        #expect(yen.contains("without 66.7 % of sales"))
    }

    @Test("With rates, amounts of other currencies are converted, and nothing is left out")
    func converted() throws {
        // 150 yen are 0.90 EUR.
        let database = try SampleDatabase(rows: Self.priced)
        let file = try database.write(
            "valid_from,currency,into_currency,rate\n2024-01-01,JPY,EUR,0.006\n", to: "rates.csv")
        let converted = try Self.page(of: database, settings: [("into_currency", "EUR")], rates: RateList(path: file))
        // Rates that the database keeps convert without a word.
        let rates = "INSERT INTO exchange_rate SELECT 'JPY', day_number, 'EUR', 0.006 FROM model_days;"
        for page in [converted, try Self.page(of: SampleDatabase(rows: Self.priced + rates))] {
            #expect(
                page.contains(Self.card("net revenue", "2.90 <small>EUR</small>", "2024-02", "▲ 190 %, before 1.00")))
            #expect(page.contains("Amounts are in EUR, by the rates of their days;"))
            #expect(!page.contains("class=\"amber\""))
        }
    }

    @Test("Where no price is known, the figures in money are open and the page says what to do")
    func unpriced() throws {
        let page = try Self.page(of: SampleDatabase(rows: sampleRows))
        #expect(page.contains(Self.card("net revenue", "–", "not known yet", "")))
        #expect(page.contains("<p class=\"remark\">No price is known: signed data states prices,"))
    }

    @Test("Twelve panels follow, in the order money, subscriptions, refunds, freemium, fraud, quality, of 24 months")
    func panels() throws {
        let page = try Self.page(of: SampleDatabase(rows: Self.priced))
        let ids = page.components(separatedBy: "<article id=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(
            ids == [
                "recurring-revenue", "movements", "revenue", "active-subscriptions", "new-subscriptions",
                "subscription-churn", "subscription-retention", "trial-conversion", "refunds", "freemium-migration",
                "fraud-signals", "receipts-by-month",
            ])
        #expect(page.contains("receiptmill report revenue from=2022-04</code>"))
        // A sale in yen is in the table, and in no chart.
        #expect(page.contains("<td>JPY</td>") && !page.contains(" JPY"))
        #expect(page.contains("gold: 2 EUR"))
    }

    @Test("The page is asked of an app, months and environments, and of nothing else")
    func settings() throws {
        let database = try SampleDatabase(rows: Self.priced)
        let page = try Self.page(
            of: database, settings: [("bundle", "com.example.cards"), ("from", "2024-02"), ("until", "2024-03")])
        #expect(page.contains("bundle=com.example.cards from=2024-02 until=2024-03</code>"))
        // Signals are asked by days.
        #expect(page.contains("from=2024-02-01 until=2024-03-31</code>"))
        #expect(page.contains("<td>gems</td>"))
        let other = try Self.page(
            of: database, settings: [("bundle", "com.example.chess"), ("environment", "ProductionVPP")])
        #expect(other.contains("environment=ProductionVPP from=2022-04</code>"))
        #expect(other.contains("<td>gold</td>") && !other.contains("<td>gems</td>"))
        var warnings: [String] = []
        _ = try Self.page(of: database, settings: [("bundle", "com.example.chest")]) { warnings.append($0.message) }
        #expect(warnings == ["no receipt of the database is of the app com.example.chest"])
        let error = #expect(throws: MillError.self) { _ = try Self.page(of: database, settings: [("bundel", "x")]) }
        #expect(error?.what == "the dashboard has no parameter bundel" && error?.exitStatus == .usage)
        #expect(error?.hint?.hasPrefix("did you mean bundle?") == true)
    }

    @Test("The page says when it was made, and which days, apps and environments it covers")
    func coverage() throws {
        let page = try Self.page(of: SampleDatabase(rows: sampleRows))
        #expect(page.contains("<time datetime=\"2024-03-12T07:05:09Z\">2024-03-12 07:05</time> UTC"))
        // Receipts 1 and 2 are the oldest and the newest.
        #expect(page.contains("<dt>Days</dt><dd>2024-02-10 to 2024-03-10, by the store&#39;s dates</dd>"))
        #expect(page.contains("<dt>Months</dt><dd>2022-04 to 2024-03</dd>"))
        // By default, only the environment Production counts.
        #expect(page.contains("<dt>Apps</dt><dd>com.example.cards; not counted: com.example.chess</dd>"))
        #expect(
            page.contains("<dt>Environments</dt><dd>Production; not counted: ProductionSandbox, ProductionVPP</dd>"))
        #expect(page.contains("The figures are of 2022-03 to 2024-02.</p>"))
        let all = try Self.page(
            of: SampleDatabase(rows: sampleRows), settings: [("environment", "all"), ("from", "2024-01")])
        #expect(all.contains("<dt>Apps</dt><dd>com.example.cards, com.example.chess</dd>"))
        #expect(all.contains("<dt>Environments</dt><dd>Production, ProductionSandbox, ProductionVPP</dd>"))
        #expect(all.contains("<dt>Months</dt><dd>2024-01 to 2024-03</dd>"))
        #expect(page.contains("Days and months are those of UTC, times those of UTC."))
    }

    @Test("A line tells operators of signals, cases, the last run and the newest document")
    func standing() throws {
        let run = """
            INSERT INTO run (
                run_id, started_at, ended_at, outcome, archives, archives_known, archives_failed, lines, submissions, parts,
                receipts_new, purchases_new, rejected, version, reviews_alarms, last_receipt)
            VALUES (1, 0, 0, 'done', 2, 0, 0, 40, 11, 0, 8, 6, 2, '1', 0, 4);
            """
        let page = try Self.page(of: SampleDatabase(rows: sampleRows + run))
        #expect(page.contains("<li class=\"severity high\"><a href=\"#fraud-signals\">new high signals</a> <b>"))
        // 2 of 40 lines; of receipts 5 to 8 the last is forged; two days before the page.
        #expect(
            page.contains("last run: rejected <b>5 %</b>, <a href=\"#receipts-by-month\">untrusted</a> <b>25 %</b>"))
        #expect(page.contains("newest document <b>2 days old</b> (2024-03-10)"))
        #expect(!page.contains("all apps") && page.contains("<li>open cases <b>"))
        // For the cards, only receipts 1 and 2 were presented by a second device; for chess, only 7, in volume
        // purchases.
        let chess = try Self.page(
            of: SampleDatabase(rows: sampleRows + run),
            settings: [("bundle", "com.example.chess"), ("environment", "ProductionVPP")])
        #expect(chess.contains("open cases, all apps, all environments <b>"))
        #expect(chess.contains("last run, all apps, all environments: rejected <b>"))
        #expect(chess.contains("creation and verdict, all apps, all environments</h2>"))
        #expect(chess.contains("newest document <b>11 days old</b> (2024-03-01)"))
        let packs = try Self.page(
            of: SampleDatabase(rows: sampleRows + run), settings: [("environment", "ProductionVPP")])
        #expect(packs.contains("open cases, all environments <b>"))
        #expect(packs.contains("last run, all environments: rejected <b>"))
        let high = { (page: String) in
            page.components(separatedBy: "new high signals</a> <b>").last?.prefix { $0 != "<" } ?? ""
        }
        #expect(high(chess) != high(page))
    }

    @Test("Where the first free version is not set it is told how to set it; where it is set, it is not")
    func eraHint() throws {
        let hint = "The era of all owners is unknown. If the app once cost money, tell its first free version:"
        #expect(try !Self.page(of: SampleDatabase(rows: sampleRows)).contains(hint))
        #expect(try Self.page(of: SampleDatabase(rows: sampleRows + "DELETE FROM app_setting;")).contains(hint))
    }

    @Test("Signals have the colour of their severity in figures, charts and tables")
    func severities() throws {
        let page = try Self.page(of: SampleDatabase(rows: sampleRows))
        #expect(page.contains("<li><span class=\"key high\"></span>high</li><li><span class=\"key medium\"></span>"))
        #expect(page.contains("<td class=\"severity high\">high</td>"))
    }

    @Test("An empty database says what is missing, and draws nothing")
    func empty() throws {
        let page = try Self.page(of: SampleDatabase())
        #expect(page.contains("The database holds no trusted receipt."))
        for (panel, _) in try ReportCatalog().panels() { #expect(page.contains(HTMLText.harmless(panel.missing))) }
        #expect(!page.contains("<svg"))
        #expect(!page.contains("<table"))
    }

    @Test("Days that a wrong clock wrote do not stretch the axis")
    func wrongClocks() throws {
        let page = try Self.page(
            of: SampleDatabase(
                rows: sampleRows + "UPDATE submission SET submitted_at = unixepoch('9000-01-01') * 1000 "
                    + "WHERE account_id = 'gus';"))
        #expect(!page.contains("9000-01-01</td><td"))
        #expect(page.contains("by=month from=2022-04-01</code>"))
    }

    @Test("Long tables are cut, and say so")
    func longTable() throws {
        let database = try SampleDatabase(rows: sampleRows)
        _ = try database.write(
            Self.own.replacing(/SELECT 'gems'[^;]*/) { _ in
                """
                WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 400)
                SELECT 'p' || n AS product_id, n AS refunds, 0.5 AS rate FROM numbers ORDER BY n
                """
            }, to: "own/refunds.sql")
        let page = try Self.page(of: database, ReportCatalog(folder: database.folder.path + "/own"))
        #expect(page.contains("<summary>Table: the first 50 of 401 rows</summary>"))
        #expect(page.contains("<td>p49</td>") && !page.contains("<td>p50</td>"))
        #expect(page.contains("By product id: at most 24 in a chart, those with most."))
    }

    @Test("Two panels of one name are refused with both files")
    func sameName() throws {
        let database = try SampleDatabase()
        _ = try database.write(Self.own.replacing("place    9", with: "place    9  revenue"), to: "own/refunds.sql")
        let error = #expect(throws: MillError.self) {
            _ = try Self.page(of: database, ReportCatalog(folder: database.folder.path + "/own"))
        }
        #expect(error?.what == "the panel revenue is declared in sql/reports/money/revenue.sql too")
        #expect(error?.path?.hasSuffix("own/refunds.sql") == true)
    }
}
