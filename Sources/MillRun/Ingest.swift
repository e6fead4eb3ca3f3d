internal import Foundation
internal import MillDatabase
package import MillSystem
internal import ReceiptArchive
package import ReceiptTrust
internal import ReceiptVerification

/// Loads archives into a database. The only place that knows all stages.
package struct Ingest: Sendable {
    /// Paths, "-" for standard input.
    package var archives: [String]
    /// Those of them that a pattern has found: what is no regular file is refused.
    var found: Set<String> = []
    package var database: String
    package var anchors = TrustAnchors.apple
    /// Certificates that receipts may need and don't carry: the intermediates of
    /// transaction receipts. Kept in the database, so that giving one once is
    /// enough; together with those that app receipts hold, they make the end of a
    /// run judge the transaction receipts anew that lacked one.
    package var intermediates = IssuerCertificates()
    package var keys = LineKeys()
    package var limits = Limits()
    package var apps: [AppSetting] = []
    /// Workers that grade at the same time.
    package var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// Bytes of text that a worker grades at once; decides speed and memory alone.
    var batchSize = ArchiveReader.defaultBatchSize
    /// Whether new receipts are stored whole, to be judged again by a ``Regrade``.
    package var keepsReceipts = false
    /// What is stored in the place of device and account identifiers; nil keeps
    /// them as the lines write them.
    package var pseudonyms: Pseudonyms?
    /// A gzip file that gets every rejected line that stands, as it was; nil keeps
    /// none.
    package var rejects: String?
    /// What loads that file when it was mended, for hints.
    var rejectsCommand: String?
    var rejectsFile: RejectsFile? {
        rejects.map { RejectsFile(path: $0, limits: limits, command: rejectsCommand) }
    }
    /// A file for node_exporter's textfile collector; nil writes none.
    package var metrics: String?
    /// Share of the lines that may be rejected; more make the outcome an alarm.
    package var maxRejected = 1.0
    /// Whether lines that were rejected are read again, of archives that were
    /// loaded before.
    package var readsRejectedAgain = false
    /// Ends the run after the batches at hand when it is made.
    package var stop = CancellationFlag()
    /// Whether to wait for another run that holds the database.
    package var waitsForOtherRun = false

    package init(archives: [String], database: String) {
        self.archives = archives
        self.database = database
    }

    /// How far a run is.
    package struct Progress: Sendable {
        /// Place of the archive among those given, from 1.
        package internal(set) var archive = 0
        package internal(set) var archiveName = ""
        package internal(set) var archiveBytes: Int64 = 0
        package internal(set) var consumedBytes: Int64 = 0
        package internal(set) var lines = 0
    }

    /// What happens to an archive, worth telling the user.
    package enum Event: Sendable {
        case progress(Progress)
        case resumed(path: String, line: Int64)
        /// The archive's content was loaded before, under this name.
        case alreadyLoaded(path: String, name: String)
        /// Somebody appends to the archive: its complete lines are loaded, and a
        /// later run goes on.
        case growing(path: String)
        /// The archive was loaded before, and its rejected lines are read again.
        case rereading(path: String)
        /// So many changed lines of a mended rejects file stand for rejections that
        /// were settled since it was written, and are passed over.
        case tooLate(path: String, lines: Int)
        /// The archive could not be read, or not to its end; the run goes on.
        case failed(MillError)
    }

    /// Runs to the end of the last archive, or until it is asked to stop.
    ///
    /// A fault of one archive is told as an event and in the summary, and the
    /// others are loaded. What is thrown stopped the run; what was committed is
    /// kept, and the next run goes on from there.
    package func run(onEvent tell: @escaping (Event) -> Void = { _ in }) throws(MillError) -> IngestSummary {
        let ahead =
            jobs > 1 ? archives.first.flatMap { ArchiveHashTask(path: $0, database: database, stop: stop) } : nil
        do throws(MillError) {
            let loadDatabase = try LoadDatabase(path: database, waiting: waitsForOtherRun ? stop : nil)
            return try RunRecord.recording(IngestSummary(), in: loadDatabase) { (record, summary) throws(MillError) in
                try load(into: loadDatabase, as: record, &summary, ahead: ahead, onEvent: tell)
                writeMetrics(&summary, tell)
            }
        } catch {
            // Those of the run that holds the database are its own.
            if error != RunLock.held(database) { try? writeMetrics(nil, error.exitStatus) }
            throw error
        }
    }

    private func writeMetrics(_ summary: inout IngestSummary, _ tell: (Event) -> Void) {
        do {
            try writeMetrics(PipelineSummary(summary, database: database), summary.exitStatus)
        } catch {
            let failure = MillError(error, path: metrics)
            summary.failures.append(failure)
            tell(.failed(failure))
        }
    }

    private func writeMetrics(_ summary: PipelineSummary?, _ status: ExitStatus?) throws {
        guard let metrics else { return }
        try Metrics(summary, exitStatus: status?.rawValue ?? 0, endedAt: Date().timeIntervalSince1970)
            .write(to: metrics)
    }

    /// The same in a database that the caller has opened, under a row that the
    /// caller ends. The disk holds all of it then.
    ///
    /// - Parameter ahead: finds out what one of the archives is.
    func load(
        into loadDatabase: LoadDatabase, as record: RunRecord, _ summary: inout IngestSummary,
        ahead: ArchiveHashTask? = nil, onEvent tell: @escaping (Event) -> Void
    ) throws(MillError) {
        let start = ContinuousClock.now
        do throws(MillError) {
            try take(into: loadDatabase, as: record, &summary, ahead, tell)
        } catch {
            // Nothing is loaded nor told before the first archive has a name. What was read
            // of it meanwhile is not among the CPU seconds.
            guard let ahead, error == ahead.lost else { throw error }
            try take(into: loadDatabase, as: record, &summary, nil, tell)
        }
        summary.cpuSeconds[.reading, default: 0] += ahead?.cpuSeconds ?? 0
        summary.seconds = (ContinuousClock.now - start) / .seconds(1)
        try record.settle(summary, loadDatabase)
    }

    /// Bytes of verified batches that may wait for the loader, before no more are read.
    private static let greatestWaitingSize = 12 << 20

    private func take(
        into loadDatabase: LoadDatabase, as record: RunRecord, _ summary: inout IngestSummary,
        _ ahead: ArchiveHashTask?, _ tell: @escaping (Event) -> Void
    ) throws(MillError) {
        if rejects != nil, pseudonyms != nil { throw Self.rejectsUnderPseudonyms }
        try loadDatabase.agree(on: pseudonyms)
        try loadDatabase.save(apps)
        let known = KnownReceipts(startedEmpty: try loadDatabase.isEmpty())
        let issuers = try loadDatabase.save(intermediates)
        let loader = try Loader(loadDatabase, knownIssuers: issuers.count, known: known)
        loader.record = record
        loader.workers = jobs
        if keepsReceipts { loader.rawReceipts = try loadDatabase.access { db in try RawReceiptStore(db) } }
        let stored = try StoredReceiptLookup(path: database)
        let reading = try reading(from: loadDatabase)
        reading.ahead = ahead
        let taking = ArchiveSink(loader: loader, tell: tell)
        taking.summary.maxRejected = maxRejected
        defer { summary = taking.summary }

        let pipeline = OrderedPipeline<ArchiveItem<LineBatch>, ArchiveItem<VerifiedBatch>>(
            // Enough that no worker waits while another reads or loads a batch, and some
            // work for the others while one commits, which takes a hundred times as long.
            capacity: jobs > 1 ? 2 * jobs + 98 : 4,
            read: { () throws(MillError) in try reading.next() },
            readsAhead: { !reading.mustDrain },
            greatestSize: Self.greatestWaitingSize, size: \.size,
            load: { (item) throws(MillError) in try taking.take(item) })
        try pipeline.run(workers: jobs) { () throws(MillError) in
            let verifier = try LineVerifier(
                keys: keys, limits: limits, anchors: anchors, issuers: issuers,
                known: (known, stored), pseudonyms: pseudonyms,
                keepsReceipts: keepsReceipts, keepsRejectedLines: rejects != nil)
            return { (item) throws(MillError) in try item.verified(by: verifier) }
        }
        let finishing = ThreadClock.seconds
        try loader.end(anchors: anchors, stop: stop)
        taking.summary.isStopped = stop.isMade
        taking.summary.cpuSeconds = pipeline.cpuSeconds
        taking.summary.cpuSeconds[.loading, default: 0] += ThreadClock.seconds - finishing
        taking.summary.count(loader.counts)
        RejectsFile.write(rejectsFile, of: loadDatabase, &taking.summary, stop, tell)
    }

    /// The archives in their order, each judged by what the database holds.
    func reading(from loadDatabase: LoadDatabase) throws(MillError) -> ArchiveScheduler {
        let reading = try ArchiveScheduler(
            archives: archives, loadDatabase: loadDatabase, limits: limits, batchSize: batchSize, stop: stop)
        reading.readsRejectedAgain = readsRejectedAgain
        reading.found = found
        return reading
    }

    static let rejectsUnderPseudonyms = MillError(
        stage: .loading, what: "rejected lines hold devices and accounts as they are, and a key is to hide them",
        hint: "give a rejects file or a pseudonym key, not both", exitStatus: .configuration)
}
