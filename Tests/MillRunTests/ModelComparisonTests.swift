import Foundation
import GRDB
import MillConfiguration
import MillTestSupport
import ReceiptMint
import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem

/// Nights that compare the models with models that are computed from everything.
@Suite("A night's comparison of models")
struct ModelComparisonTests {
    private let workdir: Workdir
    private let minted: MintedArchive
    private var database: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        minted = try MintedArchive.shared.get()
        var ingest = try minted.ingest(into: database)
        ingest.archives = [minted.archives[0]]
        _ = try ingest.run()
    }

    /// A night that brings nothing new.
    private func night(refreshingWhole interval: String) throws -> RunSummary {
        let file = try workdir.write(
            """
            database: mill.sqlite
            archives: [{path: \(minted.archives[0])}]
            trust: {anchors_without_markers: [\(minted.workdir.path("root.pem"))]}
            refresh_whole: \(interval)
            """, to: "night.yaml")
        return try PipelineRun(try Pipeline(path: file, environment: [:])).run()
    }

    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: database).write { try $0.execute(sql: sql) }
    }

    private func unitsSold() throws -> [String] {
        try Stored(database).lines("SELECT sum(units) FROM model_daily_sales")
    }

    @Test("replaces rows that documents do not give, and ends the night with 70 and their keys")
    func difference() throws {
        let units = try unitsSold()
        try execute("UPDATE model_daily_sales SET units = units + 1")
        let summary = try night(refreshingWhole: "always")
        #expect(summary.exitStatus == .internalFault)
        let told = try #require(summary.failures.first).what
        #expect(told.contains("1 models had rows"))
        #expect(told.contains("model_daily_sales: a row that documents don't give: app_id "))
        #expect(try unitsSold() == units)
        #expect(try night(refreshingWhole: "always").exitStatus == nil)
    }

    @Test("comes a week after everything was computed last, and never where it is told so")
    func interval() throws {
        let units = try unitsSold()
        try execute("UPDATE model_daily_sales SET units = units + 1")
        #expect(try night(refreshingWhole: "weekly").exitStatus == nil)
        try execute("UPDATE model_state SET whole_at = whole_at - 7 * 86400000")
        #expect(try night(refreshingWhole: "never").exitStatus == nil)
        #expect(try unitsSold() != units)
        #expect(try night(refreshingWhole: "weekly").exitStatus == .internalFault)
        #expect(try unitsSold() == units)
    }
}
