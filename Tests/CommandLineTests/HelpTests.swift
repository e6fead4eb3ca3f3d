internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Help and hints", .timeLimit(.minutes(5)))
struct HelpTests {
    /// Names of the commands, as the program's own help groups them.
    private static func commands() throws -> [String] {
        try Mill.run(["--help"]).output.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
            .filter { $0.first?.isLetter == true && !["receiptmill", "See"].contains($0) }
    }

    @Test("The five everyday commands come first")
    func groups() throws {
        #expect(try Self.commands().prefix(5) == ["ingest", "report", "status", "run", "verify"])
        #expect(try Self.commands().count == 25)
    }

    @Test("A command's help fits on 45 lines and begins with usage and examples; --help-all has the rest")
    func lengths() throws {
        for command in try Self.commands() {
            let (short, whole) = (try Mill.run([command, "--help"]), try Mill.run([command, "--help-all"]))
            #expect(short.status == 0 && whole.status == 0, "\(command)")
            let lines = short.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 45, "\(command): \(lines.count) lines")
            // version has no options of its own.
            if command != "version" {
                let start = lines.prefix(15)
                #expect(start.contains { $0.hasPrefix("USAGE:") }, "\(command): \(start)")
                #expect(start.contains("Examples:") && start.allSatisfy { $0.count <= 120 }, "\(command): \(start)")
                #expect(start.contains { $0.hasSuffix("receiptmill \(command) --help-all") }, "\(command)")
            }
            #expect(whole.output.utf8.count >= short.output.utf8.count - 100, "\(command)")
            #expect(try Mill.run([command, "-h"]).output == short.output, "\(command)")
        }
        #expect(try !Mill.run(["ingest", "--help"]).output.contains("--max-line"))
        #expect(try Mill.run(["ingest", "--help-all"]).output.contains("--max-line <bytes>"))
        #expect(try Mill.run(["help", "ingest", "--help-all"]).output.contains("--max-line <bytes>"))
    }

    @Test("What was mistyped is named rightly")
    func hints() throws {
        for (words, hint) in [
            (["inget", "x"], "did you mean receiptmill ingest?"),
            (["ingest", "x", "--databse", "y"], "Did you mean '--database'?"),
            (["report", "refund", "--database", Samples.archive], "did you mean refunds, "),
            (["report", "refunds", "--bundle", "x"], "bundle is a parameter: write bundle=VALUE"),
            (["report", "refunds", "--into-currency=EUR"], "into_currency is a parameter: write into_currency=VALUE"),
            (["report", "refunds", "--into_currency", "EUR"], "into_currency is a parameter"),
        ] {
            let result = try Mill.run(words)
            #expect(result.status == 64 && result.errors.contains(hint), "\(words): \(result)")
        }
    }
}

@Suite("The database that no option names", .timeLimit(.minutes(5)))
struct UnnamedDatabaseTests {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    /// Runs a command in the folder, which has no database at first.
    private func run(_ arguments: [String], variable: String? = nil) throws -> Mill.Result {
        var command = try Command(Mill.binary.path, arguments, in: workdir.url)
        command.environment = ["RECEIPTMILL_DATABASE": variable ?? ""]
        return try command.run()
    }

    @Test("is that of the environment, else the only one in the folder, which is told")
    func choice() throws {
        let none = try run(["report", "standing"])
        #expect(none.status == 64 && none.errors.contains("no database is named"), "\(none)")
        #expect(try run(["init", "--database", "mill.sqlite"]).status == 0)
        // What is no database of ReceiptMill is passed over.
        _ = try workdir.write("SQLite format 3", to: "other.sqlite")
        let only = try run(["check"])
        #expect(
            only.status == 0 && only.errors.contains("database: mill.sqlite, the only one in this folder"), "\(only)")
        #expect(try run(["check", "--quiet"]).errors.isEmpty)
        #expect(try run(["init", "--database", "second.db"]).status == 0)
        let several = try run(["check", "--quiet"])
        #expect(
            several.status == 64 && several.errors.contains("this folder has 2 databases: mill.sqlite, second.db"),
            "\(several)")
        let named = try run(["check", "--quiet"], variable: "second.db")
        #expect(named.status == 0 && named.errors.isEmpty, "\(named)")
    }

    @Test("is not asked for where an option or a pipeline file names one")
    func named() throws {
        #expect(try run(["check", "--quiet", "-d", "absent.sqlite"], variable: "second.db").status == 66)
        let file = try workdir.write(
            "database: mill.sqlite\narchives: [{path: '*.gz'}]\ncreate: true\n", to: "night.yaml")
        let loaded = try run(
            ["ingest", Samples.archive, "--pipeline", file, "--trust", Samples.root, "--no-refresh", "--quiet"],
            variable: "other.sqlite")
        #expect(loaded.status == 0, "\(loaded)")
        #expect(FileManager.default.fileExists(atPath: workdir.path("mill.sqlite")))
        #expect(!FileManager.default.fileExists(atPath: workdir.path("other.sqlite")))
    }

    @Test("A report's parameters are words with =")
    func words() throws {
        let loaded = try run([
            "ingest", Samples.archive, "--trust", Samples.root, "--database", "mill.sqlite", "--quiet",
        ])
        #expect(loaded.status == 0, "\(loaded)")
        let words = try run(["report", "freemium-migration", "bundle=com.example.tideline", "--format", "csv"])
        let option = try run([
            "report", "freemium-migration", "--param", "bundle=com.example.tideline", "--format", "csv",
        ])
        #expect(words.status == 0 && words.output == option.output && words.output.contains("tideline"), "\(words)")
        // Accounts and devices may hold signs of equality.
        for subject in ["q83vEjRWeJCrze8SNFZ4kA==", "tenant=7"] {
            #expect(try run(["report", "fraud-case", subject]).status == 0, "\(subject)")
        }
        let own =
            "-- tops: Tops\n-- Which?\n--\n-- Grain: one row per value\n--\n-- Parameters:\n--   :top10  integer  1  how many\n"
            + "--\n-- Columns:\n--   value  integer  the number\n--\n-- Example:\n--   receiptmill report tops\nSELECT CAST(:top10 AS BIGINT) AS value;\n"
        _ = try workdir.write(own, to: "tops.sql")
        let digits = try run(["report", "tops", "top10=2", "--sql", ".", "--format", "csv"])
        #expect(digits.status == 0 && digits.output == "value\r\n2\r\n", "\(digits)")
    }

    @Test("is never replaced by an output, nor taken by a command that removes something")
    func safety() throws {
        #expect(try run(["init", "--database", "mill.sqlite"]).status == 0)
        let before = try workdir.read("mill.sqlite")
        for variable in ["", "mill.sqlite"] {
            for option in ["--output", "--schema"] {
                let result = try run(["report", "standing", option, "mill.sqlite"], variable: variable)
                #expect(result.status == 64, "\(option): \(result)")
            }
            for words in [["erase", "--account", "x"], ["retract", "x"], ["compact"], ["regrade"], ["migrate"]] {
                #expect(try run(words, variable: variable).status == 64, "\(words)")
            }
        }
        #expect(try workdir.read("mill.sqlite") == before)
    }
}
