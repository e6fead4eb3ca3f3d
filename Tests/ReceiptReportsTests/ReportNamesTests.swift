internal import Foundation
import MillTestSupport
import ReceiptSQL
internal import TestSupport
internal import Testing

@testable import ReceiptReports
@testable import ReportHeaders

/// How reports are found: by their names, by those that people type, and by those that pages tell.
@Suite struct ReportNamesTests {
    /// The names of the trade, by the report that has the figure.
    private static let namesOfTheTrade = [
        "recurring-revenue": "mrr, arr, run-rate, mrr-movement, nrr, quick-ratio, arpa, reactivation",
        "active-subscriptions": "actives, subscribers, status, active-trials",
        "new-subscriptions": "activations, new-paid, new-trials",
        "subscription-churn": "churn, attrition, lapses, win-back",
        "renewal-rate": "renewals",
        "subscription-retention": "retention, cohorts, survival",
        "trial-conversion": "trials, trial-to-paid",
        "billing-recovery": "billing-retry, grace, dunning, involuntary-churn",
        "revenue": "sales, gross, net",
        "refunds": "refund-rate, refund-money",
        "customer-value": "ltv, clv, realized-ltv, cohort-explorer",
        "average-revenue": "arpu, arppu",
        "customers": "new-customers, active-customers, customer-conversion, initial-conversion, conversion-to-paying",
        "plan-changes": "upgrades, downgrades, crossgrades",
    ]

    @Test("The names that people type find the report that has the figure", arguments: namesOfTheTrade)
    func synonyms(report: String, names: String) throws {
        for name in names.split(separator: ",") {
            #expect(try ReportCatalog().report(named: name.trimmingCharacters(in: .whitespaces)).name == report)
        }
    }

    @Test("No two reports have one name, and none has another's name as its own")
    func unambiguous() throws {
        let catalog = ReportCatalog()
        let aliases = try catalog.names.flatMap { try catalog.report(named: $0).header.aliases }
        #expect(Set(aliases).count == aliases.count)
        #expect(Set(aliases).isDisjoint(with: catalog.names))
    }

    /// Columns that programs elsewhere read.
    private static let columnsOfTheContract = [
        "revenue": "month,bundle_id,product_id,currency,price_source,sales,gross,refunds,refunded,net",
        "recurring-revenue":
            "month,bundle_id,currency,closing,arr,gross_mrr_churn,net_mrr_churn,net_mrr_retention,quick_ratio,arpa",
        "subscription-churn": "month,bundle_id,active_at_start,lapsed,churn",
        "subscription-retention": "cohort,period,retention",
        "trial-conversion": "month,trials,converted,conversion",
        "customer-value": "cohort,age,customers,net",
        "average-revenue": "month,bundle_id,currency,net,arpu,arppu",
        "customers": "month,bundle_id,new_customers,active_customers,initial_conversion,conversion_to_paying",
    ]

    @Test("Reports have the columns that programs elsewhere read", arguments: columnsOfTheContract)
    func columns(report: String, names: String) throws {
        let columns = try Set(ReportCatalog().report(named: report).header.columns.map(\.name))
        #expect(names.split(separator: ",").filter { !columns.contains(String($0)) } == [])
    }

    @Test("entitled begins with the columns of entitlements")
    func entitled() throws {
        let entitled = try ReportCatalog().report(named: "entitled").header.columns.map(\.name)
        let database = try SampleDatabase()
        let rows = try Stored(database.path).lines("SELECT name FROM pragma_table_info('entitlements') ORDER BY cid")
        #expect(!rows.isEmpty && Array(entitled.prefix(rows.count)) == rows)
        withExtendedLifetime(database) {}
    }

    private static let pages =
        ["README.md", "CHANGELOG.md"]
        + ["docs", "pipelines"].flatMap { folder in
            (FileManager.default.subpaths(atPath: Repository.file(folder).path) ?? [])
                .filter { $0.hasSuffix(".md") || $0.hasSuffix(".yaml") }.map { folder + "/" + $0 }
        }

    @Test("Every report that a page names exists", arguments: pages)
    func pagesNameReports(page: String) throws {
        let text = try String(contentsOf: Repository.file(page), encoding: .utf8)
        let catalog = ReportCatalog()
        let patterns = [
            /receiptmill report ([a-z]+(?:-[a-z]+)*)/, /[Rr]eports? `([a-z]+(?:-[a-z]+)*)`/,
            /- \{name: ([a-z]+(?:-[a-z]+)*)/,
        ]
        for name in patterns.flatMap({ text.matches(of: $0).map { String($0.output.1) } }) {
            #expect(throws: Never.self, "\(page) names the report \(name)") { try catalog.report(named: name) }
        }
    }

    @Test("The page of metrics names reports, and figures that they have")
    func metrics() throws {
        let page = try String(contentsOf: Repository.file("docs/metrics.md"), encoding: .utf8)
        var report: Report?
        var count = 0
        for row in page.split(separator: "\n").filter({ $0.hasPrefix("| ") }).dropFirst(2) {
            let cells = row.split(separator: "|").map { $0.matches(of: /`([a-z_-]+)`/).map { String($0.output.1) } }
            if let name = cells.first?.first { report = try ReportCatalog().report(named: name) }
            let columns = Set(report?.header.columns.map(\.name) ?? [])
            for figure in cells.dropFirst().first ?? [] {
                #expect(columns.contains(figure), "\(report?.name ?? "") has no \(figure)")
                count += 1
            }
        }
        #expect(count > 20)
    }

    @Test("Reports are few, and short enough to be read")
    func few() {
        let files = SQLFile.files(in: "reports")
        #expect(files.count <= 42)
        let statements = files.flatMap { $0.text.split(separator: "\n") }
            .filter { !$0.drop(while: \.isWhitespace).hasPrefix("--") }
        #expect(statements.count <= 2772)
    }
}
