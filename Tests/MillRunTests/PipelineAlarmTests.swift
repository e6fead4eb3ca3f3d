import Foundation
import MillSystem
import ReceiptReports
import TestSupport
import Testing

@testable import MillConfiguration
@testable import MillRun
@testable import ReceiptWarehouse

@Suite("Alarms of a night")
struct PipelineAlarmTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    /// A night that loads a line without a receipt.
    private func run(
        _ keys: String, _ tell: @escaping (RunEvent) -> Void = { _ in }
    ) throws -> RunSummary {
        let file = try workdir.write(
            """
            database: mill.sqlite
            create: true
            archives:
              - path: \(workdir.write("{}\n", to: "a.jsonl"))
            \(keys)
            """, to: "night.yaml")
        return try PipelineRun(try Pipeline(path: file, environment: [:])).run(onEvent: tell)
    }

    @Test("are raised though a report that is one of them fails, which ends the night as a fault")
    func besideAFault() throws {
        try #require(mkdir(workdir.path("own"), 0o700) == 0)
        // lang_corefunc.html: abs(X) of -9223372036854775808 throws an integer overflow.
        try workdir.write(
            """
            -- failing: Failing
            -- How much?
            -- Grain: one row per n
            -- Columns:
            --   n  integer  a number
            -- Example:
            --   receiptmill report failing

            SELECT abs(-9223372036854775808 + count(*) - count(*)) AS n FROM receipts;
            """, to: "own/failing.sql")
        let summary = try run(
            """
            report_folder: own
            alarms:
              rejected_share: 0.5
              no_rows: [{name: failing}, {name: archive-loads, parameters: {by: reason}}]
            """)
        #expect(summary.alarms.map(\.cause) == [.reportHasRows, .tooManyRejected])
        #expect(summary.failures.count == 1 && summary.failures[0].what.contains("integer overflow"))
        #expect(summary.outcome == .incomplete && summary.exitStatus == summary.failures.first?.exitStatus)
    }

    @Test("and reports take an environment that only receipts to come may have")
    func environmentToCome() throws {
        let certificate = Repository.file("data-samples/root.pem").path
        var odd: [String] = []
        let summary = try run(
            """
            trust: {anchors_without_markers: [\(certificate)]}
            reports: [{name: refunds, output: r.csv, parameters: {environment: Rehearsal}}]
            alarms: {rejected_share: 0.5, no_rows: [{name: refunds, parameters: {environment: Rehearsal}}]}
            """
        ) {
            if case .line(let line) = $0, line.level == .warning, line.fields["report"] != nil {
                odd.append(line.message)
            }
        }
        #expect(summary.failures.isEmpty && summary.reports == 1)
        #expect(summary.alarms.map(\.cause) == [.tooManyRejected])
        #expect(odd.count == 2 && odd.allSatisfy { $0.contains("Rehearsal") })
    }

    @Test("and reports of one's own are run by the command that the hint has")
    func commandOfOwnReport() throws {
        var pipeline = Pipeline()
        pipeline.database = "/var/lib/mill.sqlite"
        pipeline.reportFolder = "/etc/own reports"
        #expect(
            pipeline.commandRunning("mine", [Setting(name: "bundle", text: "it's")])
                == "receiptmill report mine --database /var/lib/mill.sqlite --sql '/etc/own reports' "
                + "'bundle=it'\\''s'")
    }
}
