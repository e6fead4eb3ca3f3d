internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill store-reports`, and `store_reports` of a pipeline file.
@Suite struct StoreReportsCommandTests: NightFolder {
    let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws { workdir = try Workdir() }

    private static let header = [
        "Provider", "Provider Country", "SKU", "Developer", "Title", "Version", "Product Type Identifier", "Units",
        "Developer Proceeds", "Begin Date", "End Date", "Customer Currency", "Country Code", "Currency of Proceeds",
        "Apple Identifier", "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category",
        "CMB", "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client", "Order Type",
    ].joined(separator: "\t")

    /// A row of a SALES report of one day.
    private static func sale(
        _ sku: String, units: String, proceeds: String, price: String, day: String = "03/31/2026"
    ) -> String {
        [
            "APPLE", "US", sku, "Example", "Gems", " ", "IAY", units, proceeds, day, day, "USD", "US", "USD", "6001",
            price, " ", "lumen", "Renewal", "1 Month", "Games", "", "iPhone", "iOS", "Rate After One Year", " ", " ",
            " ",
        ].joined(separator: "\t")
    }

    /// A renewal and a refund of the worked example, and a row that states no number of units.
    private func writeSales(to name: String = "S_D_1.txt") throws -> String {
        try workdir.write(
            [
                Self.header, Self.sale("gems", units: "2", proceeds: "8.49", price: "9.99"),
                Self.sale("gems", units: "-1", proceeds: "8.49", price: "-9.99"),
                Self.sale("gems", units: "many", proceeds: "8.49", price: "9.99"), "",
            ].joined(separator: "\n"), to: name)
    }

    private func load(_ arguments: String..., input: String? = nil) throws -> Mill.Result {
        try Mill.run(
            ["store-reports", "--database", database] + arguments, in: workdir.url, input: input)
    }

    private func gzip(_ name: String) throws {
        #expect(try Command("gzip", ["--keep", name], in: workdir.url).run().status == 0)
    }

    private func object(_ result: Mill.Result) throws -> [String: Any] { try object(result.bytes) }

    private func object(_ json: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    @Test("Rows stand in the view of the contract, refunds below zero, and a row that can't be read in rejections")
    func rows() throws {
        let result = try load(try writeSales())
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("S_D_1.txt: sales, 2 rows, 1 rejected\n1 file loaded, 0 known"), "\(result)")
        let contract = """
            SELECT report, file, line, begins, ends, sku, country, currency, units, gross_milliunits,
                proceeds_milliunits, proceeds_currency
            FROM store_sales ORDER BY line
            """
        #expect(
            try lines(contract) == [
                "sales|S_D_1.txt|2|2026-03-31|2026-03-31|gems|US|USD|2|19980|16980|USD",
                "sales|S_D_1.txt|3|2026-03-31|2026-03-31|gems|US|USD|-1|-9990|-8490|USD",
            ])
        let columns = try Stored(database).lines("SELECT name FROM pragma_table_info('store_sales') LIMIT 12")
        #expect(contract.contains(columns[..<10].joined(separator: ", ").prefix(60)))
        #expect(try lines("SELECT archive, line, dismissed FROM rejections") == ["S_D_1.txt|4|0"])
        #expect(try lines("SELECT rows, rejected FROM store_file") == ["2|1"])
        #expect(try Mill.run(["check", "--database", database]).status == 0)
    }

    @Test("A file is known by its text, whatever its name, its compression and its way in")
    func known() throws {
        let file = try writeSales()
        try gzip("S_D_1.txt")
        try FileManager.default.moveItem(atPath: file, toPath: workdir.path("other.tsv"))
        #expect(try load("S_D_1.txt.gz").status == 0)
        let before = try lines("SELECT * FROM store_sale") + lines("SELECT changes FROM change_count")
        for (name, input) in [("other.tsv", nil), ("-", "S_D_1.txt.gz"), ("-", "other.tsv")] as [(String, String?)] {
            let result = try load(name, "--json", input: input.map(workdir.path))
            #expect(result.status == 0, "\(result)")
            let summary = try object(result)
            #expect(summary["files_known"] as? Int == 1 && summary["rows"] as? Int == 0, "\(summary)")
        }
        #expect(try lines("SELECT * FROM store_sale") + lines("SELECT changes FROM change_count") == before)
        #expect(try load("other.tsv").output.hasPrefix("other.tsv: loaded before as S_D_1.txt.gz, nothing to do\n"))
    }

    @Test("Files that are refused are named with a remedy, and the others are loaded whole")
    func refused() throws {
        let file = try writeSales()
        try gzip("S_D_1.txt")
        try workdir.write(Array(try workdir.read("S_D_1.txt.gz").dropLast(30)), to: "cut.txt.gz")
        try workdir.write("{\"receipt\":\"MIIB\"}\n", to: "night.jsonl")
        try workdir.write("name,price\ngems,1\n", to: "prices.csv")
        try workdir.write([], to: "empty.txt")
        try workdir.write(try workdir.read("S_D_1.txt.gz"), to: "twice")
        try gzip("twice")
        try FileManager.default.createDirectory(atPath: workdir.path("folder"), withIntermediateDirectories: true)
        for (name, status, what) in [
            ("cut.txt.gz", 65, "cut short"), ("night.jsonl", 65, "receiptmill ingest"),
            ("prices.csv", 65, "prices.csv"), ("twice.gz", 65, "the text is gzip again"),
            ("empty.txt", 65, "empty.txt"), ("folder", 66, "name the files in it"), ("none.txt", 66, "can't be opened"),
        ] as [(String, Int32, String)] {
            let result = try load(name, "--format", "json")
            #expect(result.status == status && result.errors.contains(what), "\(result)")
            #expect(try object(result)["files_refused"] as? Int == 1)
        }
        #expect(try lines("SELECT count(*) FROM store_file") == ["0"])
        let result = try load("cut.txt.gz", file, "night.jsonl")
        #expect(result.status == 65 && result.output.contains("1 file loaded, 0 known, 2 refused"), "\(result)")
        #expect(try lines("SELECT count(*) FROM store_sales") == ["2"])
    }

    /// First lines as files of the store have them: subscribers, events, offer codes, payments of 2014 with and without
    /// quotes, finance detail, financial, and subscriptions.
    private static let beginnings = [
        "Event Date\tApp Name\tApp Apple ID\tSubscription Name", "Event Date\tEvent\tApp Name\tApp Apple ID",
        "Date\tApp Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\tOffer Reference Name",
        "\"iTunes Connect - Payments and Financial Reports\t(September, 2014)\",,,,,,,,,,,,",
        "iTunes Connect - Zahlungen und Finanzberichte\t(M\u{e4}rz, 2014),,,,,,,,,,,,", "Vendor Name\tEXAMPLE VENDOR",
        "Start Date\tEnd Date\tUPC\tISRC/ISBN", "App Name\tApp Apple ID\tSubscription Name",
    ]

    @Test("ingest names the command for report files", arguments: [header] + beginnings)
    func archiveByMistake(beginning: String) throws {
        let file = try workdir.write(beginning + "\nrow\n", to: "report.txt")
        try gzip("report.txt")
        for name in [file, file + ".gz"] {
            let result = try Mill.run(["ingest", name, "--database", database])
            #expect(result.status == 65 && result.errors.contains("receiptmill store-reports"), "\(result)")
        }
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test("A retracted file is gone, and can be loaded again")
    func retracted() throws {
        let file = try writeSales()
        #expect(try load(file).status == 0)
        let plan = try Mill.run(["retract", "S_D_1.txt", "--database", database, "--dry-run"])
        #expect(plan.output.hasPrefix("would retract S_D_1.txt (SHA-256 "), "\(plan)")
        #expect(plan.output.hasSuffix("…): 2 rows, 1 rejected\n"), "\(plan)")
        #expect(try lines("SELECT count(*) FROM store_sales") == ["2"])
        #expect(try Mill.run(["retract", "S_D_1.txt", "--database", database]).status == 0)
        for table in ["store_file", "store_sale", "store_rejection"] {
            #expect(try lines("SELECT count(*) FROM \(table)") == ["0"])
        }
        #expect(try lines("SELECT archive, lines, loaded_lines FROM retractions") == ["S_D_1.txt|3|2"])
        #expect(try load(file).output.contains("1 file loaded"))
    }

    @Test("The summary in JSON says how the load ended, whatever ended it", .timeLimit(.minutes(1)))
    func outcomes() throws {
        let file = try writeSales()
        func outcome(_ summary: [String: Any]) -> [String?] {
            let error = summary["error"] as? [String: Any]
            return [
                summary["outcome"] as? String, (summary["exit_status"] as? Int).map(String.init),
                error?["code"] as? String,
            ]
        }
        let gone = ["store-reports", file, "--json", "--database", workdir.path("none/mill.sqlite")]
        let failed = try Mill.run(gone)
        #expect(failed.status == 73, "\(failed)")
        #expect(try outcome(object(failed)) == ["failed", "73", "cannot_create"])
        #expect(try outcome(object(load(file, "--json"))) == ["done", "0", nil])
        #expect(try outcome(object(load(file, "none.txt", "--json"))) == ["incomplete", "66", nil])

        try #require(mkfifo(workdir.path("pipe"), 0o600) == 0)
        let process = Process()
        process.executableURL = Mill.binary
        process.arguments = ["store-reports", file, workdir.path("pipe"), "--json", "--database", database]
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        // The pipe can be opened as soon as the command reads it, and nothing is written to it.
        var writer: Int32 = -1
        Waiting.until {
            writer = open(workdir.path("pipe"), O_WRONLY | O_NONBLOCK)
            return writer >= 0 || !process.isRunning
        }
        defer { close(writer) }
        kill(process.processIdentifier, SIGTERM)
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 75)
        let stopped = try object(bytes)
        #expect(outcome(stopped) == ["stopped", "75", "try_later"])
        #expect(stopped["files_known"] as? Int == 1)
    }

    @Test("A night loads the files that its patterns find, once, and goes on behind one that is refused")
    func night() throws {
        try deliver()
        try FileManager.default.createDirectory(atPath: workdir.path("store"), withIntermediateDirectories: true)
        _ = try writeSales(to: "store/S_D_1.txt")
        let file = try write("store_reports: ['store/*.txt']\n")
        let plan = try Mill.run(["run", file, "--dry-run"])
        #expect(plan.status == 0 && plan.output.contains("/store/S_D_1.txt: load, sales\n"), "\(plan)")
        let first = try Mill.run(["run", file, "--json"])
        #expect(first.status == 0, "\(first)")
        let summary = try object(first)
        #expect(summary["store_files"] as? Int == 1 && summary["store_rows"] as? Int == 2)
        #expect(summary["store_rows_rejected"] as? Int == 1)
        #expect(try lines("SELECT count(*) FROM store_sales") == ["2"])

        try workdir.write("no report\n", to: "store/a.txt")
        let second = try Mill.run(["run", file, "--json"])
        #expect(second.status == 65, "\(second)")
        #expect(try object(second)["store_files_known"] as? Int == 1)
        #expect(try object(second)["failures"] as? Int == 1)
        #expect(try Mill.run(["run", file, "--dry-run"]).output.contains("/store/S_D_1.txt: loaded before\n"))
    }

    @Test("A pipe among the files that a pattern finds is named as what it is")
    func foundPipe() throws {
        try deliver()
        try FileManager.default.createDirectory(atPath: workdir.path("store"), withIntermediateDirectories: true)
        try #require(mkfifo(workdir.path("store/pipe.txt"), 0o600) == 0)
        let result = try Mill.run(["run", try write("store_reports: ['store/*.txt']\n")])
        #expect(result.status == 66, "\(result)")
        #expect(result.errors.contains("pipe.txt: is a pipe, a socket or a device, and no regular file"), "\(result)")
    }

    @Test("An archive is no report file as well")
    func archiveAsReport() throws {
        try deliver()
        let result = try Mill.run(["run", try write("store_reports: [in/a.gz]\n"), "--dry-run"])
        #expect(result.status == 78 && result.errors.contains("a.gz is an archive"), "\(result)")
    }
}
