internal import MillSystem
internal import ReceiptWarehouse

/// Refreshes models that are outdated, unless the run is not to refresh, and records which fraud signals the run found
/// first.
struct RefreshModels: RunStep {
    func run(in context: RunContext) throws(MillError) {
        guard context.configuration.refreshes else { return }
        let cpuStart = ThreadClock.seconds
        let (database, stop) = (context.database, context.stop)
        if try !database.models.areCurrent() {
            let state = try database.models.refresh(foundBy: context.record, stop: stop) {
                context.report(.deriving($0))
            }
            context.summary.models = state
        } else if let record = context.record {
            try database.models.saveSightings(foundBy: record, stop: stop)
        }
        context.summary.cpuSeconds[.deriving, default: 0] += ThreadClock.seconds - cpuStart
        _ = context.mustStop()
    }
}
