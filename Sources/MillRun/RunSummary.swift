package import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
package import ReceiptWarehouse

/// What a run did: the contract of `--format json`.
@dynamicMemberLookup
package struct RunSummary: Sendable, Hashable {
    /// What the loader counted, whose members are the summary's as well.
    package internal(set) var counts = LoadCounts()

    /// Archives given that could be read.
    package internal(set) var archives = 0
    /// Archives among these whose content was loaded before.
    package internal(set) var knownArchives = 0
    /// Archives that have nearly the same submissions as one that was loaded before under their name.
    package internal(set) var repeatedArchives = 0
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
    package internal(set) var movedArchives = 0
    package internal(set) var deletedArchives = 0
    /// Archives that were to be deleted, and of which rejected lines would be lost.
    package internal(set) var keptArchives = 0
    /// Submissions that were deleted for their age.
    package internal(set) var prunedSubmissions = 0
    /// Reports that were written.
    package internal(set) var reports = 0
    package internal(set) var alarms: [Alarm] = []
    /// What went wrong, in order; the rest was done.
    package internal(set) var failures: [MillError] = []
    /// Archives that failed, or the dead-letter file.
    package internal(set) var failedArchives = 0
    /// Whether the run was cancelled before its end.
    package internal(set) var isStopped = false
    /// The archive that a cancelled run was in, and the line up to which it is loaded; nil between two archives.
    package internal(set) var stoppedAt: Place?

    package struct Place: Sendable, Hashable {
        package let path: String
        package let line: Int64
    }
    /// Share of the lines that may be rejected.
    package internal(set) var maxRejected = 1.0
    /// Archives that can't be read to their end.
    var damaged: [DamagedArchive] = []

    /// Archives of which lines were loaded, and what those came to.
    var loads: [ArchiveLoad] = []
    /// Archives whose every line is in the database.
    var durable: [DurableArchive] = []

    /// How the run ended: faults count before alarms.
    package var outcome: RunOutcome {
        if isStopped { return .stopped }
        if !failures.isEmpty { return .incomplete }
        return hasTooManyRejected || !alarms.isEmpty ? .alarm : .done
    }

    /// What the process ends with; nil where all went well. Of several faults the first counts, and faults count
    /// before alarms.
    package var exitStatus: ExitStatus? {
        if isStopped { return .tryLater }
        return failures.first?.exitStatus ?? alarms.first?.exitStatus ?? (hasTooManyRejected ? .badData : nil)
    }

    /// Whether more lines were rejected than ``LoadConfiguration/maxRejected`` allows.
    package var hasTooManyRejected: Bool { rejectedShare > maxRejected }

    /// Counts what became of an archive behind the load.
    mutating func count(_ event: RunEvent) {
        switch event {
        case .moved: movedArchives += 1
        case .deleted: deletedArchives += 1
        case .refused(let fault, _?): failures.append(fault)
        case .kept, .refused: keptArchives += 1
        default: break
        }
    }

    package subscript<Value>(dynamicMember path: KeyPath<LoadCounts, Value>) -> Value { counts[keyPath: path] }

    /// Share of the lines that were rejected, or of their documents where that is more: a line may be
    /// read for one of its documents while a thousand others can't. 0 where there were none.
    package var rejectedShare: Double { rejectedShare(withEarlier: 0, of: 0) }

    /// The share where lines of earlier runs count, too.
    func rejectedShare(withEarlier rejected: Int, of lines: Int) -> Double {
        max(
            rejectedShareOfLines(withEarlier: rejected, of: lines),
            Self.share(counts.rejectedDocuments, of: counts.rejectedDocuments + counts.submissions))
    }

    /// The share of lines alone, without regard to their documents.
    func rejectedShareOfLines(withEarlier rejected: Int, of lines: Int) -> Double {
        Self.share(counts.rejected.values.reduce(rejected, +), of: counts.lines + lines)
    }

    private static func share(_ part: Int, of all: Int) -> Double { all > 0 ? Double(part) / Double(all) : 0 }
}

/// An archive that can't be read to its end.
struct DamagedArchive: Sendable, Hashable {
    let path: String
    /// The file before it was read.
    let stamp: FileStamp
}

/// What a run loaded of an archive.
struct ArchiveLoad: Sendable, Hashable {
    let path: String
    /// The archive's number in the database.
    let id: Int64
    /// Its lines that this run processed, from 1.
    let lines: ClosedRange<Int64>
    /// Of these lines, the ones of which nothing was read.
    let rejectedLines: Int
    /// Documents of the lines that can't be read.
    let rejectedDocuments: Int
}

/// An archive whose every line is in the database.
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
