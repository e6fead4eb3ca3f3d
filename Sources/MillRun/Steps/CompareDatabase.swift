internal import DatabaseCare
internal import MillConfiguration
internal import MillSystem

/// Compares the database with the state in which the last run left it, and with the files in folders of moved archives.
struct CompareDatabase: PlannedStep {
    let pipeline: Pipeline
    let identity: IdentityFile
    /// Whether moved archives that the database does not know are loaded again.
    let reloadsMoved: Bool

    func run(in context: RunContext) throws(MillError) {
        let moved = MovedArchives(pipeline: pipeline, database: context.database, stop: context.stop)
        let unknown: [MovedArchives.UnknownFile]
        do throws(MillError) {
            unknown = try moved.unknown(remembering: !context.isDryRun)
        } catch {
            guard context.stop.isCancelled, error.exitStatus == .tryLater else { throw error }
            return
        }
        if reloadsMoved {
            context.log(
                .notice,
                "\(unknown.count) files that were moved are unknown to the database, and are loaded from where they lie",
                ["archives": unknown.count])
            context.archives += unknown.map { FoundArchive(path: $0.path, source: $0.source) }
            return
        }
        context.fail(try olderCopy(context), .comparison) { _ in "database \(pipeline.database)" }
        context.fail(moved.faults(of: unknown), .comparison) { "archives in \($0.path ?? "")" }
    }

    /// The fault of a database that holds fewer lines than it did after the last run.
    fileprivate func olderCopy(_ context: RunContext) throws(MillError) -> [MillError] {
        guard !identity.hasVanished,
            let fault = try identity.faultOfOlderCopy(context.database, reloadCommand: pipeline.reloadCommand)
        else {
            return []
        }
        return [fault]
    }
}

/// Compares the database with the state in which the last run left it, after moved archives were loaded again.
struct CompareReloaded: RunStep {
    let comparison: CompareDatabase

    func run(in context: RunContext) throws(MillError) {
        guard comparison.reloadsMoved else { return }
        for fault in try comparison.olderCopy(context) {
            context.report(.failed(fault))
            // The first failure decides the exit status. That the database is an older copy counts before faults of the
            // load.
            context.summary.failures.insert(fault, at: 0)
        }
    }
}
