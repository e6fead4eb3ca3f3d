package import MillSystem
package import ReceiptWarehouse

/// What a run did, as its row states it.
package protocol RunSummary {
    /// Whether such a run ends by reviewing what was loaded for alarms.
    static var reviewsAlarms: Bool { get }
    var outcome: RunOutcome { get }
    var load: IngestSummary { get }
}

extension RunRecord {
    /// Does a run's work under a row that says how it ended.
    ///
    /// - Parameter summary: before the work; what the work makes of it is returned.
    static func recording<Summary: RunSummary>(
        _ summary: Summary, in database: LoadDatabase, _ work: (RunRecord, inout Summary) throws(MillError) -> Void
    ) throws(MillError) -> Summary {
        let record = try RunRecord(database, reviewsAlarms: Summary.reviewsAlarms)
        var summary = summary
        do throws(MillError) {
            try work(record, &summary)
            try record.update(summary.outcome, summary.load, isEnd: true, database)
            return summary
        } catch {
            // What stopped the run may stop this too; the next run then marks it.
            try? record.update(.failed, summary.load, isEnd: true, database)
            throw error
        }
    }

    package func update(
        _ outcome: RunOutcome, _ summary: IngestSummary, isEnd: Bool, _ database: LoadDatabase
    ) throws(MillError) {
        try update(
            outcome, archives: (summary.archives, summary.knownArchives, summary.failures.count), isEnd: isEnd, database
        )
    }
}
