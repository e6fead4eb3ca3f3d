internal import MillJSON
package import MillSystem
package import ReceiptWarehouse

/// What a night's run did.
package struct PipelineSummary: Sendable, Hashable {
    package internal(set) var ingest: IngestSummary
    package internal(set) var movedArchives = 0
    package internal(set) var deletedArchives = 0
    /// Archives that were to be deleted, and of which rejected lines would be lost.
    package internal(set) var keptArchives = 0
    /// Submissions that were deleted for their age.
    package internal(set) var prunedSubmissions = 0
    /// Reports that were written.
    package internal(set) var reports = 0
    package internal(set) var alarms: [Alarm] = []
    /// What was found wrong before the load.
    package internal(set) var earlyFailures: [MillError] = []
    /// What went wrong after the load.
    package internal(set) var failures: [MillError] = []
    /// All that went wrong, in order.
    package var allFailures: [MillError] { earlyFailures + ingest.failures + failures }
    /// Bytes of the database, and of its write-ahead log after the run.
    package internal(set) var databaseBytes: Int64 = 0
    package internal(set) var logBytes: Int64 = 0

    /// What a load alone did.
    package init(_ ingest: IngestSummary, database: String) {
        self.ingest = ingest
        databaseBytes = FileStamp(path: database)?.bytes ?? 0
        logBytes = FileStamp(path: RealPath.of(database) + "-wal")?.bytes ?? 0
    }

    /// How the run ended: faults count before alarms.
    package var outcome: RunOutcome {
        if !ingest.isStopped, !allFailures.isEmpty { return .incomplete }
        return ingest.outcome == .done && !alarms.isEmpty ? .alarm : ingest.outcome
    }

    /// Nil where all went well. A run that was cancelled says so; of several
    /// faults the first counts, and faults count before alarms.
    package var exitStatus: ExitStatus? {
        if ingest.isStopped { return .tryLater }
        return allFailures.first?.exitStatus ?? alarms.first?.exitStatus ?? ingest.exitStatus
    }

    /// One JSON object on one line: the members of `ingest --format json`, and
    /// what a pipeline adds.
    package var json: String {
        let alarms = alarms.map {
            JSONText.object([("cause", JSONText.quoted($0.cause.rawValue)), ("what", JSONText.quoted($0.what))])
        }
        return JSONText.object(
            [("outcome", JSONText.quoted(outcome.rawValue)), ("exit_status", "\(exitStatus?.rawValue ?? 0)")]
                + ingest.jsonMembers + [
                    ("submissions_pruned", "\(prunedSubmissions)"), ("archives_moved", "\(movedArchives)"),
                    ("archives_deleted", "\(deletedArchives)"), ("archives_kept", "\(keptArchives)"),
                    ("reports", "\(reports)"), ("failures", "\(allFailures.count)"),
                    ("alarms", "[\(alarms.joined(separator: ","))]"),
                ])
    }

    /// A few lines of text.
    package var text: String {
        var text = ingest.text
        if movedArchives + deletedArchives > 0 {
            text += "archives moved or deleted: \(movedArchives + deletedArchives)\n"
        }
        if keptArchives > 0 { text += "archives not deleted for their rejected lines: \(keptArchives)\n" }
        if prunedSubmissions > 0 { text += "submissions removed for their age: \(prunedSubmissions)\n" }
        if reports > 0 { text += "reports written: \(reports)\n" }
        if !alarms.isEmpty { text += "alarms: \(alarms.count)\n" }
        return text
    }
}
