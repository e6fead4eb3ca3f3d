internal import DatabaseCare
package import MillSystem
internal import ReceiptWarehouse
internal import RunGuide

/// A run as a list of steps over one database. `ingest`, `load`, `retry` and `run` are runs of this form.
protocol SteppedRun {
    func resolvedConfiguration() throws(MillError) -> LoadConfiguration
    /// The file that states how the last run left the database; nil for a run that takes any database.
    var identity: IdentityFile? { get }
    var journal: RunJournal { get }
    /// If the run created the database and fails before an archive is in it, whether the run removes the database.
    var leavesNoEmptyDatabase: Bool { get }
    /// The steps in the order in which the run does them.
    var steps: [any RunStep] { get }
}

/// The run of a command that loads the files which its arguments name.
package protocol LoadingRun {
    var configuration: LoadConfiguration { get }

    /// Runs to the end of the last archive, or until the run is cancelled.
    ///
    /// A fault of one archive is reported as an event and in the summary; other archives are still loaded.
    func run(onEvent: @escaping (RunEvent) -> Void) throws(MillError) -> RunSummary
}

extension SteppedRun where Self: LoadingRun {
    func resolvedConfiguration() -> LoadConfiguration { configuration }

    var journal: RunJournal { RunJournal(database: configuration.database, metrics: configuration.metrics) }
}

extension SteppedRun {
    var identity: IdentityFile? { nil }
    var leavesNoEmptyDatabase: Bool { false }

    /// Opens the database, does the steps, and records how the run ended.
    ///
    /// - Throws: ``MillError`` that ended the run. Committed rows are kept, and the next run continues after them.
    func perform(_ onEvent: @escaping (RunEvent) -> Void) throws(MillError) -> RunSummary {
        let (journal, steps) = (journal, steps)
        var configuration: LoadConfiguration?
        var context: RunContext?
        do throws(MillError) {
            let resolved = try resolvedConfiguration()
            configuration = resolved
            let opened = try RunContext(opening: resolved, heldAgainst: identity, onEvent)
            context = opened
            journal.begin()
            for step in steps { try step.run(in: opened) }
            try journal.end(opened)
            if opened.summary.isStopped { opened.report(.stopped(at: opened.summary.stoppedAt)) }
            // The update of the run's row is still in SQLite's log. If the log can't be emptied, the run has succeeded
            // all the same, since the log only slows readers down.
            _ = try? opened.database.emptyLog()
            opened.summary.stored = try? opened.database.access(StoredFacts.init)
            if !opened.summary.failures.isEmpty, leavesNoEmptyDatabase, opened.database.removeIfMadeForNothing() {
                opened.summary.stored = nil
                let path = resolved.database
                opened.log(.notice, "\(path): not made, because nothing was loaded", ["path": path])
            }
            return opened.summary
        } catch {
            let failure = configuration?.advised(error) ?? error
            journal.end(context, by: failure)
            if leavesNoEmptyDatabase, let context, context.database.removeIfMadeForNothing() {
                FaultMark(of: context.database.path).remove()
            }
            throw failure
        }
    }

    /// Asks each step for its part of the plan; nothing is written and no other run is disturbed.
    ///
    /// - Throws: ``MillError`` if a run could not begin.
    func examine() throws(MillError) -> RunPlan {
        let context = try RunContext(examining: try resolvedConfiguration(), heldAgainst: identity)
        for step in steps { try step.plan(in: context) }
        journal.writeMetrics(context)
        return context.plan
    }
}
