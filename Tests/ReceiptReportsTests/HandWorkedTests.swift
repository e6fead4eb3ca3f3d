internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable import MillDatabase
@testable import MillRun
@testable import MillSystem
@testable import ReceiptReports
@testable import ReceiptWarehouse

/// Cases whose answers were worked out on paper, each in a folder of `HandWorked`:
/// `told.jsonl` holds what is loaded, as ``CompactLine`` reads it; `REPORT.csv` and
/// `REPORT,name=value,name=value.csv` what a report answers, with LF as line end.
/// `prices.csv` is the price list and `time_zone` the zone of the case's database; `rates.csv`
/// is given to every run. `tables/NAME.csv` holds rows of a table of the database, as of report files or a rate card.
@Suite struct HandWorkedTests {
    private static let folder = Repository.file("Tests/ReceiptReportsTests/HandWorked")
    private static let lists: Set = ["prices.csv", "rates.csv"]

    private static let cases = Result {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test("There are hand-worked cases")
    func anyCase() throws { #expect(try !Self.cases.get().isEmpty) }

    @Test("The reports answer what was worked out by hand", arguments: (try? cases.get()) ?? [])
    func answers(name: String) throws {
        let folder = Self.folder.appending(path: name)
        let answers = try Self.answers(in: folder)
        #expect(!answers.isEmpty, "no REPORT.csv in \(folder.path)")

        let workdir = try Workdir()
        let database = try Self.load(folder, in: workdir)
        for answer in answers {
            let expected = try String(contentsOf: folder.appending(path: answer), encoding: .utf8)
            let found = try Self.text(of: answer, folder, database)
            #expect(found == expected, "\(name)/\(answer): \(Self.difference(found, expected))")
        }
    }

    @Test("The reports answer the same where documents come in several nights", arguments: (try? cases.get()) ?? [])
    func answersByNights(name: String) throws {
        let folder = Self.folder.appending(path: name)
        let workdir = try Workdir()
        let database = workdir.path("mill.sqlite")
        try Self.keepSettings(of: folder, in: database)
        let told = try String(contentsOf: folder.appending(path: "told.jsonl"), encoding: .utf8)
        let lines = try CompactLine.decoded(told).split(separator: "\n")
        let size = max(1, lines.count / Nightly.rounds(day: 2, night: 8))
        for (night, start) in stride(from: 0, to: lines.count, by: size).enumerated() {
            let part = lines[start..<min(start + size, lines.count)].joined(separator: "\n") + "\n"
            try Self.load(part, "\(night).decoded", refreshes: false, in: workdir)
            // A few documents concern more than a quarter of a case.
            let state = try DatabaseQueue(path: database).writeWithoutTransaction { db in
                try ModelRefresh.run(db, maximumShare: 1)
            }
            #expect(night == 0 || [nil, .notification].contains(state?.wholeBecause), "\(name), night \(night)")
        }
        // The report entitlement-case names archives and lines.
        for answer in try Self.answers(in: folder) where !answer.hasPrefix("entitlement-case") {
            let expected = try String(contentsOf: folder.appending(path: answer), encoding: .utf8)
            let found = try Self.text(of: answer, folder, database)
            #expect(found == expected, "\(name)/\(answer): \(Self.difference(found, expected))")
        }
    }

    @Test(
        "The overview converts recurring revenue at a month's end by that day's rate, like the report recurring-revenue"
    )
    func overview() throws {
        let folder = Self.folder.appending(path: "converted-closings")
        let workdir = try Workdir()
        let database = try Self.load(folder, in: workdir)
        let found = try Self.text(of: "overview,into_currency=EUR.csv", folder, database)
        let closings = found.split(separator: "\n").filter { $0.hasPrefix("1,recurring_revenue,2025-") }
        #expect(
            closings.map { $0.split(separator: ",")[2...4].joined(separator: ",") } == [
                "2025-01,50.00,EUR", "2025-02,85.00,EUR",
            ])
    }

    @Test("The first query of docs/analyst.md counts sales and gross like the report revenue")
    func firstQuery() throws {
        let folder = Self.folder.appending(path: "first-query")
        let workdir = try Workdir()
        let database = try Self.load(folder, in: workdir)
        let page = try String(contentsOf: Repository.file("docs/analyst.md"), encoding: .utf8)
        let query = try #require(page.firstMatch(of: /"\n( +SELECT month, currency[^"]+)"/)?.output.1)
        let rows = try DatabaseQueue(path: database).read { try Row.fetchAll($0, sql: String(query)) }
        // September: 10 and 20 USD. The trial is not a sale; the amount refunded in October was still charged in
        // September.
        #expect(
            rows.map { $0.databaseValues.map(\.description).joined(separator: ",") } == [
                #""2026-09","USD",2,30.0"#, #""2026-10","USD",1,10.0"#,
            ])
    }

    /// Loads the documents of a case into a database.
    private static func load(_ folder: URL, in workdir: Workdir) throws -> String {
        let told = try String(contentsOf: folder.appending(path: "told.jsonl"), encoding: .utf8)
        let database = workdir.path("mill.sqlite")
        try keepSettings(of: folder, in: database)
        try load(CompactLine.decoded(told), "told.decoded", in: workdir)
        return database
    }

    /// Loads decoded lines as an archive.
    private static func load(_ lines: String, _ name: String, refreshes: Bool = true, in workdir: Workdir) throws {
        var load = Load(
            files: [try workdir.write(lines, to: name)], LoadConfiguration(database: workdir.path("mill.sqlite")))
        (load.configuration.jobs, load.configuration.refreshes) = (1, refreshes)
        let summary = try load.run()
        try #require(summary.failures.isEmpty, "\(summary.failures)")
        #expect(summary.rejectedShare == 0)
    }

    /// The files with the answers of a case.
    private static func answers(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".csv") && !lists.contains($0) }.sorted()
    }

    /// A report's answer, by the name of the answer's file.
    private static func text(of answer: String, _ folder: URL, _ database: String) throws -> String {
        var run = try run(answer)
        if text("rates.csv", in: folder) != nil {
            run.rates = try RateList(path: folder.appending(path: "rates.csv").path)
        }
        var found = ""
        try run.write(in: ReportSession(database: database), as: .csv) { found += $0 }
        return found.replacing("\r\n", with: "\n")
    }

    /// The report of an answer's file name, with its parameters: what follows a comma
    /// without an equals sign belongs to the value before it.
    private static func run(_ answer: String) throws -> ReportRun {
        let parts = answer.dropLast(".csv".count).split(separator: ",").map(String.init)
        var settings: [(name: String, text: String)] = []
        for part in parts.dropFirst() {
            if let mark = part.firstIndex(of: "=") {
                settings.append((String(part[..<mark]), String(part[mark...].dropFirst())))
            } else if !settings.isEmpty {
                settings[settings.count - 1].text += "," + part
            } else {
                throw CompactLine.Fault(description: "\(answer): \(part) is no parameter's name and value")
            }
        }
        return try ReportRun(ReportCatalog().report(named: parts.first ?? ""), settings: settings)
    }

    /// Lets go of the database, which a load then takes.
    private static func keepSettings(of folder: URL, in path: String) throws {
        let database = try Warehouse(path: path)
        if let zone = text("time_zone", in: folder) { try database.settings.save(timeZone: LocalCalendar(zone: zone)) }
        if text("prices.csv", in: folder) != nil {
            try database.settings.save(ListedPrice.list(inFile: folder.appending(path: "prices.csv").path))
        }
        let tables = folder.appending(path: "tables")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: tables.path))?.sorted() ?? []
        for file in files where file.hasSuffix(".csv") {
            try database.transaction { try insert(text(file, in: tables) ?? "", into: String(file.dropLast(4)), $0) }
        }
    }

    /// A cell as the loader would store it: identifiers of transactions are numbers, too.
    private static func value(_ cell: Substring) -> (any DatabaseValueConvertible)? {
        if let number = Int64(cell) { return number }
        return cell.isEmpty ? nil : String(cell)
    }

    /// Inserts the rows of a CSV without quotes, whose first line names columns; an empty cell is null.
    private static func insert(_ text: String, into table: String, _ db: Database) throws {
        let rows = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        guard var columns = rows.first?.map(String.init) else { return }
        // Columns that a report file always has, and of which no answer depends.
        let isFile = table == "store_file"
        if isFile { columns += ["sha256", "loaded_at"] }
        let marks =
            Array(repeating: "?", count: columns.count - (isFile ? 2 : 0)) + (isFile ? ["randomblob(32)", "0"] : [])
        for row in rows.dropFirst() {
            try db.execute(
                sql:
                    "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))",
                arguments: StatementArguments(row.map(Self.value)))
        }
    }

    /// What a file of the case holds, without its last line end; nil where it has none.
    private static func text(_ name: String, in folder: URL) -> String? {
        (try? String(contentsOf: folder.appending(path: name), encoding: .utf8))?.trimmingCharacters(in: .newlines)
    }

    /// The lines that differ: `-` was worked out, `+` is what the report answers.
    private static func difference(_ found: String, _ expected: String) -> String {
        let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
        return lines(found).difference(from: lines(expected)).map { change in
            switch change {
            case .insert(_, let line, _): "\n+ \(line)"
            case .remove(_, let line, _): "\n- \(line)"
            }
        }.joined()
    }
}
