import Foundation
import GRDB
import MillSystem
import MillTestSupport
import ReceiptReports
import ReceiptTrust
import TestSupport
import Testing

@testable import MillDatabase
@testable import MillRun
@testable import ReceiptWarehouse

/// Views whose rows are kept in tables.
@Suite("Facts")
struct FactsTests {
    private let workdir: Workdir
    private let minted: MintedArchive
    private var database: String { workdir.path("facts.sqlite") }

    init() throws {
        workdir = try Workdir()
        minted = try MintedArchive.shared.get()
    }

    @discardableResult
    private func load(
        _ archives: [String], keepsFacts: Bool = true, into database: String? = nil,
        _ change: (inout LoadConfiguration) -> Void = { _ in }
    ) throws -> IngestSummary {
        var ingest = try minted.ingest(into: database ?? self.database)
        ingest.archives = archives
        ingest.configuration.jobs = 1
        ingest.configuration.keepsFacts = keepsFacts
        change(&ingest.configuration)
        return try ingest.run()
    }

    private func kept(_ path: String? = nil) throws -> Set<String> {
        try DatabaseQueue(path: path ?? database).read(Facts.keptNames)
    }

    /// The facts that loads keep.
    private var all: Set<String> { Set(Fact.all.filter { !$0.isLeftToReports }.map(\.name)) }

    /// The rows of every fact, as a database shows them.
    private func rows(_ path: String) throws -> [String] {
        try Stored(path).content(of: Fact.all.map(\.name).sorted(), without: Stored.ownColumns)
    }

    private func offences() throws -> [String] {
        try DatabaseCheck(path: database).run().filter { $0.count > 0 }.map { "\($0.name): \($0.offences)" }
    }

    @Test("are kept behind a load but for those left to reports, and are what their definitions give")
    func keptBehindLoad() throws {
        try load(minted.archives)
        #expect(try kept() == all)
        #expect(try offences() == [])
        try load(minted.archives, keepsFacts: false, into: workdir.path("plain.sqlite"))
        #expect(try kept(workdir.path("plain.sqlite")) == [])
        #expect(try rows(database) == rows(workdir.path("plain.sqlite")))
    }

    @Test("are let go of by a load that keeps none, so that views show its lines")
    func letGo() throws {
        try load([minted.archives[0]])
        let before = try Stored(database).lines("SELECT sum(receipts) FROM daily_receipts")
        try load([minted.archives[1]], keepsFacts: false)
        #expect(try kept() == [])
        #expect(try Stored(database).lines("SELECT sum(receipts) FROM daily_receipts") != before)
        try load([])
        #expect(try kept() == all)
        #expect(try offences() == [])
    }

    @Test("stay where every archive is known")
    func nothingNew() throws {
        try load(minted.archives)
        // What was worked out anew would be right again.
        try DatabaseQueue(path: database).write { db in
            try db.execute(sql: "UPDATE fact_newest_documents SET newest_ms = 0")
        }
        try load(minted.archives)
        #expect(try Stored(database).lines("SELECT max(ms) FROM app_horizons") == ["0"])
        #expect(try kept() == all)
    }

    @Test("are worked out without statistics, which ANALYZE leaves")
    func statistics() throws {
        try load(minted.archives, keepsFacts: false)
        try DatabaseQueue(path: database).write { try $0.execute(sql: "ANALYZE") }
        let counted = "SELECT count(*) FROM sqlite_stat1"
        #expect(try DatabaseQueue(path: database).read { try Int.fetchOne($0, sql: counted) ?? 0 } > 0)
        try load(minted.archives)
        #expect(try DatabaseQueue(path: database).read { try Int.fetchOne($0, sql: counted) } == 0)
    }

    @Test("follow what is set of apps and signals, also by SQL")
    func settings() throws {
        try load(minted.archives)
        let eras = { try Stored(database).lines("SELECT DISTINCT era FROM owner_standing ORDER BY 1") }
        #expect(try eras() == ["unknown"])
        try DatabaseQueue(path: database).write { db in
            try db.execute(
                sql: """
                    INSERT INTO app_setting (bundle_id, first_free_version, first_free_version_key)
                    SELECT DISTINCT bundle_id, '0.1', '0' FROM app
                    """)
        }
        try load([])
        #expect(try eras().contains("free"))
        #expect(try offences() == [])
        try load([]) { $0.apps = [AppSetting(bundleID: "com.example.other", firstFreeVersion: "1", platform: nil)] }
        #expect(try kept() == all)
        #expect(try offences() == [])
    }

    @Test("are the same after loads in any order, with kills between rows and facts")
    func anyOrder() throws {
        try load(minted.archives)
        let other = workdir.path("other.sqlite")
        for archive in minted.archives.reversed() {
            try load([archive], keepsFacts: false, into: other)
            // As a run that is killed among the facts leaves them.
            let database = try LoadDatabase(path: other)
            var left = 3
            try database.access { db in
                try Facts.keep(
                    db,
                    isStopped: {
                        left -= 1
                        return left < 0
                    })
            }
            #expect(try database.access(Facts.keptNames).count == 3)
        }
        try load([], into: other)
        #expect(try kept(other) == all)
        #expect(try rows(other) == rows(database))
    }

    @Test("that differ from their definition are found by check")
    func damaged() throws {
        try load(minted.archives)
        try DatabaseQueue(path: database).write { db in
            try db.execute(sql: "UPDATE fact_daily_receipts SET receipts = receipts + 1 WHERE rowid = 1")
        }
        #expect(
            try offences() == ["fact_outdated: [\"2 rows of daily_receipts are not what its definition gives\"]"])
    }

    @Test("of days are no answer to reports by another clock")
    func otherClock() throws {
        try load(minted.archives)
        try load(minted.archives, keepsFacts: false, into: workdir.path("plain.sqlite"))
        let report = try ReportCatalog().report(named: "refunds")
        func text(_ path: String) throws -> String {
            var text = ""
            try ReportRun(report, settings: [("time_zone", "+09:00"), ("environment", "all")])
                .write(fromDatabase: path, as: .csv) { text += $0 }
            return text
        }
        #expect(try text(database) == text(workdir.path("plain.sqlite")))
        #expect(try text(database).split(separator: "\r\n").count > 1)
    }

    @Test("that another version kept under another definition are worked out again")
    func otherDefinition() throws {
        try load(minted.archives)
        try DatabaseQueue(path: database).writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    DROP VIEW newest_documents;
                    CREATE VIEW newest_documents AS SELECT 1 AS app_number;
                    CREATE TABLE fact_of_the_past (number INTEGER);
                    """)
        }
        try load([])
        #expect(try kept() == all)
        #expect(try offences() == [])
        #expect(
            try Stored(database).lines("SELECT count(*) FROM sqlite_schema WHERE name = 'fact_of_the_past'") == ["0"])
    }
}
