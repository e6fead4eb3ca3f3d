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

/// Reports that share a session, and what is found once for all of them.
@Suite struct ReportSessionTests {
    /// A minted archive with every kind of defect, loaded.
    private static let loaded = Result {
        let minted = try MintedArchive.shared.get()
        var ingest = try minted.ingest(into: minted.workdir.path("session.sqlite"))
        ingest.configuration.refreshes = false
        _ = try ingest.run()
        return ingest.configuration.database
    }

    @Test("What two connections look for are the rows of the view, each once", arguments: SharedView.allCases)
    func search(view: SharedView) throws {
        let snapshots = try SnapshotConnections(path: Self.loaded.get())
        try ViewMaterializer(connections: snapshots, views: [view]).run()
        try snapshots.databases[0].queue.inDatabase { connection in
            let rows = { (schema: String) in
                try Row.fetchAll(connection, sql: "SELECT * FROM \(schema).\(view.rawValue)").map(\.description)
                    .sorted()
            }
            let found = try rows("temp")
            #expect(found.count > (view == .appHorizons ? 0 : 5), "nothing to compare")
            #expect(try found == rows("main"))
        }
    }

    @Test("Identifiers that hold U+0000 are found whole, on whichever connection")
    func nullCharacters() throws {
        let rows = """
            ;
            UPDATE submission SET account_id = account_id || char(0) || line WHERE account_id IS NOT NULL
            """
        let sample = try SampleDatabase(rows: sampleRows + rows)
        for _ in 0..<5 {
            let snapshots = try SnapshotConnections(path: sample.path)
            try ViewMaterializer(connections: snapshots, views: [.signals]).run()
            try snapshots.databases[0].queue.inDatabase { connection in
                let accounts = { (schema: String) in
                    try String.fetchAll(
                        connection, sql: "SELECT coalesce(hex(account_id), '') FROM \(schema).fraud_signals ORDER BY 1")
                }
                let found = try accounts("temp")
                #expect(try found.contains { $0.contains("00") } && found == accounts("main"))
            }
        }
    }

    @Test("The view gathers every view of a kind of signal, and so does the search")
    func kinds() throws {
        let database = try ReadOnlyDatabase(path: Self.loaded.get())
        try database.queue.inDatabase { connection in
            let views = try String.fetchAll(
                connection, sql: "SELECT name FROM sqlite_schema WHERE type = 'view' AND name LIKE 'signal%'")
            #expect(try Set(SharedView.signals.parts(in: connection)) == Set(views).subtracting(["signal_settings"]))
        }
    }

    @Test("A report answers the same in a session with others as by itself")
    func sameAnswers() throws {
        let session = try ReportSession(database: Self.loaded.get())
        let names = [
            "key-figures", "fraud-signals", "freemium-migration", "fraud-devices", "environments", "refunds",
            "subscription-churn", "subscription-lapses", "subscriptions-active", "trial-conversion",
        ]
        for name in names {
            let run = try ReportRun(ReportCatalog().report(named: name))
            var (together, alone) = ("", "")
            #expect(try run.write(in: session, as: .csv) { together += $0 } > 1)
            try run.write(fromDatabase: Self.loaded.get(), as: .csv) { alone += $0 }
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

    @Test("A search for signals that takes too long is stopped, and says what to do")
    func timeLimit() throws {
        var run = try ReportRun(ReportCatalog().report(named: "fraud-signals"))
        run.timeoutSeconds = 0.000_1
        let error = #expect(throws: MillError.self) {
            try run.write(fromDatabase: Self.loaded.get(), as: .csv) { _ in }
        }
        #expect(error?.exitStatus == .tryLater)
        #expect(error?.hint?.contains("--timeout") == true)
    }

    @Test(
        "Once SQLite has ended a transaction, reports see one state again, and share what they find", arguments: [0, 1])
    func ended(connection: Int) throws {
        let copy = try MintedArchive.shared.get().workdir.path("ended-\(connection).sqlite")
        try FileManager.default.copyItem(atPath: Self.loaded.get(), toPath: copy)
        let writer = try DatabaseQueue(path: copy)
        let session = try ReportSession(database: copy)
        let output = { (name: String) in
            var text = ""
            try ReportRun(ReportCatalog().report(named: name)).write(in: session, as: .csv) { text += $0 }
            return text
        }
        let subscriptions = try output("subscription-churn")
        // As an interrupted write does, and a query for which the disk is full.
        let snapshots = try #require(session.snapshots)
        try snapshots.databases[connection].queue.inDatabase { try $0.rollback() }

        let archives = try output("archive-loads")
        try writer.write { try $0.execute(sql: "UPDATE archive SET name = 'another'") }
        #expect(try output("archive-loads") == archives)
        #expect(try output("subscription-churn") == subscriptions)
        let names = try snapshots.databases.map { database in
            try database.queue.inDatabase { try String.fetchAll($0, sql: "SELECT name FROM archive") }
        }
        #expect(names.count == 2 && names[0] == names[1] && names[0] != ["another"])
        let isShared = try session.queue.inDatabase { connection in
            try Bool.fetchOne(connection, sql: "SELECT EXISTS (SELECT 1 FROM temp.subscription_ends)")
        }
        #expect(isShared == true)
    }

    @Test("Where an older version's database lacks a view, the report that reads it says what to do")
    func missingView() throws {
        let sample = try SampleDatabase(rows: sampleRows)
        try DatabaseQueue(path: sample.path).inDatabase { connection in
            try connection.execute(sql: "DROP VIEW owner_standing; DROP VIEW app_horizons")
        }
        let session = try ReportSession(database: sample.path)
        let error = #expect(throws: MillError.self) {
            try ReportRun(ReportCatalog().report(named: "freemium-migration")).write(in: session, as: .csv) { _ in }
        }
        #expect(error?.hint?.contains("older version") == true && error?.exitStatus == .cannotCreate)
        let page = #expect(throws: MillError.self) { try Dashboard(ReportCatalog()).write(in: session) { _ in } }
        #expect(page?.hint?.contains("older version") == true)
    }
}
