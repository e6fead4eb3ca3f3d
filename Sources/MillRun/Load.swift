internal import DecodedLines
internal import Foundation
package import MillSystem
internal import ReceiptArchive
package import ReceiptTrust
internal import ReceiptVerification

/// Loads what ``Decode`` wrote into a database, as ``Ingest`` loads archives.
///
/// Believes the verdicts that the lines state. Judged anew are only transaction
/// receipts that lacked an issuer, at the end, as `Ingest` does.
package struct Load: Sendable {
    /// Paths of files with decoded lines, "-" for standard input.
    package var files: [String]
    package var database: String
    /// For transaction receipts that are judged anew.
    package var anchors = TrustAnchors.apple
    package var intermediates = IssuerCertificates()
    package var limits = Load.limits
    package var apps: [AppSetting] = []
    /// Workers that parse at the same time.
    package var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// Bytes of text that a worker parses at once; decides speed and memory alone.
    var batchSize = ArchiveReader.defaultBatchSize
    /// Whether new receipts are stored whole; then every line has to hold its.
    package var keepsReceipts = false
    /// A gzip file that gets every rejected line that stands; nil keeps none.
    package var rejects: String?
    /// Share of the lines that may be rejected; more make the outcome an alarm.
    package var maxRejected = 1.0
    package var stop = CancellationFlag()
    package var waitsForOtherRun = false

    package init(files: [String], database: String) {
        self.files = files
        self.database = database
    }

    /// A decoded line can be longer than its line: twenty thousand purchases make
    /// 14 MB, and a receipt of 10 MiB makes as much when it is kept.
    package static var limits: Limits {
        var limits = Limits()
        limits.lineBytes = 64 << 20
        return limits
    }

    /// Runs to the end of the last file, or until it is asked to stop. A fault of
    /// one file is told as an event and in the summary, and the others are loaded.
    package func run(onEvent tell: @escaping (Ingest.Event) -> Void = { _ in }) throws(MillError) -> IngestSummary {
        let loadDatabase = try LoadDatabase(path: database, waiting: waitsForOtherRun ? stop : nil)
        return try RunRecord.recording(IngestSummary(), in: loadDatabase) { (record, summary) throws(MillError) in
            let start = ContinuousClock.now
            try load(into: loadDatabase, as: record, &summary, tell)
            summary.seconds = (ContinuousClock.now - start) / .seconds(1)
        }
    }

    private func load(
        into loadDatabase: LoadDatabase, as record: RunRecord, _ summary: inout IngestSummary,
        _ tell: @escaping (Ingest.Event) -> Void
    ) throws(MillError) {
        try loadDatabase.save(apps)
        _ = try loadDatabase.save(intermediates)
        // The lines don't say which issuers their writer knew: zero has every
        // receipt that could gain by one judged anew.
        let known = KnownReceipts(startedEmpty: try loadDatabase.isEmpty())
        let loader = try Loader(loadDatabase, known: known)
        loader.record = record
        loader.workers = jobs
        if keepsReceipts { loader.rawReceipts = try loadDatabase.access { db in try RawReceiptStore(db) } }
        let reading = DecodedSource(
            files: files, loadDatabase: loadDatabase, limits: limits, batchSize: batchSize, stop: stop)
        let taking = DecodedSink(loader: loader, known: known, tell: tell)
        taking.summary.maxRejected = maxRejected
        defer { summary = taking.summary }
        let pipeline = OrderedPipeline<LoadItem, ParsedItem>(
            capacity: 2 * max(1, jobs) + 2,
            read: { () throws(MillError) in try reading.next() },
            load: { (item) throws(MillError) in try taking.take(item) })
        try pipeline.run(workers: jobs) { () throws(MillError) in
            var parser = try DecodedLineParser(keepsReceipts: keepsReceipts, keepsRejectedLines: rejects != nil)
            return { (item) throws(MillError) in item.parsed(by: &parser) }
        }
        let finishing = ThreadClock.seconds
        try loader.end(anchors: anchors, stop: stop)
        taking.summary.isStopped = stop.isMade
        taking.summary.cpuSeconds = pipeline.cpuSeconds
        taking.summary.cpuSeconds[.loading, default: 0] += ThreadClock.seconds - finishing
        taking.summary.count(loader.counts)
        let file = rejects.map { RejectsFile(path: $0, limits: limits) }
        RejectsFile.write(file, of: loadDatabase, &taking.summary, stop, tell)
    }
}
