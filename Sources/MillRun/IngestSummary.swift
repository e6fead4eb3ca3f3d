public import ReceiptTrust

/// What a run did: the contract of `ingest --format json`.
public struct IngestSummary: Sendable, Hashable, RunSummary {
    /// Archives given that could be read.
    public internal(set) var archives = 0
    /// Of these, archives whose content was loaded before.
    public internal(set) var knownArchives = 0
    public internal(set) var lines = 0
    public internal(set) var submissions = 0
    /// Receipts seen for the first time.
    public internal(set) var newReceipts = 0
    /// Submissions of a receipt that was known, from this run or before.
    public var knownReceipts: Int { submissions - newReceipts }
    public internal(set) var newPurchases = 0
    public internal(set) var rejected: [RejectionReason: Int] = [:]
    /// Lines that were loaded in the place of rejected ones, letters whose rejection was not open
    /// any more, and letters that were refused or corrected and still can't be read.
    public internal(set) var correctionsApplied = 0
    public internal(set) var correctionsPassedOver = 0
    public internal(set) var correctionsRefused = 0
    /// Letters in the dead-letter file; nil where none was asked for.
    public internal(set) var deadLetters: Int?
    /// Lines that were rejected and not kept, though that was asked for: too long, or too many.
    public internal(set) var rejectionsNotKept = 0
    /// New receipts by verdict.
    public internal(set) var verdicts: [Verdict: Int] = [:]
    public internal(set) var seconds = 0.0
    /// CPU time of each stage, all workers together.
    public internal(set) var cpuSeconds: [Stage: Double] = [:]
    /// What went wrong with single archives; the others were loaded.
    public internal(set) var failures: [MillError] = []
    /// Whether the run was asked to stop before its end.
    public internal(set) var isStopped = false
    /// Share of the lines that may be rejected.
    public internal(set) var maxRejected = 1.0
    /// Archives whose every line is in the database.
    var durable: [DurableArchive] = []

    struct DurableArchive: Sendable, Hashable {
        let path: String
        let sha256: SHA256Digest
        /// The file before it was read.
        let stamp: FileStamp
        /// Whether it is a dead-letter file, whose letters are all loaded or passed over.
        let holdsLetters: Bool

        init(path: String, _ fingerprint: ArchiveFingerprint, holdsLetters: Bool = false) {
            self.path = path
            self.holdsLetters = holdsLetters
            sha256 = fingerprint.sha256
            stamp = fingerprint.stamp
        }
    }

    var outcome: RunOutcome {
        if isStopped { return .stopped }
        if !failures.isEmpty { return .incomplete }
        return hasTooManyRejected ? .alarm : .done
    }

    /// What the process ends with; nil where all went well. Of several faults the
    /// first counts.
    public var exitStatus: ExitStatus? {
        if isStopped { return .tryLater }
        return failures.first?.exitStatus ?? (hasTooManyRejected ? .badData : nil)
    }

    static var reviewsAlarms: Bool { false }

    var load: IngestSummary { self }

    /// Whether more lines were rejected than ``LoadConfiguration/maxRejected`` allows.
    public var hasTooManyRejected: Bool { rejectedShare > maxRejected }

    /// Takes over what a load counted.
    mutating func end(_ counts: LoadCounts, _ cpuSeconds: [Stage: Double], isStopped: Bool) {
        self.isStopped = isStopped
        self.cpuSeconds = cpuSeconds
        lines = counts.lines
        submissions = counts.submissions
        newReceipts = counts.newReceipts
        newPurchases = counts.newPurchases
        rejected = counts.rejected
        correctionsApplied = counts.corrected
        verdicts = counts.verdicts
    }

    /// Share of the lines that were rejected; 0 where there were none.
    public var rejectedShare: Double { rejectedShare(withEarlier: 0, of: 0) }

    /// The same where lines of earlier runs count, too.
    func rejectedShare(withEarlier earlierRejected: Int, of earlierLines: Int) -> Double {
        guard lines + earlierLines > 0 else { return 0 }
        return Double(rejected.values.reduce(earlierRejected, +)) / Double(lines + earlierLines)
    }
}
