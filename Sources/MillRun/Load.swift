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
package struct Load: Sendable, SteppedRun, LoadingRun {
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

    package func run(onEvent: @escaping (RunEvent) -> Void = { _ in }) throws(MillError) -> RunSummary {
        try perform(onEvent)
    }

    var steps: [any RunStep] {
        [
            BeginRun(), NameArchives(paths: files),
            TimedSteps(steps: [
                LoadDecodedLines(), WriteDeadLetters(), StoppableSteps(steps: [RefreshModels()]),
            ]),
        ]
    }
}

/// Loads files of decoded lines.
struct LoadDecodedLines: RunStep {
    func run(in context: RunContext) throws(MillError) {
        let (configuration, database) = (context.configuration, context.database)
        let files = context.archives.map(\.path)
        try Preflight(context).check(files)
        try database.settings.save(configuration.apps)
        _ = try database.documents.save(configuration.intermediates)
        let known = KnownReceipts(startedEmpty: try database.documents.isEmpty())
        let deadLetters = try configuration.deadLetterStore(database)
        let keepsRejectedLines = deadLetters != nil
        let erasedLines = try ErasedLines(of: database)
        let writer = try WarehouseWriter(
            database, known: known, workers: configuration.jobs, keepsReceipts: configuration.keepsReceipts,
            record: context.record, windowSize: configuration.windowSize)
        let loader = ArchiveLoader(writer, deadLetters: deadLetters)
        let opener = DecodedFileOpener(database, configuration)
        let scheduler = ListedFiles(files, stop: context.stop) { (path) throws(MillError) in try opener.open(path) }
        let reporter = RunReporter(context)
        let keepsReceipts = configuration.keepsReceipts
        let cpuSeconds = try MillDriver(configuration: configuration).run(
            LineSource(scheduler, stop: context.stop), DecodedSink(loader, known: known, reporter), into: writer,
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
        context.endLoad(loader, cpuSeconds)
    }
}
