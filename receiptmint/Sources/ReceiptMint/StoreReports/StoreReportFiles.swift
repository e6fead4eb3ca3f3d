internal import Foundation

/// Writes the store's report files of a plan into a folder of their own.
struct StoreReportFiles {
    static let vendor = "85012345"
    /// Reports of subscriptions are large beside what they add to a test: they cover the last days only.
    private static let subscriptionDays: Int64 = 7

    let folder: URL
    let level: Int32
    let reported: [ReportedSale]
    let periods: [ActivePeriod]
    private(set) var files: [String: Int] = [:]
    private(set) var rows: [String: Int] = [:]

    mutating func write(seed: UInt64) throws {
        try NewFile.makeFolder(folder)
        try writeDaily(seed: seed)
        try writeMonthly()
    }

    private mutating func writeDaily(seed: UInt64) throws {
        var random = SeededRandom(seed: seed, stream: "store downloads")
        let byDay = Dictionary(grouping: reported, by: \.day)
        let (first, last) = (StoreReportPlan.first, StoreReportPlan.last)
        for number in first.number...last.number {
            let day = StoreDay(number: number)
            let sales = byDay[day] ?? []
            let name = Self.vendor + "_" + day.compact
            try write(SalesReport.file(of: sales, on: day, random: &random), "sales", "S_D_\(name).txt.gz")
            guard last.number - number < Self.subscriptionDays else { continue }
            try write(
                SubscriptionReport.file(of: periods, on: day), "subscription", "Subscription_\(name)_V1_3.txt.gz")
            try write(
                SubscriptionEventReport.file(of: sales, on: day), "subscription_event",
                "Subscription_Event_\(name)_V1_3.txt.gz")
            try write(
                SubscriberReport.file(of: sales.filter(\.isSettled), on: day), "subscriber",
                "Subscriber_\(name)_V1_3.txt.gz")
        }
    }

    private mutating func writeMonthly() throws {
        let settled = reported.filter(\.isSettled)
        for month in StoreReportPlan.months {
            let sales = settled.filter { month.contains($0.settlementDay) }
            try write(
                FinanceDetailReport.file(of: sales, in: month), "finance_detail",
                "FD_\(Self.vendor)_\(month.fileName).txt.gz")
            if month.period.isMultiple(of: 2) {
                try write(
                    FinancialReport.allRegions(of: sales, in: month), "financial",
                    "\(Self.vendor)_\(month.fileName)_ZZ.txt")
                continue
            }
            let byRegion = Dictionary(grouping: sales, by: \.ware.storefront.financeRegion)
            for (region, sales) in byRegion.sorted(by: { $0.key < $1.key }) {
                try write(
                    FinancialReport.region(of: sales, in: month), "financial",
                    "\(Self.vendor)_\(month.fileName)_\(region).txt")
            }
        }
    }

    private mutating func write(_ text: ReportText, _ report: String, _ name: String) throws {
        files[report, default: 0] += 1
        rows[report, default: 0] += text.rows
        guard name.hasSuffix(".gz") else {
            let file = try NewFile(folder, name)
            try file.write(text.bytes)
            return try file.close()
        }
        let file = try GzipArchive(folder: folder, name: name, linesPerMember: 0, level: level)
        try file.append([Array(text.bytes.dropLast())])
        try file.finish()
    }
}
