import Foundation
import GRDB
import MillConfiguration
import MillTestSupport
import ReceiptMint
import TestSupport
import Testing

@testable import MillDatabase
@testable import MillRun
@testable import MillSystem

/// Nights that compare the models with models that are computed from all documents.
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

    /// A night of the first archive, which brings nothing new, or of another one.
    private func night(refreshingWhole interval: String, archive: Int = 0) throws -> RunSummary {
        let file = try workdir.write(
            """
            database: mill.sqlite
            archives: [{path: \(minted.archives[archive])}]
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
        #expect(told.contains("models that differed from what all documents give, and were replaced: 1: "))
        #expect(told.contains("model_daily_sales: a row that documents don't give: app_id "))
        #expect(try unitsSold() == units)
        #expect(try night(refreshingWhole: "always").exitStatus == nil)
    }

    @Test("puts back a row that is missing, and keeps what the night's refresh computed")
    func missingRow() throws {
        _ = try night(refreshingWhole: "never", archive: 1)
        let units = try unitsSold()
        try execute("DELETE FROM model_daily_sales WHERE day_number = (SELECT max(day_number) FROM model_daily_sales)")
        let told = try #require(try night(refreshingWhole: "always").failures.first).what
        #expect(told.contains("model_daily_sales: a row is missing: app_id "))
        #expect(try unitsSold() == units)
    }

    @Test("leaves the models as they were where it is asked to stop")
    func stopped() throws {
        try execute("UPDATE model_daily_sales SET units = units + 1")
        let units = try unitsSold()
        let found = try DatabaseQueue(path: database).writeWithoutTransaction { db in
            try ModelComparison.run(db, isStopped: { true })
        }
        #expect(try found == nil && unitsSold() == units)
    }

    @Test("forgets what a refresh noted of left-out rows where none is left out now")
    func leftOutRows() throws {
        try execute("INSERT INTO model_left_out VALUES ('model_sales', 'a reason', 1, 'a key')")
        #expect(try night(refreshingWhole: "always").exitStatus == nil)
        #expect(try Stored(database).lines("SELECT count(*) FROM model_left_out") == ["0"])
    }

    @Test("comes a week after everything was computed last, and never where it is told so")
    func interval() throws {
        try execute("UPDATE model_state SET whole_at = whole_at - 6 * 86400000")
        // A slice is no comparison.
        var ingest = try minted.ingest(into: database, refreshes: false)
        ingest.archives = [minted.archives[1]]
        _ = try ingest.run()
        let state = try DatabaseQueue(path: database).writeWithoutTransaction {
            try ModelRefresh.run($0, maximumShare: 1)
        }
        #expect(state != nil && state?.wholeBecause == nil)
        let units = try unitsSold()
        try execute("UPDATE model_daily_sales SET units = units + 1")
        #expect(try night(refreshingWhole: "weekly").exitStatus == nil)
        try execute("UPDATE model_state SET whole_at = whole_at - 86400000")
        #expect(try night(refreshingWhole: "never").exitStatus == nil)
        #expect(try unitsSold() != units)
        #expect(try night(refreshingWhole: "weekly").exitStatus == .internalFault)
        #expect(try unitsSold() == units)
    }
}
