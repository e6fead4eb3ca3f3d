internal import ArgumentParser
internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse
internal import RunGuide
internal import StoreLoading

/// `receiptmill store-reports`: loads the App Store's own report files.
struct StoreReportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "store-reports", "Load the App Store's sales and finance files.",
        usage: "receiptmill store-reports <file>... [--database <file>] [<options>]",
        examples: """
            receiptmill store-reports S_D_*.txt.gz --database mill.sqlite
            zcat FD_0226.txt.gz | receiptmill store-reports - --database mill.sqlite
            """,
        details: """
            Takes the files that App Store Connect gives developers, as they were downloaded: SALES, SUBSCRIPTION, \
            SUBSCRIPTION_EVENT, SUBSCRIBER, PRE_ORDER, offer codes, FINANCIAL, FINANCE_DETAIL and payments; gzip or \
            plain; of any age. Their headers say which is which, never their names.

            A file is known by its text: loading it again, under any name or compression, changes nothing. A longer \
            version of a loaded file replaces it, if it has the same name and begins with all of its text. If two \
            files of one account state the same days, only the one loaded last counts, even if it lacks a row; a \
            warning names both. A row that can't be read is in the view rejections, with file, line and reason; the \
            others are loaded. Sales and money are in the view store_sales, all other rows in store_rows. receiptmill \
            retract removes a file.

            A file stays known by its text, its rejected rows too: for a newer version of receiptmill to read them, \
            retract the file and load it again. --format json ends with outcome (done, incomplete, stopped, failed) \
            and exit_status, whatever ends the load.

            Exit status: 0 all files are loaded; 65 a file is damaged, or no report of the store, and the others are \
            loaded; 66 a file is missing, and the others are loaded; 73, 74 the database can't be written; 75 a run is \
            loading into it, or this one was asked to stop.
            """)

    @Argument(
        help: ArgumentHelp("Report files, or patterns of them; - is standard input.", valueName: "file"),
        completion: .file())
    var files: [String]

    @OptionGroup var target: DatabaseOption

    @Flag(inversion: .prefixedNo, help: .refresh)
    var refresh = true

    @Option(help: .wait)
    var wait: WaitingTime?

    @OptionGroup var output: SummaryOptions

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    func validate() throws { try checkInputs(files) }

    func run() throws {
        let stop = CancellationFlag()
        StopSignals.make(stop)
        var outcome = StoreLoadOutcome()
        do {
            try load(stop, &outcome)
        } catch let error as MillError {
            // The failure decides the exit status, even if the summary can't be written.
            if output.isJSON {
                try? Console.writeJSON(outcome.object(stop.isCancelled ? .stopped : .failed, endedBy: error))
            }
            throw error
        }
        try summarise(outcome)
        if let failure = outcome.failures.first { throw ExitCode(failure.exitStatus.rawValue) }
    }

    /// - Throws: ``MillError`` if the database fails or a signal ends the load; files that were loaded before are kept.
    private func load(_ stop: CancellationFlag, _ outcome: inout StoreLoadOutcome) throws {
        let database = try Warehouse(
            path: target.path, waiting: wait.map { RunLock.Wait(stop: stop, limit: $0.duration) { _ in } },
            migration: SchemaMigration())
        let loader = ReportFileLoader(database, stop: stop) { warning in
            Console.complain("warning: \(ReportFileWords.text(warning))", as: .warning)
        }
        let paths = ArchiveSource.paths(named: files)
        let newest = try loader.newestFile()
        var line = ProgressLine(isQuiet: quiet)
        defer { line.clear() }
        for (index, path) in paths.enumerated() {
            line.draw(reportFile: PathParts.name(of: path), place: index + 1, of: paths.count, outcome.counts)
            do throws(MillError) {
                let file = try loader.load(path)
                line.clear()
                outcome.loaded.append(file)
                outcome.counts.add(file)
                if !quiet, !output.isJSON { try say(ReportFileWords.line(file) + "\n") }
            } catch {
                line.clear()
                guard error.databaseFault == nil, !stop.isCancelled else { throw error }
                Console.complain(error.description)
                outcome.failures.append(error)
            }
        }
        line.clear()
        try loader.warnOfOverlaps(loadedAfter: newest)
        if refresh, try !database.models.areCurrent() {
            // A run that was killed may have loaded lines of persons who had been erased before.
            try Erasure.eraseReloaded(in: database)
            try database.models.refresh(stop: stop) { line.draw($0) }
        }
        try database.emptyLog()
        outcome.stored = try? database.access(StoredFacts.init)
    }

    private func say(_ text: String) throws(MillError) {
        do { try Console.write(text) } catch { throw MillError(error, at: .reporting, path: nil) }
    }

    private func summarise(_ outcome: StoreLoadOutcome) throws {
        let counts = outcome.counts
        if output.isJSON {
            var summary = outcome.object(outcome.failures.isEmpty ? .done : .incomplete)
            if !quiet { summary["next"] = try next(after: outcome) }
            return try Console.writeJSON(summary)
        }
        if counts.rejected > 0 {
            Console.complain(
                "warning: \(Console.count(counts.rejected, "row")) rejected\nhint: \(ReportFileWords.hintOnRejected)",
                as: .warning)
        }
        guard !quiet else { return }
        try Console.write(
            "\(Console.count(counts.files, "file")) loaded, \(counts.known) known, \(outcome.failures.count) refused; "
                + "\(Console.count(counts.rows, "row")), \(counts.rejected) rejected\n")
        if let next = try next(after: outcome) { try Console.write("next: \(ShellWords.line(next))\n") }
    }

    /// Arguments of the next useful command. Rejected rows have a hint of their own.
    private func next(after outcome: StoreLoadOutcome) throws -> [String]? {
        var load = FinishedLoad(database: try target.path)
        load.storeRows = outcome.counts.rows
        return NextCommand.after(load, outcome.stored)
    }
}

/// What a load of report files has done so far.
private struct StoreLoadOutcome {
    var loaded: [LoadedReportFile] = []
    var counts = ReportFileCounts()
    var failures: [MillError] = []
    /// What the database holds after the load; nil before its end, and if it can't be read.
    var stored: StoredFacts?

    /// The members of the summary in JSON.
    ///
    /// - Parameter error: the error that ended the load early; nil if none did.
    func object(_ outcome: RunOutcome, endedBy error: MillError? = nil) -> [String: Any] {
        var summary: [String: Any] = [
            "outcome": outcome.rawValue, "exit_status": Int((error ?? failures.first)?.exitStatus.rawValue ?? 0),
            "files_loaded": counts.files, "files_known": counts.known, "files_refused": failures.count,
            "rows": counts.rows, "rejected": counts.rejected, "erased": counts.erased,
            "files": loaded.map { file in
                [
                    "file": file.path, "sha256": file.sha256, "report": file.report,
                    "known": file.knownAs != nil, "rows": file.rows, "rejected": file.rejected, "erased": file.erased,
                    "replaced": file.replaced,
                ] as [String: Any]
            },
            "failures": failures.map(Self.object),
        ]
        summary["error"] = error.map(Self.object)
        return summary
    }

    private static func object(_ failure: MillError) -> [String: Any] {
        var object: [String: Any] = ["code": failure.code.rawValue, "what": failure.what]
        (object["file"], object["line"], object["hint"]) = (failure.path, failure.line, failure.hint)
        return object
    }
}
