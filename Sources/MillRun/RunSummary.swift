internal import MillConfiguration
package import MillDatabase
package import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
package import ReceiptWarehouse
package import RunGuide
package import StoreLoading

/// The results of a run. Programs read them in the output of `--format json`, so names and meanings must not change.
@dynamicMemberLookup
package struct RunSummary: Sendable, Hashable {
    /// The loader's counts, whose members can be read as members of the summary.
    package internal(set) var counts = LoadCounts()

    /// Number of given archives that could be read.
    package internal(set) var archives = 0
    /// Number of readable archives whose content was loaded before.
    package internal(set) var knownArchives = 0
    /// Number of archives that have nearly the same submissions as an archive that was loaded before under the same
    /// name.
    package internal(set) var repeatedArchives = 0
    /// Number of lines of dead-letter files whose rejection was no longer open.
    package internal(set) var correctionsPassedOver = 0
    /// Number of lines of dead-letter files that were refused, or were corrected and still can't be read.
    package internal(set) var correctionsRefused = 0
    /// Number of lines of dead-letter files that were not changed and still can't be read.
    package internal(set) var correctionsUnreadable = 0
    /// Number of lines in the dead-letter file; nil if no dead-letter file was asked for.
    package internal(set) var deadLetters: Int?
    /// Number of rejected lines that were not kept although they should have been, because a line was too long or the
    /// kept lines took too much space.
    package internal(set) var rejectionsNotKept = 0
    /// Rejections that are open after the run; nil if no rejected lines were read again.
    package internal(set) var openRejections: OpenRejections?
    /// Counts of App Store report files and their rows.
    package internal(set) var reportFiles = ReportFileCounts()
    package internal(set) var seconds = 0.0
    /// The state of the models that the run refreshed; nil without a refresh.
    package internal(set) var models: ModelState?
    /// CPU seconds of each stage, summed over all workers.
    package internal(set) var cpuSeconds: [Stage: Double] = [:]
    package internal(set) var movedArchives = 0
    package internal(set) var deletedArchives = 0
    /// Number of archives that were not deleted, because rejected lines or documents that are not trusted would be
    /// lost.
    package internal(set) var keptArchives = 0
    /// Number of submissions that were deleted because of their age.
    package internal(set) var expiredSubmissions = 0
    /// Number of reports that were written.
    package internal(set) var reports = 0
    package internal(set) var alarms: [Alarm] = []
    /// Faults in the order in which the run met them. All other work was done.
    package internal(set) var failures: [MillError] = []
    /// Number of archives that failed; a dead-letter file that could not be written counts as one.
    package internal(set) var failedArchives = 0
    /// Whether the run was cancelled before its end.
    package internal(set) var isStopped = false
    /// Where a cancelled run stopped.
    package internal(set) var stoppedAt = StopPlace.betweenArchives
    /// What the database held at the end; nil if it can't be read.
    package internal(set) var stored: StoredFacts?
    /// Arguments of the next useful command; nil if there is none, or if the caller asked for none.
    package var next: [String]?
    /// Share of the lines that may be rejected.
    package internal(set) var maxRejected: Double? = 1
    /// Archives that can't be read to their end, followed by report files that can't, or that are no reports. Steps add
    /// them in this order.
    var damaged: [DamagedFile] = []
    /// The archives from which lines were loaded, with counts of their lines.
    var loads: [ArchiveLoad] = []
    /// Archives whose every line is in the database.
    var durable: [DurableArchive] = []

    /// How the run ended: faults count before alarms.
    package var outcome: RunOutcome {
        if isStopped { return .stopped }
        if !failures.isEmpty { return .incomplete }
        return hasTooManyRejected || !alarms.isEmpty ? .alarm : .done
    }

    /// The status with which the process ends; nil for success. A stopped run has its own status. The first of several
    /// faults decides, and faults count before alarms.
    package var exitStatus: ExitStatus? {
        if isStopped { return .tryLater }
        return failures.first?.exitStatus ?? alarms.first?.exitStatus ?? (hasTooManyRejected ? .badData : nil)
    }

    /// Why the run was no success; nil for a success, and for a run that was stopped before it met a fault.
    var reason: RunReason? {
        let faults = failures.count + alarms.count + (hasTooManyRejected ? 1 : 0)
        if let failure = failures.first { return failure.reason(of: faults) }
        if let alarm = alarms.first {
            return RunReason(
                exitStatus: alarm.exitStatus.rawValue, text: "\(alarm.cause.rawValue): \(alarm.message)",
                advice: alarm.hint, faults: faults)
        }
        guard hasTooManyRejected else { return nil }
        return RunReason(
            exitStatus: ExitStatus.badData.rawValue, text: "more lines were rejected than --max-rejected allows",
            advice: "SELECT reason, count(*), min(detail) FROM rejections GROUP BY reason", faults: faults)
    }

    /// Whether more lines were rejected than ``LoadConfiguration/maxRejected`` allows.
    package var hasTooManyRejected: Bool { rejectedShare > allowedRejections }
    package var allowedRejections: Double { AlarmSettings.allowedRejections(maxRejected, of: counts.lines) }

    package subscript<Value>(dynamicMember path: KeyPath<LoadCounts, Value>) -> Value { counts[keyPath: path] }

    /// The share of rejected lines or of rejected documents, whichever is greater: one document of a line may be read
    /// while a thousand others can't. 0 if the run read no lines.
    package var rejectedShare: Double { rejectedShare(withEarlier: 0, of: 0) }

    /// The share ``rejectedShare`` with lines of earlier runs included.
    func rejectedShare(withEarlier rejected: Int, of lines: Int) -> Double {
        max(
            rejectedShareOfLines(withEarlier: rejected, of: lines),
            Self.share(
                counts.rejectedDocuments,
                of: counts.rejectedDocuments + counts.submissions + counts.ofOtherStores.values.reduce(0, +)))
    }

    /// The share of rejected lines, without regard to the lines' documents.
    func rejectedShareOfLines(withEarlier rejected: Int, of lines: Int) -> Double {
        Self.share(counts.rejectedLines + rejected, of: counts.lines + lines)
    }

    private static func share(_ part: Int, of all: Int) -> Double { all > 0 ? Double(part) / Double(all) : 0 }
}

extension MillError {
    /// The failure as the reason why a run was no success.
    ///
    /// - Parameter faults: how many faults and alarms the run met.
    func reason(of faults: Int) -> RunReason {
        var fault = self
        fault.hint = nil
        return RunReason(exitStatus: exitStatus.rawValue, text: fault.description, advice: hint, faults: faults)
    }
}

/// A file that can't be read to its end, or is not a report although it was found as one.
struct DamagedFile: Sendable, Hashable {
    let path: String
    /// The stamp of the file, taken before the file was read.
    let stamp: FileStamp
    /// The folder to which a damaged report file is moved; nil for an archive, whose entry names the folder.
    var folder: String?
}

/// The lines of an archive that one run loaded, or, in a review for alarms, all lines of an archive that an earlier run
/// began.
struct ArchiveLoad: Sendable, Hashable {
    /// The archive's path if this run read it, else its name.
    var path: String
    /// The archive's number in the database.
    let id: Int64
    /// The lines, counted from 1.
    let lines: ClosedRange<Int64>
    /// Number of these lines without any readable document.
    let rejectedLines: Int
    /// Number of documents in these lines that can't be read.
    var rejectedDocuments: Int
}

/// An archive whose every line is in the database.
struct DurableArchive: Sendable, Hashable {
    let path: String
    let sha256: SHA256Digest
    /// The stamp of the file, taken before the file was read.
    let stamp: FileStamp
    /// Whether the file is a dead-letter file all of whose lines are loaded or skipped.
    let holdsLetters: Bool

    init(path: String, _ fingerprint: ArchiveFingerprint, holdsLetters: Bool = false) {
        self.path = path
        self.holdsLetters = holdsLetters
        sha256 = fingerprint.sha256
        stamp = fingerprint.stamp
    }
}
