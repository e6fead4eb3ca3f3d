internal import DatabaseCare
internal import MillDatabase
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Recognises archives, verifies their lines and loads them; then does the same with corrections of rejected lines.
struct LoadArchives: RunStep {
    /// Whether lines of open rejections are read again after the archives: lines that the database keeps, and further
    /// rejected lines of the run's archives.
    var retriesRejectedLines = false
    /// Paths of archives that were loaded before. Their rejected lines are read again, unless the database keeps the
    /// lines.
    var retriedArchives: [String] = []
    /// The maximum share of untrusted lines, by which a dry run states what will be done with loaded archives; see
    /// ``ArchiveDisposal``.
    var untrustedShare: Double?

    /// The load, and the steps that follow a load in every run.
    var withFollowingSteps: [any RunStep] {
        [self, WriteDeadLetters()] + (retriesRejectedLines ? [CountOpenRejections()] : []) + [
            StoppableSteps(steps: [ReportRepeats(), ReportPresentAnchors()]), RecordArchives(), SecureLoad(),
        ]
    }

    func run(in context: RunContext) throws(MillError) {
        try Preflight(context).check(context.archives.map(\.path))
        let (configuration, database) = (context.configuration, context.database)
        // With a pseudonym key, opening the store fails. This must happen before the key is saved to the database.
        let deadLetters = try configuration.deadLetterStore(database)
        try database.pseudonyms.agree(on: configuration.pseudonyms)
        try database.settings.save(configuration.apps)
        let isEmpty = try database.documents.isEmpty()
        let known = KnownReceipts(startedEmpty: isEmpty)
        let firstLines =
            isEmpty && configuration.judgesFirstLines ? FirstLines(maxRejected: configuration.maxRejected) : nil
        let issuers = try database.documents.save(configuration.intermediates)
        let keepsRejectedLines = deadLetters != nil
        let erasedLines = try ErasedLines(of: database)
        let writer = try WarehouseWriter(
            database, knownIssuers: issuers.count, known: known, workers: configuration.jobs,
            keepsReceipts: configuration.keepsReceipts, record: context.record, windowSize: configuration.windowSize)
        let loader = ArchiveLoader(writer, deadLetters: deadLetters)
        let lookup = try StoredReceiptLookup(path: configuration.database)
        let makeVerifier: @Sendable () throws(MillError) -> LineVerifier = { () throws(MillError) in
            try configuration.verifier(
                issuers: issuers, known: (known, lookup), keepsRejectedLines: keepsRejectedLines,
                erasedLines: erasedLines)
        }
        let driver = MillDriver(configuration: configuration)
        // This many batches keep every worker busy while one worker reads or loads a batch, and for a while during a
        // commit, which takes a hundred times as long.
        let capacity = 2 * configuration.jobs + 98
        let reporter = RunReporter(context)
        let opener = ArchiveOpener(ArchiveRecognizer(context), configuration)
        let source = LineSource(ArchiveOrder.sorted(context.archives.map(\.path)), opener, stop: context.stop)
        let archiveSink = ArchiveSink(loader, reporter, limits: configuration.limits, firstLines: firstLines)
        var cpuSeconds = try driver.run(
            source, archiveSink, into: writer, capacity: capacity
        ) { () throws(MillError) in
            let verifier = try makeVerifier()
            return { (item) throws(MillError) in
                try item.map { (batch, _, _) throws(MillError) in try verifier.verifyNamingLetters(batch) }
            }
        }
        let corrections = try corrections(in: opener.letters, context)
        if !corrections.isEmpty, !context.stop.isCancelled {
            let source = CorrectionSource(corrections, database, configuration)
            let seconds = try driver.run(
                source, CorrectionSink(CorrectionLoader(writer), reporter), into: writer, capacity: capacity
            ) {
                () throws(MillError) in
                let verifier = try makeVerifier()
                return { (batch) throws(MillError) in
                    try batch.map { (lines) throws(MillError) in try verifier.verifyNamingLetters(lines) }
                }
            }
            cpuSeconds.merge(seconds, uniquingKeysWith: +)
        }
        context.endLoad(loader, cpuSeconds)
    }

    /// The corrections that are read after all archives: dead-letter files in the given order, then rejected lines.
    private func corrections(
        in letters: [CorrectionInput], _ context: RunContext
    ) throws(MillError) -> [CorrectionInput] {
        guard retriesRejectedLines else { return letters }
        var retried = retriedArchives
        for archive in context.summary.durable where archive.path != "-" {
            if try context.database.rejections.countKeptNowhere(in: archive.sha256) > 0 { retried.append(archive.path) }
        }
        return letters + [.keptLines] + retried.map { .archive($0) }
    }

    func plan(in context: RunContext) throws(MillError) {
        let (archives, database) = (context.archives, context.database)
        try Preflight(context).check(archives.map(\.path))
        let recognizer = ArchiveRecognizer(context)
        context.archives = []
        for var archive in ArchiveOrder.indices(of: archives.map(\.path)).map({ archives[$0] }) {
            let (content, text): (SHA256Digest, String)
            var isLoaded = false
            switch try recognizer.decision(on: archive.path) {
            case .unreadable(let fault):
                context.plan.add("archive \(archive.path)", to: .archives, unless: fault)
                continue
            case .letters(_, let fingerprint):
                (content, text) = (fingerprint.sha256, "a dead-letter file, load what was corrected")
            case .known(let fingerprint, let name):
                isLoaded = try database.archives.progress(of: fingerprint.sha256) != nil
                (content, text) = (fingerprint.sha256, isLoaded ? "loaded before" : "as \(name) before it")
            case .load(_, let fingerprint, let processedLines):
                let load = processedLines > 0 ? "go on after line \(processedLines)" : "load"
                (content, text) = (fingerprint.sha256, fingerprint.prefix != nil ? "has grown, \(load)" : load)
            }
            let disposal =
                try isLoaded
                ? ArchiveDisposal.announcement(
                    of: content, archive.source, untrustedShare: untrustedShare, in: database)
                : ArchiveDisposal.announcement(ofUnread: archive.source)
            context.plan.add("archive \(archive.path): \(text)\(disposal)", to: .archives)
            archive.content = content
            context.archives.append(archive)
        }
        if retriesRejectedLines { context.plan.add("read rejected lines again", to: .corrections) }
    }
}
