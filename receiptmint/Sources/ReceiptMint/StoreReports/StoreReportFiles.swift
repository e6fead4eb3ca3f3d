internal import Foundation

/// Writes the store's report files of an archive's sales into a folder of their own, and the truth about both.
struct StoreReportFiles {
    static let vendor = "85012345"
    /// Reports of subscriptions are large beside what they add to a test: they cover the last days only.
    private static let subscriptionDays: Int64 = 7

    private let folder: URL
    private let parameters: MintParameters
    private let reported: [ReportedSale]
    private let periods: [(sale: ReportedSale, until: StoreDay)]
    private(set) var truth: Truth.StoreReports

    init(of sales: [OwnSale], _ parameters: MintParameters, in parent: URL) throws {
        let plan = StoreReportPlan(sales, parameters)
        folder = parent.appending(path: MintRun.storeReportsName)
        self.parameters = parameters
        reported = plan.reported
        periods = sales.compactMap(\.activePeriod)
        truth = Truth.StoreReports(plan)
        try NewFile.makeFolder(folder)
        try writeDaily()
        try writeMonthly()
        try NewFile.write(plan.events.compactMap(\.difference).truthLines, to: MintRun.storeName, in: parent)
    }

    private mutating func writeDaily() throws {
        var random = parameters.random("store downloads")
        let byDay = Dictionary(grouping: reported, by: \.day)
        for day in StoreReportPlan.first...StoreReportPlan.last {
            let sales = byDay[day] ?? []
            let name = Self.vendor + "_" + day.compact
            try write(SalesReport.file(of: sales, on: day, random: &random), "sales", "S_D_\(name).txt.gz")
            guard day.distance(to: StoreReportPlan.last) < Self.subscriptionDays else { continue }
            let ofSubscriptions = [
                ("Subscription", SubscriptionReport.file(of: periods, on: day)),
                ("Subscription_Event", SubscriptionEventReport.file(of: sales, on: day)),
                ("Subscriber", SubscriberReport.file(of: sales.filter(\.isSettled), on: day)),
            ]
            for (report, text) in ofSubscriptions {
                try write(text, report.lowercased(), "\(report)_\(name)_V1_3.txt.gz")
            }
        }
    }

    private mutating func writeMonthly() throws {
        let settled = reported.filter(\.isSettled)
        for month in StoreReportPlan.months {
            let sales = settled.filter { month.contains($0.settlementDay) }
            try write(
                FinanceDetailReport.file(of: sales, in: month), "finance_detail",
                "FD_\(Self.vendor)_\(month.fileName).txt.gz")
            let isOfAll = month.period.isMultiple(of: 2)
            for sales in isOfAll ? [sales] : sales.grouped(by: \.ware.storefront.financeRegion) {
                let region = isOfAll ? "ZZ" : sales[0].ware.storefront.financeRegion
                try write(
                    FinancialReport.file(of: sales, in: month, hasSummary: isOfAll), "financial",
                    "\(Self.vendor)_\(month.fileName)_\(region).txt")
            }
        }
    }

    private mutating func write(_ text: ReportText, _ report: String, _ name: String) throws {
        truth.files[report, default: 0] += 1
        truth.rows[report, default: 0] += text.rows
        guard name.hasSuffix(".gz") else { return try NewFile.write(text.bytes, to: name, in: folder) }
        let file = try GzipArchive(folder: folder, name: name, linesPerMember: 0, level: parameters.level)
        try file.append([Array(text.bytes.dropLast())])
        try file.finish()
    }
}
