internal import DecodedLines
internal import MillJSON
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse
internal import RunGuide

/// Loads decoded lines into the database, in the order of the files. One worker at a time uses the sink.
final class DecodedSink: ItemSink {
    private let loader: ArchiveLoader
    private let known: KnownReceipts
    private let reporter: RunReporter
    private var file: OpenedFile?
    /// The current archive. Lines of an archive that was already loaded completely are skipped.
    private var archive: (id: ArchiveID, isKnown: Bool)?
    /// How the lines so far name devices and accounts: in clear, or by pseudonyms of one key.
    private var naming: DecodedBatch.Naming?
    /// The number of the current file's lines before the current batch.
    private var linesOfFile = 0
    /// Archives that this run's summary has already counted.
    private var met: Set<SHA256Digest> = []

    init(_ loader: ArchiveLoader, known: KnownReceipts, _ reporter: RunReporter) {
        self.loader = loader
        self.known = known
        self.reporter = reporter
    }

    func take(_ item: SourceItem<DecodedBatch>) throws(MillError) {
        switch item {
        case .begin(let file):
            self.file = file
            linesOfFile = Int(file.processedLines)
            reporter.begin(file, loader.writer.counts)
            guard let fingerprint = file.identity else { return }
            try begin(fingerprint.id)
            if file.processedLines > 0 { reporter.run.report(.resumed(path: file.path, line: file.processedLines)) }
        case .batch(let batch, let file, let position):
            try loader.learn(batch.issuers)
            guard !file.rest.isCancelled else { return }
            try take(batch, of: file)
            reporter.advance(to: position, loader.writer.counts)
        case .end(let ending): try end(ending)
        case .waiting: try loader.writer.commit()
        case .known(_, let path, let name): reporter.known(path: path, name: name)
        case .letters: break
        case .unreadable(let failure): reporter.fail(failure)
        }
    }

    static func size(of item: SourceItem<DecodedBatch>) -> Int {
        if case .batch(let batch, _, _) = item { batch.size } else { 0 }
    }

    private func take(_ batch: DecodedBatch, of file: OpenedFile) throws(MillError) {
        if let named = batch.naming, named != naming {
            if naming != nil {
                return abandon(file, line: nil, "devices are named by another key than in the lines before")
            }
            try agree(on: named)
            naming = named
        }
        for run in batch.runs {
            let before = linesOfFile
            linesOfFile += run.verified.lineCount
            if let id = run.archive {
                if archive?.id != id { try begin(id) }
                if archive?.isKnown == true { continue }
                let processed = loader.processedLines ?? 0
                guard run.firstLine <= processed + 1 else {
                    return abandon(
                        file, line: before + 1,
                        "line \(run.firstLine) of \(id.name), of which line \(processed + 1) is the next",
                        hint: "load the files with the lines before first; decode archives that are missing")
                }
                let repeated = Int(processed + 1 - run.firstLine)
                if repeated == 0 {
                    try load(run.verified)
                } else if repeated < run.verified.lineCount {
                    try load(run.verified.dropping(lines: repeated))
                }
                if run.isLast { try endArchive(isComplete: true) }
            } else {
                try load(run.verified)
            }
        }
        if let fault = batch.fault {
            abandon(file, line: linesOfFile + 1, "\(fault.what) (character \(fault.offset + 1))")
        }
    }

    /// Every decoded line states its receipt in full, so the loader gets only receipts that are new.
    private func load(_ verified: VerifiedBatch) throws(MillError) {
        var batch = verified
        let standings = known.claim(batch.receipts.map(\.key), batch: batch.sequence)
        batch.receipts.removeAll(keepingCapacity: true)
        for (receipt, standing) in zip(verified.receipts, standings) {
            if standing == .taken { continue }
            if standing == .perhapsStored, try loader.writer.holds(receipt.digest) { continue }
            batch.receipts.append(receipt)
        }
        try loader.load(batch)
    }

    /// Refuses lines that name devices by another key than the database uses.
    private func agree(on naming: DecodedBatch.Naming) throws(MillError) {
        switch naming {
        case .none: try loader.writer.warehouse.pseudonyms.agree(onKeyOf: nil)
        case .key(let fingerprint):
            if loader.deadLetters != nil { throw DeadLetterStore.refusalUnderKey(loader.writer.warehouse.path) }
            // The first key makes SQLite rewrite the whole database, which is impossible inside a transaction.
            try loader.writer.commit()
            try loader.writer.warehouse.pseudonyms.agree(onKeyOf: fingerprint)
        }
    }

    private func begin(_ id: ArchiveID) throws(MillError) {
        try endArchive(isComplete: false)
        let state = try loader.writer.warehouse.archives.progress(of: id.sha256)
        let isKnown = state?.isComplete ?? false
        if met.insert(id.sha256).inserted {
            if isKnown {
                reporter.known(path: id.name, name: state?.name ?? id.name)
            } else {
                reporter.run.summary.archives += 1
            }
        }
        if !isKnown { try loader.begin(id) }
        archive = (id, isKnown)
    }

    private func endArchive(isComplete: Bool) throws(MillError) {
        // Decoded lines don't state up to which line a checksum confirms the archive.
        if let archive, !archive.isKnown { try loader.end(isComplete: isComplete, soundLines: isComplete ? nil : 0) }
        archive = nil
    }

    private func end(_ ending: ArchiveEnding) throws(MillError) {
        guard let file else { return }
        defer { reporter.endArchive(loader.writer.counts) }
        let isAbandoned = file.rest.isCancelled
        var isWhole = false
        if case .whole = ending { isWhole = true }
        // In a file whose lines name their archives, the end of each complete archive is marked. An archive that is
        // still open here is therefore incomplete.
        try endArchive(isComplete: isWhole && file.identity != nil && !isAbandoned)
        guard !isAbandoned else { return }
        if case .stopped = ending {
            reporter.run.summary.stoppedAt = .line(Int64(linesOfFile), of: file.path)
        }
        if case .growing = ending { reporter.run.report(.growing(path: file.path)) }
        if let failure = ending.failure { reporter.fail(failure) }
    }

    private func abandon(_ file: OpenedFile, line: Int?, _ what: String, hint: String? = nil) {
        file.rest.cancel()
        reporter.fail(
            MillError(
                stage: .loading, path: file.path, line: line, what: what,
                hint: hint ?? "give what receiptmill decode wrote; every line before this one is loaded",
                exitStatus: .badData))
    }
}
