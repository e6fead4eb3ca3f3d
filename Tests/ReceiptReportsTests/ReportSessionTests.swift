internal import Foundation
internal import GRDB
import MillTestSupport
internal import TestSupport
internal import Testing

@testable import MillDatabase
@testable import MillRun
@testable import MillSystem
@testable import ReceiptReports
@testable import ReceiptWarehouse

/// Reports that share a session.
@Suite struct ReportSessionTests {
    /// A minted archive with every kind of defect, loaded.
    private static let loaded = Result {
        let minted = try MintedArchive.shared.get()
        var ingest = try minted.ingest(into: minted.workdir.path("session.sqlite"))
        _ = try ingest.run()
        return ingest.configuration.database
    }

    @Test("A report answers the same in a session with others as by itself")
    func sameAnswers() throws {
        let session = try ReportSession(database: Self.loaded.get())
        let names = [
            "overview", "fraud-signals", "freemium-migration", "fraud-subjects", "coverage", "refunds",
            "subscription-churn", "active-subscriptions", "trial-conversion",
        ]
        for name in names {
            let run = try ReportRun(ReportCatalog().report(named: name))
            var (together, alone) = ("", "")
            #expect(try run.write(in: session, as: .csv) { together += $0 } > 1)
            try run.write(in: ReportSession(database: Self.loaded.get()), as: .csv) { alone += $0 }
            #expect(together == alone)
        }
    }

    @Test("All reports of a session see one state, whatever is committed between them")
    func oneState() throws {
        let sample = try SampleDatabase(rows: sampleRows)
        let writer = try DatabaseQueue(path: sample.path)
        try writer.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        let session = try ReportSession(database: sample.path)
        let before = try sample.output(of: "archive-loads")
        try writer.write { try $0.execute(sql: "UPDATE archive SET name = 'another'") }
        var text = ""
        try ReportRun(ReportCatalog().report(named: "archive-loads")).write(in: session, as: .csv) { text += $0 }
        #expect(text == before)
        #expect(try sample.output(of: "archive-loads") != before)
    }

    @Test("The memory of a bounded session does not grow with the database")
    func boundedMemory() throws {
        let sample = try SampleDatabase(rows: sampleRows)
        let megabytes = 96
        try DatabaseQueue(path: sample.path).write { db in
            try db.execute(sql: "CREATE TABLE filler (content BLOB)")
            for _ in 0..<megabytes { try db.execute(sql: "INSERT INTO filler VALUES (zeroblob(1 << 20))") }
        }
        /// How many megabytes of the database are mapped while a session is open that has read the whole database.
        func mapped(isBounded: Bool) throws -> Int {
            let session = try ReportSession(database: sample.path, isBounded: isBounded)
            let maps = try session.read { db in
                #expect(try Int.fetchOne(db, sql: "SELECT sum(length(content || '')) FROM filler") != nil)
                return try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            }
            let sizes = maps.split(separator: "\n").filter { $0.hasSuffix(sample.path) }.map { line in
                let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
                return ends.count == 2 ? ends[1] - ends[0] : 0
            }
            return sizes.reduce(0, +) >> 20
        }
        #expect(try mapped(isBounded: false) >= megabytes)
        #expect(try mapped(isBounded: true) <= 32)
    }

    @Test("A search for signals that takes too long is stopped, and says what to do")
    func timeLimit() throws {
        var run = try ReportRun(ReportCatalog().report(named: "fraud-signals"))
        run.timeoutSeconds = 0.000_1
        let error = #expect(throws: MillError.self) {
            try run.write(in: ReportSession(database: Self.loaded.get()), as: .csv) { _ in }
        }
        #expect(error?.exitStatus == .tryLater)
        #expect(error?.hint?.contains("--timeout") == true)
    }

    @Test("Once SQLite has ended a transaction, reports see one state again")
    func ended() throws {
        let sample = try SampleDatabase(rows: sampleRows)
        let writer = try DatabaseQueue(path: sample.path)
        // Readers and a writer get along, as in databases that the mill makes.
        try writer.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        let session = try ReportSession(database: sample.path)
        let output = {
            var text = ""
            try ReportRun(ReportCatalog().report(named: "archive-loads")).write(in: session, as: .csv) { text += $0 }
            return text
        }
        // As a query for which the disk is full does.
        try session.queue.inDatabase { try $0.rollback() }
        let archives = try output()
        try writer.write { try $0.execute(sql: "UPDATE archive SET name = 'another'") }
        #expect(try output() == archives)
    }

    @Test("Where an older version's database lacks a view, the report that reads it says what to do")
    func missingView() throws {
        let sample = try SampleDatabase(rows: sampleRows)
        try DatabaseQueue(path: sample.path).inDatabase { connection in
            try connection.execute(sql: "DROP VIEW apps; DROP VIEW fraud_signals")
        }
        let session = try ReportSession(database: sample.path)
        // The one lacks what all reports read narrowed, the other a view of its own.
        for name in ["refunds", "fraud-signals"] {
            let error = #expect(throws: MillError.self) {
                try ReportRun(ReportCatalog().report(named: name)).write(in: session, as: .csv) { _ in }
            }
            #expect(error?.hint?.contains("older version") == true && error?.exitStatus == .cannotCreate)
        }
        let page = #expect(throws: MillError.self) { try Dashboard(ReportCatalog()).write(in: session) { _ in } }
        #expect(page?.hint?.contains("older version") == true)
    }
}
