internal import DatabaseCare
internal import Foundation
internal import MillDatabase
package import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
package import ReceiptWarehouse

/// Loads archives into a database.
package struct Ingest: Sendable {
    /// Paths, "-" for standard input.
    package var archives: [String]
    /// Those of them that a pattern has found: one that is no regular file is refused.
    package var found: Set<String> = []
    /// Whether lines of open rejections are read again, behind the archives: those that are kept,
    /// and others of these archives.
    package var retriesRejectedLines = false
    /// Further archives, which were loaded, whose rejected lines are read again that are kept
    /// nowhere.
    package var retriedArchives: [String] = []
    package var configuration: LoadConfiguration

    package init(archives: [String], _ configuration: LoadConfiguration) {
        self.archives = archives
        self.configuration = configuration
    }

    /// Runs to the end of the last archive, or until it is cancelled.
    ///
    /// A fault of one archive is reported as an event and in the summary, and the
    /// others are loaded. What is thrown stopped the run; what was committed is
    /// kept, and the next run goes on from there.
    package func run(onEvent: @escaping (RunEvent) -> Void = { _ in }) throws(MillError) -> IngestSummary {
        try MillDriver(configuration: configuration).recordLoad(onEvent: onEvent) {
            (database, record, summary) throws(MillError) in
            try load(into: database, as: record, &summary, onEvent: onEvent)
            try configuration.refresh(database, foundBy: record, &summary)
        }
    }

    /// The same in a database that the caller has opened, under a row that the
    /// caller ends. The disk holds all of it then.
    package func load(
        into database: Warehouse, as record: RunRecord, _ summary: inout IngestSummary,
        onEvent: @escaping (RunEvent) -> Void
    ) throws(MillError) {
        let start = ContinuousClock.now
        try Preflight(database: database, configuration: configuration).check(archives)
        try loadArchives(into: database, as: record, &summary, onEvent)
        try reportRepeats(in: database, &summary, onEvent)
        summary.seconds = (ContinuousClock.now - start) / .seconds(1)
        // The disk holds every commit then.
        try record.update(.running, summary, isEnd: false, database)
    }

    /// Reports archives that have nearly the same submissions as others of their name.
    private func reportRepeats(
        in database: Warehouse, _ summary: inout IngestSummary, _ onEvent: (RunEvent) -> Void
    ) throws(MillError) {
        guard !configuration.stop.isCancelled else { return }
        do throws(MillError) {
            try configuration.stop.interrupting([database.queue]) { () throws(MillError) in
                for load in summary.loads {
                    for archive in try RepeatedArchive.all(of: load.id, in: database) {
                        summary.repeatedArchives += 1
                        onEvent(.repeated(archive, path: load.path, database: database.path))
                    }
                }
            }
        } catch {
            guard configuration.stop.explains(error) else { throw error }
            summary.isStopped = true
        }
    }

    private func loadArchives(
        into database: Warehouse, as record: RunRecord, _ summary: inout IngestSummary,
        _ onEvent: @escaping (RunEvent) -> Void
    ) throws(MillError) {
        let (keys, limits, anchors) = (configuration.keys, configuration.limits, configuration.anchors)
        let (pseudonyms, keepsReceipts) = (configuration.pseudonyms, configuration.keepsReceipts)
        // Refused beside a key, which the database has to be without then.
        let deadLetters = try configuration.deadLetterStore(database)
        try database.pseudonyms.agree(on: pseudonyms)
        try database.settings.save(configuration.apps)
        let clock = try configuration.clock(of: record, database)
        let known = KnownReceipts(startedEmpty: try database.documents.isEmpty())
        let issuers = try database.documents.save(configuration.intermediates)
        let keepsRejectedLines = deadLetters != nil
        let erasedLines = try ErasedLines(of: database)
        let writer = try WarehouseWriter(
            database, knownIssuers: issuers.count, known: known, workers: configuration.jobs,
            keepsReceipts: keepsReceipts, record: record, windowSize: configuration.windowSize)
        let loader = ArchiveLoader(writer, deadLetters: deadLetters)
        let lookup = try StoredReceiptLookup(path: configuration.database)
        let scheduler = ArchiveScheduler(
            archives: archives, recognizer: recognizer(database), configuration: configuration)
        let reporter = RunReporter(maxRejected: configuration.maxRejected, onEvent: onEvent)
        defer { summary = reporter.summary }
        let makeVerifier: @Sendable () throws(MillError) -> LineVerifier = { () throws(MillError) in
            try LineVerifier(
                keys: keys, limits: limits, anchors: anchors, issuers: issuers, known: (known, lookup),
                pseudonyms: pseudonyms, keepsReceipts: keepsReceipts, keepsRejectedLines: keepsRejectedLines,
                erasedLines: erasedLines)
        }
        let driver = MillDriver(configuration: configuration)
        // Enough that no worker waits while another reads or loads a batch, and some
        // work for the others while one commits, which takes a hundred times as long.
        let capacity = 2 * configuration.jobs + 98
        var cpuSeconds = try driver.run(
            LineSource(scheduler, stop: configuration.stop), ArchiveSink(loader, reporter, limits: limits),
            into: writer,
            capacity: capacity
        ) { () throws(MillError) in
            let verifier = try makeVerifier()
            return { (item) throws(MillError) in
                try item.map { (batch, _, _) throws(MillError) in try verifier.verifyNamingLetters(batch) }
            }
        }
        let corrections = try corrections(in: scheduler.letters, behind: reporter.summary.durable, database)
        if !corrections.isEmpty, !configuration.stop.isCancelled {
            let seconds = try driver.run(
                CorrectionSource(corrections, database, configuration), CorrectionSink(CorrectionLoader(writer), reporter),
                into: writer, capacity: capacity
            ) { () throws(MillError) in
                let verifier = try makeVerifier()
                return { (batch) throws(MillError) in
                    try batch.map { (lines) throws(MillError) in try verifier.verifyNamingLetters(lines) }
                }
            }
            cpuSeconds.merge(seconds, uniquingKeysWith: +)
        }
        reporter.end(loader, configuration, clock: clock, cpuSeconds: cpuSeconds)
        if retriesRejectedLines { reporter.summary.openRejections = try database.rejections.open() }
    }

    /// What is read behind archives: dead-letter files, in the order given, then rejected lines.
    private func corrections(
        in letters: [CorrectionInput], behind archives: [IngestSummary.DurableArchive], _ database: Warehouse
    ) throws(MillError) -> [CorrectionInput] {
        var retried = retriedArchives
        if retriesRejectedLines {
            for archive in archives where archive.path != "-" {
                if try database.rejections.countKeptNowhere(in: archive.sha256) > 0 { retried.append(archive.path) }
            }
        }
        return letters + (retriesRejectedLines ? [.keptLines] : []) + retried.map { .archive($0) }
    }

    func recognizer(_ database: Warehouse) -> ArchiveRecognizer {
        ArchiveRecognizer(database, found: found, limits: configuration.limits, stop: configuration.stop)
    }
}
