internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// Refreshes models that are outdated, unless the run's settings forbid it, and records which fraud signals this run
/// found first.
struct RefreshModels: RunStep {
    func run(in context: RunContext) throws(MillError) {
        guard context.configuration.refreshes else { return }
        let cpuStart = ThreadClock.seconds
        let (database, stop) = (context.database, context.stop)
        if try !database.models.areCurrent() {
            let state = try database.models.refresh(foundBy: context.record, stop: stop) {
                context.report(.refreshing($0))
            }
            context.summary.models = state
        } else if let record = context.record {
            try database.models.saveSightings(foundBy: record, stop: stop)
        }
        compare(in: context)
        context.summary.cpuSeconds[.refreshing, default: 0] += ThreadClock.seconds - cpuStart
        _ = context.mustStop()
    }

    /// If a comparison is due, compares the models with all documents. If the comparison fails, for example for lack of
    /// disk space for temporary files, the refreshed models are kept.
    private func compare(in context: RunContext) {
        do {
            guard !context.mustStop(), let state = try context.database.models.state(), state.isCurrent,
                context.configuration.modelComparison.isDue(after: state.wholeAt)
            else { return }
            let found = try context.database.models.compare(stop: context.stop) { context.report(.refreshing($0)) }
            guard let found, !found.isEmpty else { return }
            context.fail(
                MillError(
                    stage: .refreshing, path: context.configuration.database,
                    what: "models that differed from what all documents give, and were replaced: \(found.count): "
                        + found.joined(separator: "; "),
                    hint: "reports are right again; please report this as a defect of receiptmill, without keys that "
                        + "name persons",
                    exitStatus: .internalFault))
        } catch {
            context.fail(error)
        }
    }
}
