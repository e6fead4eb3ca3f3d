internal import DatabaseCare
internal import DecodedLines
package import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Loads lines that ``Decode`` wrote into a database, as ``Ingest`` loads archives.
///
/// A load believes the verdicts that the lines state. Like ``Ingest``, it ends by verifying transaction receipts that
/// lacked an issuer; no other document is verified.
package struct Load: Sendable, SteppedRun, LoadingRun {
    /// Paths of files with decoded lines; "-" means standard input.
    package var files: [String]
    /// Settings of the load, whose limit on a line's bytes is ``Load/lineBytes`` unless set otherwise.
    package var configuration: LoadConfiguration

    /// The default for the maximum bytes of a decoded line. It can be longer than the archive's line: twenty thousand
    /// purchases make 14 MB, and a kept receipt of 10 MiB as much.
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
                LoadDecodedLines(), WriteDeadLetters(), RecordArchives(), StoppableSteps(steps: [RefreshModels()]),
            ]),
        ]
    }
}

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
        let source = LineSource(files, DecodedFileOpener(database, configuration), stop: context.stop)
        let reporter = RunReporter(context)
        let keepsReceipts = configuration.keepsReceipts
        let cpuSeconds = try MillDriver(configuration: configuration).run(
            source, DecodedSink(loader, known: known, reporter), into: writer, capacity: 2 * configuration.jobs + 2
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
