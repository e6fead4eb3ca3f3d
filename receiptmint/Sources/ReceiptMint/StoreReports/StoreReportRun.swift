internal import Foundation

/// Writes the store's reports of an archive's sales, and the truth about both.
struct StoreReportRun {
    let parameters: MintParameters
    let sales: [OwnSale]

    func write(into folder: URL) throws -> Truth.StoreReports {
        let plan = StoreReportPlan(sales, shares: parameters.storeShares, seed: parameters.seed)
        var files = StoreReportFiles(
            folder: folder.appending(path: MintRun.storeReportsName), level: parameters.level,
            reported: plan.reported, periods: sales.compactMap(\.activePeriod))
        try files.write(seed: parameters.seed)
        let lines = try NewFile(folder, MintRun.storeName)
        try lines.write(JSONEncoder.ofTruth.lines(plan.events.compactMap(\.difference)))
        try lines.close()
        var truth = Truth.StoreReports(plan)
        truth.files = files.files
        truth.rows = files.rows
        return truth
    }
}

extension OwnSale {
    /// The period in which the store counts the sale as an active subscription; nil of what is no subscription, or is
    /// neither paid for nor tried by a customer of the store.
    fileprivate var activePeriod: ActivePeriod? {
        guard standing == .own, ware.isSubscription, let endedAt else { return nil }
        let from = StoreDay(pacific: transaction.recoveredAt ?? soldAt)
        let sale = ReportedSale(
            ware: ware, day: from, units: 1, price: unitPrice, transactionDay: from, settlementDay: from,
            isSecondYear: isSecondYear, offer: transaction.offer, subscriber: transaction.originalID)
        return ActivePeriod(sale: sale, until: StoreDay(pacific: endedAt))
    }
}
