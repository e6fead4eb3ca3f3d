package import MillSystem
internal import ReceiptWarehouse

/// A run as a list of steps over one database: what `ingest`, `load`, `retry` and `run` have in common.
protocol SteppedRun {
    func resolvedConfiguration() throws(MillError) -> LoadConfiguration
    /// The file beside the database that says how the last run left it; nil of a run that does not hold the database
    /// against it.
    var identity: IdentityFile? { get }
    var journal: RunJournal { get }
    /// What is done, in this order.
    var steps: [any RunStep] { get }
}

/// A run of a command that loads what its arguments name.
package protocol LoadingRun {
    var configuration: LoadConfiguration { get }

    /// Runs to the end of the last archive, or until the run is cancelled.
    ///
    /// A fault of one archive is reported as an event and in the summary, and the others are loaded.
    func run(onEvent: @escaping (RunEvent) -> Void) throws(MillError) -> RunSummary
}

extension SteppedRun where Self: LoadingRun {
    func resolvedConfiguration() -> LoadConfiguration { configuration }

    var journal: RunJournal { RunJournal(database: configuration.database, metrics: configuration.metrics) }
}

extension SteppedRun {
    var identity: IdentityFile? { nil }

    /// Opens the database, does the steps, and records how that ended.
    ///
    /// - Throws: ``MillError`` that ended the run. What was committed is kept, and the next run goes on from there.
    func perform(_ onEvent: @escaping (RunEvent) -> Void) throws(MillError) -> RunSummary {
        let (journal, steps) = (journal, steps)
        var configuration: LoadConfiguration?
        var context: RunContext?
        do throws(MillError) {
            let resolved = try resolvedConfiguration()
            configuration = resolved
            let opened = try RunContext(opening: resolved, heldAgainst: identity, onEvent)
            context = opened
            for step in steps { try step.run(in: opened) }
            try journal.end(opened)
            if opened.summary.isStopped { opened.report(.stopped(opened.summary.stoppedAt)) }
            // The row's end stands in SQLite's log, which only readers would need.
            _ = try? opened.database.emptyLog()
            return opened.summary
        } catch {
            journal.end(context, by: error)
            throw configuration?.advised(error) ?? error
        }
    }

    /// Asks the steps what they would do; nothing is written and no other run is disturbed.
    ///
    /// - Throws: ``MillError`` where a run could not begin.
    func examine() throws(MillError) -> RunPlan {
        let context = try RunContext(examining: try resolvedConfiguration(), heldAgainst: identity)
        for step in steps { try step.plan(in: context) }
        journal.plan(in: context)
        return context.plan
    }
}
