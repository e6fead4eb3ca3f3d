package import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
package import ReceiptWarehouse

/// What a run did: the contract of `ingest --format json`.
@dynamicMemberLookup
package struct IngestSummary: Sendable, Hashable {
    /// What the loader counted, whose members are the summary's as well.
    package internal(set) var counts = LoadCounts()

    /// Archives given that could be read.
    package internal(set) var archives = 0
    /// Archives among these whose content was loaded before.
    package internal(set) var knownArchives = 0
    /// Receipts submitted, or held by submitted ones, that were known, from this run or before.
    package var knownReceipts: Int { counts.submissions + counts.parts - counts.newReceipts }
    /// Letters whose rejection was not open any more.
    package internal(set) var correctionsPassedOver = 0
    /// Letters that were refused, or corrected and still can't be read.
    package internal(set) var correctionsRefused = 0
    /// Letters that were not changed and still can't be read.
    package internal(set) var correctionsUnreadable = 0
    /// Letters in the dead-letter file; nil where none was asked for.
    package internal(set) var deadLetters: Int?
    /// Lines that were rejected and not kept, though that was asked for: too long, or too many.
    package internal(set) var rejectionsNotKept = 0
    /// Rejections that are open after the run; nil where none was read again.
    package internal(set) var openRejections: OpenRejections?
    package internal(set) var seconds = 0.0
    /// How long models were worked out behind the load; nil where they were not.
    package internal(set) var refreshSeconds: Double?
    /// CPU time of each stage, all workers together.
    package internal(set) var cpuSeconds: [Stage: Double] = [:]
    /// What went wrong with single archives; the others were loaded.
    package internal(set) var failures: [MillError] = []
    /// Whether the run was cancelled before its end.
    package internal(set) var isStopped = false
    /// Share of the lines that may be rejected.
    package internal(set) var maxRejected = 1.0
    /// Archives that can't be read to their end.
    var damaged: [DamagedArchive] = []

    struct DamagedArchive: Sendable, Hashable {
        let path: String
        /// The file before it was read.
        let stamp: FileStamp
    }

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

    package var outcome: RunOutcome {
        if isStopped { return .stopped }
        if !failures.isEmpty { return .incomplete }
        return hasTooManyRejected ? .alarm : .done
    }

    /// What the process ends with; nil where all went well. Of several faults the
    /// first counts.
    package var exitStatus: ExitStatus? {
        if isStopped { return .tryLater }
        return failures.first?.exitStatus ?? (hasTooManyRejected ? .badData : nil)
    }

    /// Whether more lines were rejected than ``LoadConfiguration/maxRejected`` allows.
    package var hasTooManyRejected: Bool { rejectedShare > maxRejected }

    package subscript<Value>(dynamicMember path: KeyPath<LoadCounts, Value>) -> Value { counts[keyPath: path] }

    /// Share of the lines that were rejected; 0 where there were none.
    package var rejectedShare: Double { rejectedShare(withEarlier: 0, of: 0) }

    /// The same where lines of earlier runs count, too.
    func rejectedShare(withEarlier rejected: Int, of lines: Int) -> Double {
        let lines = counts.lines + lines
        return lines > 0 ? Double(counts.rejected.values.reduce(rejected, +)) / Double(lines) : 0
    }
}
