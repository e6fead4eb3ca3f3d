internal import DatabaseCare
internal import MillConfiguration
internal import MillSystem

/// Counts lines with documents that are not trusted, before any of them is removed because of its age.
struct CountUntrusted: RunStep {
    /// The share of the run's lines that may hold a document which is not trusted.
    let share: Double

    func run(in context: RunContext) throws(MillError) {
        context.untrustedAlarm = try UntrustedLines(of: context.summary, allowing: share, context.database).alarm
    }
}

/// Removes submissions because of their age.
struct RemoveOldSubmissions: PlannedStep {
    /// The age in days from which submissions are removed; if nil, all are kept.
    let days: Int?

    func run(in context: RunContext) throws(MillError) {
        guard let days else { return }
        try context.act(.retention, as: "remove submissions older than \(days) days") { () throws(MillError) in
            guard let cutoff = context.clock?.cutoff(days: days) else { return }
            let count = try Retention.deleteExpired(context.database, before: cutoff, by: context.record)
            context.summary.expiredSubmissions = count
            context.reportExpired(
                count, "submissions deleted that are older than \(days) days,", days: days, before: cutoff)
        }
    }
}
