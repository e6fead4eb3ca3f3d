import Foundation
import GRDB
import MillDatabase
import TestSupport
import Testing

@testable import MillConfiguration
@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

/// Queries that would go on for hours.
@Suite("A query of a night that is asked to stop", .timeLimit(.minutes(2)))
struct InterruptedQueryTests {
    private let workdir: Workdir
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    init() throws { workdir = try Workdir() }

    @Test(
        "is interrupted, and the load before it is kept",
        arguments: ["reports: [{name: endless, output: out.csv}]", "alarms: {no_rows: [{name: endless}]}"])
    func ofReports(key: String) throws {
        try FileManager.default.createDirectory(
            at: workdir.url.appending(path: "own"), withIntermediateDirectories: true)
        try workdir.write(
            """
            -- endless: Endless
            -- How many?
            -- Grain: one row per n
            -- Columns:
            --   n  integer  a number
            -- Example:
            --   receiptmill report endless

            \(Self.endless.replacing("count(*)", with: "count(*) AS n"));
            """, to: "own/endless.sql")
        let file = try workdir.write(
            """
            database: mill.sqlite
            create: true
            report_folder: own
            archives:
              - path: \(workdir.write("{}\n", to: "a.jsonl"))
            \(key)
            """, to: "night.yaml")
        let run = PipelineRun(try Pipeline(path: file, environment: [:]))
        let stored = Stored(workdir.path("mill.sqlite"), isReadOnly: true)
        Thread.detachNewThread {
            Waiting.until { (try? stored.lines("SELECT count(*) FROM model_state")) == ["1"] }
            run.stop.cancel()
        }
        let summary = try run.run()
        #expect(summary.outcome == .stopped && summary.exitStatus == .tryLater && summary.failures.isEmpty)
        #expect(summary.reports == 0 && !FileManager.default.fileExists(atPath: workdir.path("out.csv")))
        #expect(try stored.lines("SELECT outcome, lines FROM runs") == ["stopped|1"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workdir.url.path).filter { $0.hasSuffix(".part") } == []
        )
    }

    @Test("is interrupted in a transaction, which is taken back, and the connection goes on")
    func inATransaction() throws {
        let loadDatabase = try Warehouse(path: workdir.path("mill.sqlite"))
        let stop = CancellationFlag()
        // The query itself tells that it runs.
        let running = DatabaseFunction("running", argumentCount: 1) { _ in
            stop.cancel()
            return true
        }
        try loadDatabase.access { $0.add(function: running) }
        let failure = #expect(throws: MillError.self) {
            try stop.interrupting([loadDatabase.queue]) {
                try loadDatabase.access { db in
                    try db.inTransaction {
                        try db.execute(sql: "INSERT INTO product (product_id) VALUES ('p')")
                        try db.execute(sql: "INSERT INTO product (product_id) \(Self.endless) WHERE running(i)")
                        return .commit
                    }
                }
            }
        }
        #expect(failure.map(stop.explains) == true, "\(String(describing: failure))")
        // Nothing interrupts what follows.
        for _ in 0..<20 {
            try loadDatabase.access { try $0.execute(sql: "INSERT OR IGNORE INTO product (product_id) VALUES ('q')") }
        }
        #expect(try Stored(workdir.path("mill.sqlite")).lines("SELECT product_id FROM product") == ["q"])
    }

    @Test("keeps no connection open when its owner lets go of it")
    func letsGo() throws {
        for _ in 0..<50 {
            weak var queue: DatabaseQueue?
            do {
                let owned = try DatabaseQueue()
                queue = owned
                CancellationFlag().interrupting([owned]) {}
            }
            #expect(queue == nil)
        }
    }
}
