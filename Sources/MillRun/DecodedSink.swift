internal import DecodedLines
internal import MillJSON
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification

/// Takes parsed lines in the order of the files: into the database, into the
/// summary, and to whoever follows the run. Used by one worker at a time.
final class DecodedSink {
    var summary = IngestSummary()
    private let loader: Loader
    private let known: KnownReceipts
    private let tell: (Ingest.Event) -> Void
    private var progress = Ingest.Progress()
    /// The archive that is begun, and whether it was complete before: then its
    /// lines are passed over.
    private var current: (tag: ArchiveID, isKnown: Bool)?
    private var naming: DecodedBatch.Naming?
    /// Lines of the file at hand before the batch at hand.
    private var linesOfFile = 0
    private var fileHasFailed = false
    /// Archives that were met in this run.
    private var met: Set<SHA256Digest> = []

    init(loader: Loader, known: KnownReceipts, tell: @escaping (Ingest.Event) -> Void) {
        self.loader = loader
        self.known = known
        self.tell = tell
    }

    func take(_ item: ParsedItem) throws(MillError) {
        switch item {
        case .begin(let file):
            linesOfFile = Int(file.skippedLines)
            fileHasFailed = false
            progress.archive += 1
            progress.archiveName = file.name
            progress.archiveBytes = file.bytes
            if let tag = file.identity {
                try begin(tag)
                if file.skippedLines > 0 { tell(.resumed(path: file.path, line: file.skippedLines)) }
            }
        case .batch(let batch, let file, let consumedBytes):
            try loader.learn(batch.issuers)
            guard !fileHasFailed else { return }
            try take(batch, of: file)
            progress.consumedBytes = consumedBytes
            progress.lines = loader.counts.lines
            tell(.progress(progress))
        case .end(let ending, let file): try end(ending, of: file)
        case .known(let path, let name):
            summary.archives += 1
            summary.knownArchives += 1
            tell(.alreadyLoaded(path: path, name: name))
        case .unreadable(let failure): fail(failure)
        }
    }

    private func take(_ batch: DecodedBatch, of file: DecodedFile) throws(MillError) {
        if let named = batch.naming, named != naming {
            if naming != nil {
                return abandon(file, line: nil, "devices are named by another key than in the lines before")
            }
            try loader.agree(on: named)
            naming = named
        }
        for run in batch.runs {
            let before = linesOfFile
            linesOfFile += run.verified.lineCount
            if let tag = run.archive {
                if current?.tag != tag { try begin(tag) }
                if current?.isKnown == true { continue }
                let settled = loader.processedLines ?? 0
                guard run.firstLine <= settled + 1 else {
                    return abandon(
                        file, line: before + 1,
                        "line \(run.firstLine) of \(tag.name), of which line \(settled + 1) is the next",
                        hint: "load the files with the lines before first; decode archives that are missing")
                }
                try load(run, settled: settled)
                if run.isLast { try endArchive(isComplete: true) }
            } else {
                try load(run.verified)
            }
        }
        if let fault = batch.fault {
            abandon(file, line: linesOfFile + 1, "\(fault.what) (character \(fault.offset + 1))")
        }
    }

    private func load(_ run: DecodedBatch.Run, settled: Int64) throws(MillError) {
        let repeated = settled + 1 - run.firstLine
        if repeated <= 0 {
            try load(run.verified)
        } else if repeated < run.verified.lineCount {
            try load(run.verified.dropping(lines: Int(repeated)))
        }
    }

    /// Every line tells its receipt again; the loader is given those that are new.
    private func load(_ verified: VerifiedBatch) throws(MillError) {
        var batch = verified
        let standings = known.claim(batch.receipts.map(\.digest), batch: batch.sequence)
        batch.receipts.removeAll(keepingCapacity: true)
        for (receipt, standing) in zip(verified.receipts, standings) {
            if standing == .taken { continue }
            if standing == .perhapsStored, try loader.holds(receipt.digest) { continue }
            batch.receipts.append(receipt)
        }
        try loader.load(batch)
    }

    private func begin(_ tag: ArchiveID) throws(MillError) {
        try endArchive(isComplete: false)
        let state = try loader.loadDatabase.state(of: tag.sha256)
        let isKnown = state?.isComplete ?? false
        if met.insert(tag.sha256).inserted {
            summary.archives += 1
            if isKnown {
                summary.knownArchives += 1
                tell(.alreadyLoaded(path: tag.name, name: state?.name ?? tag.name))
            } else if try loader.loadDatabase.rejectsFiles().contains(tag.name) {
                throw MillError(
                    stage: .loading, path: tag.name, what: "has the name of a rejects file of this database",
                    hint: "load a mended rejects file with receiptmill ingest, which knows what its lines stand for",
                    exitStatus: .badData)
            }
        }
        if !isKnown { try loader.begin(tag) }
        current = (tag, isKnown)
    }

    private func endArchive(isComplete: Bool) throws(MillError) {
        if let current, !current.isKnown { try loader.end(isComplete: isComplete) }
        current = nil
    }

    private func end(_ ending: ArchiveEnding, of file: DecodedFile) throws(MillError) {
        switch ending {
        case .whole:
            // What names its archives has ended those that were whole.
            try endArchive(isComplete: file.identity != nil && !fileHasFailed)
        case .growing:
            try endArchive(isComplete: false)
            if !fileHasFailed { tell(.growing(path: file.path)) }
        case .stopped: try endArchive(isComplete: false)
        case .failed(let failure):
            try endArchive(isComplete: false)
            if !fileHasFailed { fail(failure) }
        }
    }

    private func abandon(_ file: DecodedFile, line: Int?, _ what: String, hint: String? = nil) {
        fileHasFailed = true
        file.abandon.make()
        fail(
            MillError(
                stage: .loading, path: file.path, line: line, what: what,
                hint: hint ?? "give what receiptmill decode wrote; every line before this one is loaded",
                exitStatus: .badData))
    }

    private func fail(_ failure: MillError) {
        summary.failures.append(failure)
        tell(.failed(failure))
    }
}

extension Loader {
    /// Holds the lines to the key by which the database names devices.
    func agree(on naming: DecodedBatch.Naming) throws(MillError) {
        switch naming {
        case .none: try loadDatabase.agree(onKeyOf: nil)
        case .key(let fingerprint): try loadDatabase.agree(onKeyOf: fingerprint)
        }
    }
}
