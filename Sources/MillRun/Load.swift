internal import DatabaseCare
internal import DecodedLines
internal import Foundation
package import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Loads what ``Decode`` wrote into a database, as ``Ingest`` loads archives.
///
/// A load believes the verdicts that the lines state. At its end it verifies, as `Ingest`
/// does, transaction receipts that lacked an issuer, and no others.
package struct Load: Sendable {
    /// Paths of files with decoded lines, "-" for standard input.
    package var files: [String]
    /// How to load; the limit on lines is that of decoded ones, ``Load/lineBytes``.
    package var configuration: LoadConfiguration

    /// Longest decoded line, in bytes, unless set otherwise. A decoded line can be longer than
    /// the line that it answers: twenty thousand purchases make 14 MB, and a receipt of 10 MiB
    /// makes as much where it is kept.
    package static let lineBytes = 64 << 20

    package init(files: [String], _ configuration: LoadConfiguration) {
        self.files = files
        self.configuration = configuration
        self.configuration.limits.lineBytes = Self.lineBytes
    }

    /// Runs to the end of the last file, or until it is cancelled. A fault of
    /// one file is reported as an event and in the summary, and the others are loaded.
    package func run(onEvent: @escaping (RunEvent) -> Void = { _ in }) throws(MillError) -> IngestSummary {
        try MillDriver(configuration: configuration).recordLoad(onEvent: onEvent) {
            (database, record, summary) throws(MillError) in
            try load(into: database, as: record, &summary, onEvent)
            try configuration.refresh(database, foundBy: record, &summary)
        }
    }

    private func load(
        into database: Warehouse, as record: RunRecord, _ summary: inout IngestSummary,
        _ onEvent: @escaping (RunEvent) -> Void
    ) throws(MillError) {
        try Preflight(database: database, configuration: configuration).check(files)
        try database.settings.save(configuration.apps)
        let clock = try configuration.clock(of: record, database)
        _ = try database.documents.save(configuration.intermediates)
        let known = KnownReceipts(startedEmpty: try database.documents.isEmpty())
        let deadLetters = try configuration.deadLetterStore(database)
        let keepsRejectedLines = deadLetters != nil
        let erasedLines = try ErasedLines(of: database)
        let writer = try WarehouseWriter(
            database, known: known, workers: configuration.jobs, keepsReceipts: configuration.keepsReceipts,
            record: record, windowSize: configuration.windowSize)
        let loader = ArchiveLoader(writer, deadLetters: deadLetters)
        let opener = DecodedFileOpener(database, configuration)
        let scheduler = ListedFiles(files, stop: configuration.stop) { (path) throws(MillError) in
            try opener.open(path)
        }
        let reporter = RunReporter(maxRejected: configuration.maxRejected, onEvent: onEvent)
        defer { summary = reporter.summary }
        let keepsReceipts = configuration.keepsReceipts
        let cpuSeconds = try MillDriver(configuration: configuration).run(
            LineSource(scheduler, stop: configuration.stop), DecodedSink(loader, known: known, reporter), into: writer,
            capacity: 2 * configuration.jobs + 2
        ) { () throws(MillError) in
            var parser = try DecodedLineParser(keepsReceipts: keepsReceipts, keepsRejectedLines: keepsRejectedLines)
            let digest = try MillError.wrapping { () throws(OpenSSLError) in try MessageDigest() }
            return { (item) throws(MillError) in
                try item.map { (batch, file, _) throws(MillError) in
                    var decoded = parser.parse(batch, namesArchives: file.identity == nil)
                    for index in decoded.runs.indices {
                        try MillError.wrapping { () throws(OpenSSLError) in
                            try erasedLines.mark(&decoded.runs[index].verified.rejections, digest)
                        }
                    }
                    return decoded
                }
            }
        }
        reporter.end(loader, configuration, clock: clock, cpuSeconds: cpuSeconds)
    }
}
