internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// Refreshes models that are outdated, unless the run is not to refresh, and records which fraud signals the run found
/// first.
struct RefreshModels: RunStep {
    func run(in context: RunContext) throws(MillError) {
        guard context.configuration.refreshes else { return }
        let cpuStart = ThreadClock.seconds
        let (database, stop) = (context.database, context.stop)
        let former = try database.models.state()
        let compares = former.map { context.configuration.modelComparison.isDue(after: $0.wholeAt) } ?? false
        if compares || former?.isCurrent != true {
            let state = try database.models.refresh(foundBy: context.record, compares: compares, stop: stop) {
                context.report(.deriving($0))
            }
            context.summary.models = state
            if let differences = state?.differences, !differences.isEmpty { context.fail(fault(differences, context)) }
        } else if let record = context.record {
            try database.models.saveSightings(foundBy: record, stop: stop)
        }
        context.summary.cpuSeconds[.deriving, default: 0] += ThreadClock.seconds - cpuStart
        _ = context.mustStop()
    }

    private func fault(_ differences: [String], _ context: RunContext) -> MillError {
        MillError(
            stage: .deriving, path: context.configuration.database,
            what: "\(differences.count) models had rows that documents do not give, and were replaced: "
                + differences.joined(separator: "; "),
            hint: "reports are right again; please report these lines as a defect of receiptmill",
            exitStatus: .internalFault)
    }
}
