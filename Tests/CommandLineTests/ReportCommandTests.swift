internal import Foundation
internal import Testing

/// `receiptmill report` as a process: streams and exit statuses.
@Suite struct ReportCommandTests {
    @Test("The list names every report under its topic")
    func list() throws {
        let result = try Mill.run(["report", "--list"])
        #expect(result.status == 0)
        #expect(result.output.contains("refunds\n  refunds"))
        let json = try Mill.run(["report", "--list", "--format", "json"])
        let reports = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        #expect(reports?.contains { $0["name"] as? String == "freemium-migration" } == true)
    }

    @Test("The SQL that is shown is a report of one's own")
    func showSQL() throws {
        let result = try Mill.run(["report", "--show-sql", "refunds"])
        #expect(result.output.hasPrefix("-- refunds: "))
        #expect(result.output.hasSuffix(";\n"))
    }

    @Test(
        "Misuse and missing files end with the statuses of sysexits",
        arguments: [
            (["report"], 64), (["report", "refund", "--database", "none.sqlite"], 64),
            (["report", "refunds"], 64), (["report", "refunds", "--list"], 64),
            (["report", "refunds", "--database", "none.sqlite"], 66),
            (["report", "refunds", "--database", "none.sqlite", "--param", "from"], 64),
            (["report", "refunds", "--database", "none.sqlite", "--param", "form=1"], 64),
            (["report", "refunds", "--database", "/dev/null"], 65),
            (["report", "--list", "--sql", "nowhere"], 66),
            (["report", "--all", "--database", "none.sqlite"], 64),
            (["report", "refunds", "--database", "none.sqlite", "--timeout", "0"], 64),
            (["report", "revenue-at-risk", "--database", "none.sqlite", "--prices", "none.csv"], 66),
            (["report", "--list", "--output", "nowhere/list"], 73),
            (["report", "--html-dashboard", "page.html"], 64),
            (["report", "refunds", "--html-dashboard", "page.html", "--database", "none.sqlite"], 64),
            (["report", "--html-dashboard", "page.html", "--database", "none.sqlite"], 66),
        ] as [([String], Int32)])
    func statuses(arguments: [String], status: Int32) throws {
        let result = try Mill.run(arguments)
        #expect(result.status == status)
        #expect(!result.errors.isEmpty)
        #expect(result.output.isEmpty)
    }

    @Test("An output file is written whole, and nothing is left beside it")
    func output() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "receiptmill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "list.txt").path
        let result = try Mill.run(["report", "--list", "--output", file])
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == Mill.run(["report", "--list"]).output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["list.txt"])
    }

    @Test("All reports are written into a folder, and rows raise the alarm where it is set")
    func allReports() throws {
        let loaded = try LoadedSamples()
        let database = loaded.database
        let reports = loaded.folder.appending(path: "reports").path
        let all = try Mill.run(["report", "--all", "--database", database, "--output", reports])
        #expect(all.status == 0)
        #expect(all.errors.isEmpty)
        let files = try FileManager.default.contentsOfDirectory(atPath: reports)
        #expect(files.contains("refunds.csv") && files.contains("subscription-churn.csv"))
        #expect(!files.contains("fraud-case.csv"))

        let alarm = ["--database", database, "--fail-if-rows", "--format", "csv"]
        #expect(try Mill.run(["report", "refunds"] + alarm).status == 1)
        #expect(try Mill.run(["report", "refunds"] + alarm + ["--param", "from=9999-01-01"]).status == 0)
        let file = try Mill.run(["report", "fraud-case", "nobody"] + alarm)
        #expect(file.status == 0 && file.output.hasPrefix("place,at,event"))
    }

    @Test("A query that takes longer than it may is stopped, and whoever runs it should try later")
    func timeout() throws {
        let loaded = try LoadedSamples()
        try """
        -- endless: Counts for ever
        -- How far does it get?
        --
        -- Grain: one row per n
        --
        -- Columns:
        --   n  integer  where it ends
        --
        -- Example:
        --   receiptmill report endless --sql . --database mill.sqlite

        WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted)
        SELECT max(n) AS n FROM counted ORDER BY 1;

        """.write(to: loaded.folder.appending(path: "endless.sql"), atomically: true, encoding: .utf8)
        let result = try Mill.run([
            "report", "endless", "--sql", loaded.folder.path, "--database", loaded.database, "--timeout", "1",
        ])
        #expect(result.status == 75)
        #expect(result.errors.contains("--timeout"))
        #expect(result.output.isEmpty)
    }

    @Test("Prices of a list are those of the product they name, in every currency")
    func prices() throws {
        let loaded = try LoadedSamples()
        let report = ["report", "revenue-at-risk", "--database", loaded.database, "--format", "json"]
        func rows(_ arguments: [String]) throws -> [[String: Any]] {
            let output = try Mill.run(arguments).output
            return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
        }
        let unpriced = try rows(report)
        #expect(unpriced.allSatisfy { $0["currency"] as? String == "(none)" })
        let product = try #require(unpriced.first?["product_id"] as? String)
        let file = loaded.folder.appending(path: "prices.csv")
        try "product_id,currency,price\n\(product),EUR,3.00\n\(product),USD,2.00\n"
            .write(to: file, atomically: true, encoding: .utf8)

        let priced = try rows(report + ["--prices", file.path]).filter { $0["product_id"] as? String == product }
        #expect(Set(priced.compactMap { $0["currency"] as? String }) == ["EUR", "USD"])
        for row in priced {
            let price: Double = row["currency"] as? String == "EUR" ? 3 : 2
            #expect(row["price"] as? Double == price)
            #expect(row["revenue"] as? Double == price * (try #require(row["units"] as? Double)))
        }
    }

    @Test("A reader that leaves early is no failure")
    func brokenPipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let result = try Mill.run(["report", "--list"], output: pipe)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
    }
}

/// The repository's samples in a database of their own; removed when the last
/// reference goes.
private final class LoadedSamples {
    let folder = FileManager.default.temporaryDirectory.appending(path: "receiptmill-\(UUID().uuidString)")
    var database: String { folder.appending(path: "mill.sqlite").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../data-samples")
        let loaded = try Mill.run([
            "ingest", samples.appending(path: "receipts-001.jsonl.gz").path, "--database", database, "--quiet",
            "--trust", samples.appending(path: "root.pem").path,
        ])
        #expect(loaded.status == 0)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
