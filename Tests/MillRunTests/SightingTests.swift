import Foundation
import GRDB
import MillDatabase
import MillSystem
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

/// Which run found a signal first.
@Suite("Signals")
struct SightingTests {
    private let workdir: Workdir
    private let minted: MintedArchive
    private var database: String { workdir.path("sightings.sqlite") }

    init() throws {
        workdir = try Workdir()
        minted = try MintedArchive.shared.get()
    }

    @discardableResult
    private func load(_ archives: [String], stopped: Bool = false) throws -> RunSummary {
        var ingest = try minted.ingest(into: database)
        ingest.archives = archives
        ingest.configuration.jobs = 1
        if stopped { ingest.configuration.stop.cancel() }
        return try ingest.run()
    }

    private func lines(_ sql: String) throws -> [String] { try Stored(database).lines(sql) }

    /// As a refresh must leave it: every signal there, and nothing else.
    private func isComplete() throws -> Bool {
        let (stored, shown) = (
            "SELECT submission_id, signal, transaction_id FROM signal_sighting",
            "SELECT submission_number, signal, coalesce(transaction_id, '') FROM fraud_signals"
        )
        return try lines("\(stored) EXCEPT \(shown)").isEmpty && lines("\(shown) EXCEPT \(stored)").isEmpty
    }

    @Test("belong to the run that found them first, also those of lines that an earlier one loaded")
    func firstRun() throws {
        try load([minted.archives[0]])
        let first = try lines("SELECT archive, line, signal, transaction_id FROM fraud_signals ORDER BY 1, 2, 3, 4")
        #expect(try lines("SELECT DISTINCT found_by, is_new FROM fraud_signals") == ["1|1"])
        try load([minted.archives[1]])
        #expect(try isComplete())
        #expect(
            try lines(
                "SELECT archive, line, signal, transaction_id FROM fraud_signals WHERE found_by = 1 ORDER BY 1, 2, 3, 4"
            )
            .allSatisfy(Set(first).contains))
        #expect(try lines("SELECT DISTINCT found_by, is_new FROM fraud_signals ORDER BY 1") == ["1|0", "2|1"])
        // Receipts that devices of both archives presented.
        let name = URL(filePath: minted.archives[0]).lastPathComponent
        #expect(try lines("SELECT 1 FROM fraud_signals WHERE found_by = 2 AND archive = '\(name)' LIMIT 1") == ["1"])
        // Nothing came, and nothing is new.
        try load(minted.archives)
        #expect(try lines("SELECT count(*) FROM fraud_signals WHERE is_new = 1") == ["0"])
        #expect(
            try lines("SELECT found_at = started_at FROM fraud_signals JOIN runs ON run_id = found_by GROUP BY 1") == [
                "1"
            ])
    }

    @Test("of a run that was stopped are found by the next")
    func stopped() throws {
        try load([minted.archives[0]], stopped: true)
        #expect(try lines("SELECT count(*) FROM signal_sighting") == ["0"])
        try load([minted.archives[0]])
        #expect(try lines("SELECT DISTINCT found_by FROM fraud_signals") == ["2"])
        #expect(try isComplete())
    }

    @Test("that no run has found, as after regrade, belong to the next")
    func foundByNone() throws {
        try load(minted.archives)
        try DatabaseQueue(path: database).writeWithoutTransaction { db in
            try db.execute(sql: "DELETE FROM signal_sighting")
            try ModelRefresh.run(db, isWhole: true)
        }
        #expect(try lines("SELECT count(found_by) FROM fraud_signals") == ["0"])
        try load([])
        #expect(try lines("SELECT DISTINCT found_by FROM fraud_signals") == ["2"])
        #expect(try isComplete())
    }

    @Test("that are gone leave nothing behind, and are new when they come again")
    func gone() throws {
        try load(minted.archives)
        let shared = """
            SELECT count(*) > 0, min(found_by), max(found_by) FROM fraud_signals WHERE signal = 'shared_transaction'
            """
        #expect(try lines(shared) == ["1|1|1"])
        func require(accounts: Int) throws {
            try DatabaseQueue(path: database).write { db in
                try db.execute(
                    sql: "INSERT OR REPLACE INTO signal_setting VALUES ('transaction_accounts', ?)",
                    arguments: [accounts])
                try ModelState.noteChange(.settings, db)
            }
        }
        try require(accounts: 1_000)
        try load([])
        #expect(try lines(shared) == ["0|-|-"])
        #expect(try isComplete())
        try require(accounts: 2)
        try load([])
        #expect(try lines(shared) == ["1|3|3"])
    }
}
