internal import Foundation
import MillTestSupport
internal import ReceiptFormat
internal import Testing

@testable import ReceiptReports

/// The page as a whole.
@Suite struct DashboardTests {
    private static func page(
        of database: SampleDatabase, _ catalog: ReportCatalog = ReportCatalog()
    ) throws -> String {
        var page = ""
        // 2024-03-12 at 07:05:09 in UTC.
        try Dashboard(catalog).write(in: ReportSession(database: database.path), at: 1_710_227_109_000) { page += $0 }
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
        #expect(!page.contains("<script"))
        #expect(!page.unicodeScalars.contains("\u{202e}"))
    }

    @Test("The page runs no script and loads nothing")
    func selfContained() throws {
        let page = try Self.page(of: SampleDatabase(rows: sampleRows))
        for word in ["<script", "http://", "https://", "url(", "@import", " src="] {
            #expect(!page.contains(word))
        }
        #expect(page.contains("default-src 'none'"))
    }

    @Test("The key figures of the sample are those counted on paper")
    func keyFigures() throws {
        // Receipts 1 to 5 and 7; ann, cho, dee, fay and device B1; transactions
        // 101 to 104 and 107; 101 and 103 were refunded.
        #expect(
            try SampleDatabase(rows: sampleRows).output(of: "overview", as: .tsv).split(separator: "\n")
                .dropFirst().map { $0.split(separator: "\t").prefix(2).joined(separator: " ") }.prefix(5)
                == ["receipts 6", "owners 5", "active_subscriptions 0", "purchases 5", "refunds 2"])
    }

    @Test("The page says when it was made, and which days, apps and environments it covers")
    func coverage() throws {
        let page = try Self.page(of: SampleDatabase(rows: sampleRows))
        #expect(page.contains("<time datetime=\"2024-03-12T07:05:09Z\">2024-03-12 07:05</time> UTC"))
        // Receipts 1 and 2 are the oldest and the newest.
        #expect(page.contains("<dt>Days</dt><dd>2024-02-10 to 2024-03-10, by the store&#39;s dates</dd>"))
        #expect(page.contains("<dt>Apps</dt><dd>com.example.cards, com.example.chess</dd>"))
        #expect(page.contains("<dt>Environments</dt><dd>Production, ProductionSandbox, ProductionVPP</dd>"))
        #expect(page.contains("<a href=\"#archive-loads\">2</a>"))
    }

    @Test("An app whose first free version is not set is told how to set it; one that has it is not")
    func eraHint() throws {
        let page = try Self.page(of: SampleDatabase(rows: sampleRows))
        #expect(
            page.contains("<p class=\"remark\">ProductionVPP · com.example.chess: the era of all owners is unknown."))
    }

    @Test("Signals have the colour of their severity in figures, charts and tables")
    func severities() throws {
        let page = try Self.page(of: SampleDatabase(rows: sampleRows))
        #expect(page.contains("<div class=\"signals high\"><dt>high signals</dt>"))
        #expect(page.contains("<li><span class=\"key high\"></span>high</li><li><span class=\"key medium\"></span>"))
        #expect(page.contains("<td class=\"severity high\">high</td>"))
    }

    @Test("An empty database says what is missing, and draws nothing")
    func empty() throws {
        let page = try Self.page(of: SampleDatabase())
        #expect(page.contains("The database holds no trusted receipt."))
        #expect(page.contains("The database holds no archive yet."))
        let entries = Dashboard.topics.flatMap(\.entries)
        for entry in entries { #expect(page.contains(HTMLText.escaped(entry.missing))) }
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
        #expect(page.contains("--param from=2023-03-11 --param until=2024-06-10"))
    }

    @Test("Long tables are cut, and say so")
    func longTable() throws {
        let database = try SampleDatabase(rows: sampleRows)
        _ = try database.write(
            Self.own.replacing(/SELECT 'gems'[^;]*/) { _ in
                "SELECT 'p' || n AS product_id, n AS refunds, 0.5 AS rate FROM numbers ORDER BY n"
            }, to: "own/refunds.sql")
        let page = try Self.page(of: database, ReportCatalog(folder: database.folder.path + "/own"))
        #expect(page.contains("<summary>Table: the first 50 of 401 rows</summary>"))
        #expect(page.contains("<td>p49</td>") && !page.contains("<td>p50</td>"))
        #expect(page.contains("By product id: at most 24 in a chart, those with most."))
    }
}
