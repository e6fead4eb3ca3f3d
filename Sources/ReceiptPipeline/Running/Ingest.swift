internal import Foundation
public import ReceiptTrust

/// Loads archives into a database. The only place that knows all stages.
public struct Ingest: Sendable {
    /// Paths, "-" for standard input.
    public var archives: [String]
    public var database: String
    public var anchors = TrustAnchors.apple
    /// Certificates that receipts may need and don't carry: the intermediates of
    /// transaction receipts. Kept in the database, so that giving one once is
    /// enough; together with those that app receipts hold, they make the end of a
    /// run judge the transaction receipts anew that lacked one.
    public var intermediates = IssuerCertificates()
    public var keys = LineKeys()
    public var limits = Limits()
    public var apps: [AppSetting] = []
    /// Workers that grade at the same time.
    public var jobs = ProcessInfo.processInfo.activeProcessorCount

    public init(archives: [String], database: String) {
        self.archives = archives
        self.database = database
    }

    /// How far a run is.
    public struct Progress: Sendable {
        /// Place of the archive among those given, from 1.
        public internal(set) var archive = 0
        public internal(set) var archiveName = ""
        public internal(set) var archiveBytes: Int64 = 0
        public internal(set) var consumedBytes: Int64 = 0
        public internal(set) var lines = 0
    }

    /// What happens to an archive, worth telling the user.
    public enum Event: Sendable {
        case progress(Progress)
        case resumed(path: String, line: Int64)
        /// The archive's content was loaded before, under this name.
        case alreadyLoaded(path: String, name: String)
        /// The archive could not be read, or not to its end; the run goes on.
        case failed(MillError)
    }

    /// Runs to the end of the last archive.
    ///
    /// A fault of one archive is told as an event and in the summary, and the
    /// others are loaded. What is thrown stopped the run; what was committed is
    /// kept, and the next run goes on from there.
    public func run(onEvent tell: @escaping (Event) -> Void = { _ in }) throws(MillError) -> IngestSummary {
        let start = ContinuousClock.now
        let warehouse = try Warehouse(path: database)
        try warehouse.save(apps)
        let known = KnownReceipts(startedEmpty: try warehouse.isEmpty())
        let issuers = try warehouse.save(intermediates)
        let loader = try Loader(warehouse, knownIssuers: issuers.count) { known.forget(upTo: $0) }
        let reading = ReadingOrder(archives: archives, warehouse: warehouse, limits: limits)
        var summary = IngestSummary()
        var progress = Progress()

        let pipeline = OrderedPipeline<WorkItem, GradedItem>(
            // Enough that no worker waits while another reads or loads.
            capacity: 2 * max(1, jobs) + 2,
            read: { () throws(MillError) in try reading.next() },
            load: { (item) throws(MillError) in
                switch item {
                case .begin(let identity, let path, let skippedLines):
                    summary.archives += 1
                    progress.archive += 1
                    progress.archiveName = identity.name
                    progress.archiveBytes = identity.bytes
                    try loader.begin(identity)
                    if skippedLines > 0 { tell(.resumed(path: path, line: skippedLines)) }
                case .batch(let batch, let consumedBytes):
                    try loader.load(batch)
                    progress.consumedBytes = consumedBytes
                    progress.lines = loader.counts.lines
                    tell(.progress(progress))
                case .end(let failure):
                    try loader.end(isComplete: failure == nil)
                    if let failure {
                        summary.failures.append(failure)
                        tell(.failed(failure))
                    }
                case .known(let path, let name):
                    summary.archives += 1
                    summary.knownArchives += 1
                    tell(.alreadyLoaded(path: path, name: name))
                case .unreadable(let failure):
                    summary.failures.append(failure)
                    tell(.failed(failure))
                }
            })
        try pipeline.run(workers: jobs) { () throws(MillError) in
            let grader = try Grader(
                keys: keys, limits: limits, anchors: anchors, issuers: issuers, known: known,
                lookup: try StoredReceipts(path: database))
            return { (item) throws(MillError) in try item.graded(by: grader) }
        }
        summary.cpuSeconds = pipeline.cpuSeconds
        let finishing = ThreadClock.seconds
        try loader.review(anchors: anchors)
        try loader.finish()
        summary.cpuSeconds[.loading, default: 0] += ThreadClock.seconds - finishing

        summary.lines = loader.counts.lines
        summary.submissions = loader.counts.submissions
        summary.newReceipts = loader.counts.newReceipts
        summary.newPurchases = loader.counts.newPurchases
        summary.rejected = loader.counts.rejected
        summary.verdicts = loader.counts.verdicts
        let duration = ContinuousClock.now - start
        summary.seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        return summary
    }
}
