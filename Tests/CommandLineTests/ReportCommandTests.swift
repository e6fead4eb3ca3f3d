internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill report` as a process: streams and exit statuses.
@Suite struct ReportCommandTests {
    @Test("The list names every report under its topic")
    func list() throws {
        let result = try Mill.run(["report", "--list"])
        #expect(result.status == 0)
        #expect(result.output.contains("\nrefunds\n  refund-owners  "))
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
            (["report", "revenue", "--database", "none.sqlite", "--prices", "none.csv"], 64),
            (["report", "revenue", "--database", "none.sqlite", "--rates", "none.csv"], 66),
            (["report", "--all", "--database", "none.sqlite", "--output", "out", "--rates", "rates.csv"], 64),
            (["report", "refunds", "--database", "none.sqlite", "--param", "from=last-0-months"], 64),
            (["report", "refunds", "--database", "none.sqlite", "--param", "from=last-7-months"], 66),
            (["report", "--list", "--output", "nowhere/list"], 73),
            (["report", "--html-dashboard", "page.html"], 64),
            (["report", "refunds", "--html-dashboard", "page.html", "--database", "none.sqlite"], 64),
            (["report", "--html-dashboard", "page.html", "--database", "none.sqlite"], 66),
            (
                [
                    "report", "refunds", "--database", "none.sqlite", "--param", "until=2000-01", "--param",
                    "from=2000-02",
                ], 64
            ),
            (["report", "fraud-subjects", "--database", "none.sqlite", "--param", "top=-1"], 64),
            (["report", "freemium-owners", "--database", "none.sqlite", "--param", "era=Free"], 64),
            (["report", "refunds", "--database", "none.sqlite", "--columns", "month,nett"], 64),
        ] as [([String], Int32)])
    func statuses(arguments: [String], status: Int32) throws {
        let result = try Mill.run(arguments)
        #expect(result.status == status)
        #expect(!result.errors.isEmpty)
        #expect(result.output.isEmpty)
    }

    @Test(
        "What does not go together is named, and so is what is missing",
        arguments: [
            (
                ["--all", "--database", "m", "--output", "o", "--format", "text"],
                "--all writes table, csv, tsv, json, jsonl, markdown or html, not text."
            ),
            (
                ["refunds", "--database", "m", "--format", "text"],
                "A report is written as table, csv, tsv, json, jsonl, markdown or html, not text."
            ),
            (["--list", "--format", "csv"], "--list writes text or json, not csv."),
            (
                ["refunds", "--database", "m", "--output", "r.parquet"],
                "A report is not written as r.parquet. receiptmill-parquet of the Python package exports reports as Parquet."
            ),
            (
                ["refunds", "--database", "m", "--output", "r.XLSX"],
                "A report is not written as r.XLSX. Spreadsheets open CSV: --output NAME.csv."
            ),
            (
                ["--all", "--database", "m"],
                "Where to? Give --output FOLDER; each report becomes a file of its name there."
            ),
            (["refunds", "--all", "--database", "m", "--output", "o"], "--all does not go with a name."),
            (
                ["refunds", "--database", "m", "one", "two"],
                "A report is about one thing, and parameters have the form name=value: two?"
            ),
            (["--list", "--fail-if-rows"], "--list does not go with --fail-if-rows."),
            (["--all", "--columns", "month"], "--all does not go with --columns."),
            (["refunds", "--describe", "--param", "from=2024-01-01"], "--describe does not go with a parameter."),
            (
                ["--html-dashboard", "d", "--database", "m", "--columns", "month"],
                "--html-dashboard does not go with --columns."
            ),
            (["--describe"], "Which report? Give its name; receiptmill report --list names them all."),
        ])
    func togetherness(arguments: [String], message: String) throws {
        let result = try Mill.run(["report"] + arguments)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("Error: \(message)\n"))
    }

    @Test("What a flag describes may have been a command that runs")
    func describedCommand() throws {
        let result = try Mill.run(["report", "fraud-signals", "--database", "none.sqlite", "--describe"])
        #expect(result.status == 0)
        #expect(result.output.contains("least severity that counts; one of low, medium, high"))
        #expect(result.output.contains("last day of submission that counts; not before from"))
    }

    @Test("A broken report is reported with its line, and the others run")
    func broken() throws {
        let loaded = try LoadedSamples()
        let broken = loaded.folder.appending(path: "broken.sql").path
        try "-- broken: Broken\n-- What?\n-- Grain: days\n".write(toFile: broken, atomically: true, encoding: .utf8)
        let list = try Mill.run(["report", "--list", "--sql", loaded.folder.path])
        #expect(list.status == 78)
        #expect(list.output.contains("refunds\n  refund-owners") && list.output.contains("  subscription-churn"))
        #expect(list.errors.hasPrefix("receiptmill: \(broken):3: the grain names no columns\nhint: "))
        let json = try Mill.run(["report", "--list", "--sql", loaded.folder.path, "--format", "json"])
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [[String: Any]])

        let other = ["report", "refunds", "--sql", loaded.folder.path, "--database", loaded.database]
        #expect(try Mill.run(other).status == 0)
        let reports = loaded.folder.appending(path: "reports").path
        let all = try Mill.run([
            "report", "--all", "--sql", loaded.folder.path, "--database", loaded.database, "--output", reports,
        ])
        #expect(all.status == 78)
        #expect(try FileManager.default.contentsOfDirectory(atPath: reports).contains("refunds.csv"))
    }

    @Test(
        "The ending of the output's name decides the format, unless --format does",
        arguments: [
            ("r.csv", [], "environment,"), ("r.tsv", [], "environment\t"), ("r.json", [], "[\n"),
            ("r.md", [], "# Refunds"), ("r.HTML", [], "<!doctype html>"), ("r.txt", [], "Refunds of"),
            ("r", [], "Refunds of"),
            ("r.csv", ["--format", "tsv"], "environment\t"), ("r.csv", ["--json"], "[\n"),
        ])
    func endings(name: String, options: [String], beginning: String) throws {
        let loaded = try LoadedSamples()
        let file = loaded.folder.appending(path: name).path
        let result = try Mill.run(["report", "refunds", "--database", loaded.database, "--output", file] + options)
        #expect(result.status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix(beginning))
    }

    @Test("Warnings go to standard error and change no exit status")
    func warnings() throws {
        let loaded = try LoadedSamples()
        let report = ["report", "refunds", "--database", loaded.database, "--format", "csv"]
        let result = try Mill.run(report + ["--param", "bundle=com.example.lume"])
        #expect(result.status == 0)
        #expect(
            result.errors.hasPrefix("receiptmill: warning: no receipt of the database is of the app com.example.lume\n")
        )
        #expect(result.errors.contains("did you mean com.example.lumen"))
        #expect(result.output.hasPrefix("environment,"))
        #expect(try Mill.run(report + ["--param", "environment=Productoin"]).status == 64)
        let rates = loaded.folder.appending(path: "rates.csv").path
        try "valid_from,currency,into_currency,rate\n".write(toFile: rates, atomically: true, encoding: .utf8)
        let churn = ["report", "subscription-churn", "--database", loaded.database, "--rates", rates]
        let unread = try Mill.run(churn)
        #expect(unread.status == 0)
        #expect(unread.errors == "receiptmill: warning: the report subscription-churn reads no rates\n")
        // What is odd about many reports is told once.
        #expect(
            try Command("sqlite3", [loaded.database, "UPDATE change_count SET changes = changes + 1"]).run().status == 0
        )
        let folder = loaded.folder.appending(path: "all").path
        let all = try Mill.run(["report", "--all", "--database", loaded.database, "--output", folder])
        #expect(all.status == 0)
        #expect(all.errors.split(separator: "\n").count { $0.contains("the models are of") } == 1)
    }

    @Test("A shell completes reports, and parameters with the values that they take")
    func completion() throws {
        func offered(_ place: String, _ words: String...) throws -> [String] {
            let request = ["---completion", "report", "--", place, "\(words.count)", "0", "receiptmill", "report"]
            return try Mill.run(request + words).output.split(separator: "\n").map(String.init)
        }
        #expect(try offered("positional@0", "").contains("refunds"))
        #expect(
            try offered("--param", "active-subscriptions", "--param", "")
                == ["environment=", "bundle=", "from=", "until=", "by=app", "by=product"])
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
        let none = ["report", "refunds", "--param", "from=9999-01", "--database", database]
        let silent = try Mill.run(none + ["--fail-if-rows"])
        #expect(silent.status == 0 && silent.errors.isEmpty)
        // The sample's documents are of 2008 to 2025.
        let reason = try Mill.run(none).errors
        #expect(reason.hasPrefix("receiptmill: warning: no rows: the newest document is of 2025-"))
        #expect(
            reason.hasSuffix(
                ", before the months that are asked for\nhint: load newer archives, or ask of earlier months: "
                    + "from=all\n"))
        let file = try Mill.run(["report", "fraud-case", "nobody"] + alarm)
        #expect(file.status == 0 && file.output.split(separator: "\r\n").count == 1)
        #expect(file.errors.hasPrefix("receiptmill: warning: the database holds nothing of nobody\nhint: "))
    }

    @Test("A query that takes longer than --timeout is stopped with the status for trying later")
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

    @Test("Prices that the database is given are those of the product they name; a list of other products is odd")
    func prices() throws {
        let loaded = try LoadedSamples()
        let report = ["report", "revenue", "--database", loaded.database, "--param", "from=all", "--format", "json"]
        func rows() throws -> [[String: Any]] {
            let output = try Mill.run(report).output
            return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
        }
        func refresh(_ prices: String) throws -> Mill.Result {
            let file = loaded.folder.appending(path: "prices.csv")
            try ("product_id,currency,price\n" + prices).write(to: file, atomically: true, encoding: .utf8)
            return try Mill.run(["refresh", "--database", loaded.database, "--prices", file.path])
        }
        let unpriced = try rows()
        #expect(!unpriced.isEmpty && unpriced.allSatisfy { $0["currency"] as? String == "(none)" })
        let product = try #require(unpriced.first { ($0["sales"] as? Int ?? 0) > 0 }?["product_id"] as? String)

        #expect(try refresh("\(product),JPY,300\n").errors.isEmpty)
        let priced = try rows().filter { $0["currency"] as? String != "(none)" }
        #expect(!priced.isEmpty)
        for row in priced {
            #expect(row["product_id"] as? String == product && row["currency"] as? String == "JPY")
            #expect(row["price_source"] as? String == "list")
            #expect((row["gross"] as? Int).map { $0 % 300 } == 0)
        }
        #expect(priced.contains { ($0["gross"] as? Int ?? 0) > 0 })

        let other = try refresh("none.of.these,EUR,1\n")
        #expect(
            other.status == 0 && other.errors.contains("no product of the database is in the price list"), "\(other)")
        #expect(try rows().count == unpriced.count)
    }

    @Test("Columns of proceeds are given where they are asked for; without a rate card they are empty, with a warning")
    func proceeds() throws {
        let loaded = try LoadedSamples()
        let card = Repository.file("pipelines/rate-card.yaml").path
        let report = ["report", "revenue", "--database", loaded.database, "--param", "from=all", "--format", "csv"]
        func heading(_ result: Mill.Result) -> String { String(result.output.prefix { !$0.isNewline }) }
        let plain = try Mill.run(report + ["--rate-card", card])
        #expect(heading(plain).hasSuffix(",is_complete") && plain.errors.isEmpty, "\(plain.errors)")
        let asked = try Mill.run(report + ["--rate-card", card, "--proceeds"])
        #expect(heading(asked) == heading(plain) + ",proceeds,proceeds_basis")
        #expect(asked.errors.isEmpty, "\(asked.errors)")
        let cardless = try Mill.run(report + ["--param", "proceeds=1"])
        #expect(heading(cardless) == heading(asked))
        #expect(cardless.status == 0 && cardless.errors.contains("no rate card is known"), "\(cardless.errors)")
        let named = try Mill.run(report + ["--columns", "month,proceeds"])
        #expect(named.status == 64 && named.errors.contains("add proceeds=1"), "\(named.errors)")
        let other = try Mill.run(["report", "refunds", "--database", loaded.database, "--proceeds"])
        #expect(other.status == 0 && other.errors.contains("has no proceeds"), "\(other.errors)")
    }

    @Test("Tables say which time zone their days are of, and months are those of that zone")
    func timeZone() throws {
        let loaded = try LoadedSamples()
        let report = ["report", "revenue", "--database", loaded.database]
        #expect(try Mill.run(report).output.contains("\nDays and months are those of UTC.\n"))
        let refresh = ["refresh", "--database", loaded.database, "--time-zone", "Asia/Tokyo", "--quiet"]
        #expect(try Mill.run(refresh).status == 0)
        for format in ["table", "markdown", "html"] {
            #expect(
                try Mill.run(report + ["--format", format]).output.contains("Days and months are those of Asia/Tokyo."))
        }
        // What tells no days says nothing of them.
        let owners = ["report", "device-hash-mismatches", "--database", loaded.database, "--columns", "bundle_id"]
        #expect(try !Mill.run(owners).output.contains("Days and months"))
    }

    @Test("The schema beside a report tells its columns")
    func schema() throws {
        let loaded = try LoadedSamples()
        let (rows, file) = (loaded.folder.appending(path: "rows.csv"), loaded.folder.appending(path: "rows.json"))
        let report = ["report", "refunds", "--database", loaded.database, "--format", "csv", "--output", rows.path]
        #expect(try Mill.run(report + ["--schema", file.path]).status == 0)
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let fields = try #require(schema?["fields"] as? [[String: String]])
        let heading = try String(contentsOf: rows, encoding: .utf8).prefix { !$0.isNewline }
        #expect(fields.compactMap { $0["name"] }.joined(separator: ",") == heading)
        #expect(fields.allSatisfy { $0["type"] != nil && $0["description"]?.isEmpty == false })
        #expect(schema?["missingValues"] as? [String] == [""])
        #expect(try Mill.run(report + ["--schema", rows.path]).status == 64)
        #expect(try Mill.run(report + ["--schema", loaded.database]).status == 64)
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

/// The sample in a database of its own.
private struct LoadedSamples {
    private let workdir: Workdir
    var folder: URL { workdir.url }
    var database: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        try Samples.copyDatabase(into: workdir)
    }
}
