internal import Foundation
import MillTestSupport
import ReceiptMint
import ReceiptVerification
internal import TestSupport
internal import Testing

@testable import MillRun
@testable import MillSystem
@testable import ReceiptReports
@testable import ReceiptWarehouse
@testable import ReportHeaders

/// Promises that every built-in report keeps, taken from its header alone. Name,
/// columns, parameters and "one read-only SELECT" are checked by the runner.
@Suite struct BuiltInReportsTests {
    static let names = ReportCatalog().names

    @Test("The reports of the contract are built in")
    func contract() {
        for name in ["freemium-migration", "refunds", "device-hash-mismatches"] {
            #expect(Self.names.contains(name))
        }
    }

    /// Values for what has to be given.
    private static func subject(of report: Report) -> [(name: String, text: String)] {
        report.header.parameters.filter(\.isRequired).map { ($0.name, "ann") }
    }

    @Test("Every report has its header's columns and runs on an empty database", arguments: names)
    func emptyDatabase(name: String) throws {
        let report = try ReportCatalog().report(named: name)
        let output = try Self.empty.get().output(of: report, with: Self.subject(of: report))
        let header = try ReportCatalog().report(named: name).header
        let columns = header.columns.map(\.name).filter { !header.optional.contains($0) }
        #expect(output == columns.joined(separator: ",") + "\r\n")
    }

    /// A minted archive, loaded: it has something to tell to every report.
    private static let minted = Result {
        let minted = try MintedArchive.shared.get()
        var ingest = try minted.ingest(into: minted.workdir.path("reports.sqlite"))
        ingest.configuration.apps = minted.truth.apps.compactMap {
            AppSetting(parsing: "\($0.bundleId):\($0.firstFreeVersion):\($0.platform)")
        }
        _ = try ingest.run()
        return ingest.configuration.database
    }

    /// Minted owners all have an era, few subscriptions expire in one week, few documents
    /// contradict others, none of these archives holds signed data: neither renewal infos,
    /// notifications and shares of families, nor prices by storefront; and no report files of the
    /// store are loaded. What the last run left has one row.
    private static let silent: Set = [
        "archive-completeness", "billing-recovery", "external-purchase-tokens", "family-sharing",
        "notifications-by-type", "reconciliation", "refund-requests", "standing", "storefront-prices",
    ]

    @Test("Every report has a chart, or says why it has none", arguments: names)
    func chartOrReason(name: String) throws {
        let header = try ReportCatalog().report(named: name).header
        #expect(header.charts.isEmpty == (header.notes?.contains("No chart: ") ?? false))
    }

    @Test("The grain's columns are never null and identify every row", arguments: names)
    func grain(name: String) throws {
        let report = try ReportCatalog().report(named: name)
        let settings = report.header.parameters.filter(\.isRequired).map { ($0.name, "u0-1") }
        var text = ""
        try ReportRun(report, settings: settings).write(in: ReportSession(database: Self.minted.get()), as: .csv) {
            text += $0
        }
        let rows = CSVReader.rows(of: text)
        let indices = report.header.grain.compactMap { rows.first?.firstIndex(of: $0) }
        let keys = rows.dropFirst().map { row in indices.map { row[$0] } }
        #expect(keys.count > 1 || Self.silent.contains(name))
        #expect(Set(keys).count == keys.count)
        #expect(keys.allSatisfy { !$0.contains("") })
    }

    @Test("The defaults in the header are those in the statement", arguments: names)
    func defaults(name: String) throws {
        let database = try Self.sample.get()
        let report = try ReportCatalog().report(named: name)
        let settings = report.header.parameters.compactMap { parameter in
            parameter.defaultText.map { (name: parameter.name, text: $0) }
        }
        let subject = Self.subject(of: report)
        #expect(
            try database.output(of: report, with: settings + subject) == database.output(of: report, with: subject))
    }

    @Test("Every report's example runs that report", arguments: names)
    func example(name: String) throws {
        let header = try ReportCatalog().report(named: name).header
        let subject = header.parameters.contains(where: \.isRequired) ? "[^ ]+ " : ""
        let pattern = try Regex("receiptmill report \(name) \(subject)--database mill.sqlite")
        #expect(header.example.prefixMatch(of: pattern) != nil)
    }

    /// What a shell does not narrow.
    private static func everything(of report: Report) -> [(name: String, text: String)] {
        let declared = Set(report.header.parameters.map(\.name))
        return report.parameters.filter { !declared.contains($0.name) && $0.kind != .currency }.map { ($0.name, "all") }
    }

    /// Rows as a shell gives them, where money is whole thousandths.
    private static func inMilliunits(_ rows: [[String]], of header: ReportHeader) -> [[String]] {
        let places = header.columns.indices.filter { header.columns[$0].kind == .money }
        return rows.prefix(1)
            + rows.dropFirst().map { row in
                places.reduce(into: row) { row, place in
                    guard !row[place].isEmpty else { return }
                    let parts = row[place].split(separator: ".", omittingEmptySubsequences: false)
                    let fraction = ((parts.count > 1 ? String(parts[1]) : "") + "000").prefix(3)
                    row[place] = Int64(parts[0] + fraction).map(String.init) ?? row[place]
                }
            }
    }

    @Test("Every report runs unchanged in the sqlite3 shell and gives the same of everything", arguments: names)
    func shell(name: String) throws {
        guard Command.find("sqlite3") != nil else { return }
        let (database, workdir) = (try Self.sample.get(), try Workdir())
        let report = try ReportCatalog().report(named: name)
        var command = try Command("sqlite3", ["-batch", "-readonly", "-csv", "-header", database.path])
        let optional = report.header.optional.prefix(1).map { (name: $0, text: "1") }
        let settings =
            Self.subject(of: report).map { ".parameter set :\($0.name) \"'\($0.text)'\"\n" }.joined()
            + optional.map { ".parameter set :\($0.name) \($0.text)\n" }.joined()
        command.input = try workdir.write(settings + report.sql, to: "report.sql")
        let result = try command.run()
        #expect(result.status == 0)
        let rows = CSVReader.rows(of: result.output)
        let all = Self.subject(of: report) + optional + Self.everything(of: report)
        let expected = Self.inMilliunits(
            CSVReader.rows(of: try database.output(of: report, with: all)), of: report.header)
        // Without rows, the shell writes no heading either.
        #expect(rows == (expected.count == 1 ? [] : expected))
    }

    private static let empty = Result { try SampleDatabase() }

    /// The rows of every table set by hand; reports only read them.
    private static let sample = Result { try SampleDatabase(rows: sampleRows) }
}

/// Reads RFC 4180, to compare what two writers quote differently.
enum CSVReader {
    static func rows(of text: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field = ""
        var isQuoted = false
        var previous: Unicode.Scalar = "\n"
        for scalar in text.unicodeScalars {
            if scalar == "\"" {
                if !isQuoted, previous == "\"" { field.append("\"") }
                isQuoted.toggle()
            } else if isQuoted {
                field.unicodeScalars.append(scalar)
            } else if scalar == "," {
                row.append(field)
                field = ""
            } else if scalar == "\n" {
                rows.append(row + [field])
                row = []
                field = ""
            } else if scalar != "\r" {
                field.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return rows
    }
}
