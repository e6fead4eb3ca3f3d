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
struct RemoveOldSubmissions: RunStep {
    /// The age in days from which submissions are removed; if nil, all are kept.
    let days: Int?

    func run(in context: RunContext) throws(MillError) {
        guard let days, let cutoff = context.clock?.cutoff(days: days) else { return }
        context.summary.expiredSubmissions = try Retention.deleteExpired(
            context.database, before: cutoff, by: context.record)
        context.reportExpired(.submissions, count: context.summary.expiredSubmissions, days: days, before: cutoff)
    }

    func plan(in context: RunContext) {
        if let days { context.plan.add("remove submissions older than \(days) days", to: .retention) }
    }
}
