internal import ArgumentParser
internal import Foundation
internal import Logging
internal import MillConfiguration
internal import MillDatabase
internal import MillRun
internal import MillSystem
internal import ReceiptReports
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// `receiptmill try`: loads the sample that is compiled into the program, and shows the results.
struct TryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "try", "See what comes of a sample: a database, a page, three reports.",
        examples: """
            receiptmill try
            receiptmill try /tmp/sample
            """,
        details: """
            The sample is two years of a company that does not exist: two apps, 250 subscriptions, a price \
            rise, teams with seats, receipts of older versions, refunds, forgeries, and purchases that several \
            accounts present. A throw-away authority signed it, whose root goes into the folder beside it. \
            Nothing is sent anywhere.

            Exit status: 0 done; 73 the folder is there already, or can't be made.
            """)

    @Argument(help: "The folder to make.", completion: .directory)
    var folder = "receiptmill-sample"

    /// For each app of the sample, the version from which the app is free.
    private static let apps = [("com.example.lumen", "100"), ("com.example.tideline", "1.10")]
    private static let reports = [
        "recurring-revenue from=2026-07 until=2026-09", "refunds from=2026-04 until=2026-06",
        "fraud-queue kind=account top=5",
    ]

    private func path(_ name: String) -> String { (folder as NSString).appendingPathComponent(name) }
    private var removal: String { "rm -r \(ShellWords.quoted(folder))" }
    private var database: String { path("mill.sqlite") }
    private var page: String { path("page.html") }
    private var rates: String { path(SampleFile.rates.rawValue) }

    func run() throws {
        try makeFolder()
        do {
            try show(try fillFolder())
        } catch let error as MillError {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        openPage()
    }

    /// Loads the sample and writes the page that shows it.
    private func fillFolder() throws -> RunSummary {
        for file in SampleFile.allCases { try file.write(to: path(file.rawValue)) }
        let summary = try load()
        try keepRates()
        try writePage()
        return summary
    }

    private func show(_ summary: RunSummary) throws {
        let arguments = [
            "ingest", path(SampleFile.archive.rawValue), "--trust", path(SampleFile.root.rawValue), "--database",
            database,
        ]
        let refresh = ["refresh", "--quiet", "--rates", rates, "--database", database]
        try Console.write("$ \(ShellWords.line(arguments))\n\(summary.text)\n$ \(ShellWords.line(refresh))\n\n")
        let session = try ReportSession(database: database)
        for report in Self.reports { try show(report, in: session) }
        try Console.write(closing)
    }

    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: folder)
            throw MillError(
                stage: .loading, path: folder, what: isThere ? "is there already" : "can't be made",
                hint: isThere
                    ? "\(removal) removes it; receiptmill try FOLDER makes another"
                    : "receiptmill try FOLDER makes one in a place that you may write to",
                exitStatus: .cannotCreate)
        }
    }

    private func load() throws -> RunSummary {
        var configuration = LoadConfiguration(database: database)
        configuration.anchors = try TrustAnchors(arguments: [path(SampleFile.root.rawValue)], withoutMarkers: [])
        configuration.apps = Self.apps.map { AppSetting(bundleID: $0.0, firstFreeVersion: $0.1, platform: nil) }
        let log = RunLog(format: .text, level: .warning, archives: 1)
        defer { log.clear() }
        return try Ingest(archives: [path(SampleFile.archive.rawValue)], configuration).run { log.write($0) }
    }

    /// Stores exchange rates, so that all amounts can be stated in one currency.
    private func keepRates() throws {
        let database = try Warehouse(path: database)
        try database.settings.save(RateList(path: rates).kept(into: nil, named: "--currency"))
        try database.emptyLog()
    }

    private func show(_ command: String, in session: ReportSession) throws {
        let words = command.split(separator: " ").map(String.init)
        let settings = words.dropFirst().compactMap(ReportSetting.init(word:)).map { ($0.name, $0.text) }
        let run = try ReportRun(ReportCatalog().report(named: words[0]), settings: settings)
        try Console.write("$ \(ShellWords.line(["report"] + words + ["--database", database]))\n")
        let layout = TableLayout(width: Console.width(), isStyled: Console.isStyled)
        _ = try run.write(
            in: session, as: .table, layout: layout, warn: { Console.complain($0.description) },
            to: Console.isStyled ? Console.writeStyled : Console.write)
        try Console.write("\n")
    }

    private func writePage() throws {
        let dashboard = Dashboard(ReportCatalog())
        let session = try ReportSession(database: database, isBounded: true)
        try OutputFile.write(to: page) {
            try dashboard.write(in: session, warn: { Console.complain($0.description) }, to: $0)
        }
    }

    private var closing: String {
        """
        The same as a page: \(URL(filePath: page).absoluteURL.absoluteString)

        Go on:
          receiptmill report --list
          sqlite3 \(ShellWords.quoted(database)) 'SELECT * FROM subscriptions LIMIT 5'
          receiptmill ingest YOUR-ARCHIVE.jsonl.gz --database mill.sqlite

        Everything is in \(folder); \(removal) removes it.

        """
    }

    /// Opens the page if a person with a desktop uses the terminal.
    private func openPage() {
        let environment = ProcessInfo.processInfo.environment
        let opener = "/usr/bin/xdg-open"
        guard isatty(STDOUT_FILENO) == 1, environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil,
            FileManager.default.isExecutableFile(atPath: opener)
        else { return }
        let process = Process()
        process.executableURL = URL(filePath: opener)
        process.arguments = [page]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        // If the page can't be opened, its address is printed above.
        try? process.run()
    }
}
