internal import GRDB
import MillTestSupport
import ReceiptMint
internal import TestSupport
internal import Testing

@testable import MillDatabase
@testable import MillRun
@testable import MillSystem
@testable import ReceiptReports
@testable import ReceiptWarehouse

/// A case's file is read from its own rows alone; it has to be what the whole
/// database says.
@Suite struct CaseScopeTests {
    private static let loaded = Result {
        let minted = try MintedArchive.shared.get()
        var ingest = try minted.ingest(into: minted.workdir.path("cases.sqlite"))
        ingest.configuration.apps = minted.truth.apps.prefix(1).compactMap {
            AppSetting(parsing: "\($0.bundleId):\($0.firstFreeVersion):\($0.platform)")
        }
        _ = try ingest.run()
        return ingest.configuration.database
    }

    /// By night a case for every kind of signal with every kind of subject, by day
    /// for every kind of signal and for every kind of subject; and some that no
    /// signal is about.
    private static let cases = Result {
        let subjects = ["device_id", "account_id", "receipt_sha256", "transaction_id"]
        func firstOfEverySignal(_ subject: String) -> String {
            """
            SELECT subject FROM (
                SELECT \(subject) AS subject, row_number() OVER (PARTITION BY signal ORDER BY \(subject)) AS place
                FROM fraud_signals WHERE \(subject) IS NOT NULL)
            WHERE place = 1
            """
        }
        let signals =
            Nightly.isOn
            ? subjects.map(firstOfEverySignal)
            : [firstOfEverySignal("coalesce(device_id, account_id, receipt_sha256, transaction_id)")]
                + subjects.map { "SELECT max(\($0)) FROM fraud_signals" }
        let others = [
            "SELECT * FROM (SELECT original_transaction_id FROM purchases ORDER BY transaction_id LIMIT 5)",
            "SELECT * FROM (SELECT device_id FROM submissions WHERE device_id IS NOT NULL LIMIT 5)",
            "SELECT 'nobody'", "SELECT ''", "SELECT '0'",
        ]
        return try ReadOnlyDatabase(path: loaded.get()).queue.read {
            try String.fetchAll($0, sql: (signals + others).joined(separator: "\nUNION\n"))
        }
    }

    @Test("The file of a case is the one that the whole database gives")
    func sameFile() throws {
        let report = try ReportCatalog().report(named: "fraud-case")
        let whole = try ReadOnlyDatabase(path: Self.loaded.get())
        try whole.queue.inDatabase { connection in
            try SharedView.signals.makeTable(in: connection)
            try SharedView.signals.add(from: SharedView.signals.rawValue, in: connection)
        }
        let cases = try Self.cases.get()
        #expect(cases.count > Nightly.rounds(day: 15, night: 40))
        var signals = 0
        for name in cases {
            let run = try ReportRun(report, subject: name)
            var expected: [[ReportValue]] = []
            try run.forEachRow(on: whole.queue, path: "") { expected.append($0) }
            let narrowed = try ReportSession(database: Self.loaded.get(), for: run)
            var found: [[ReportValue]] = []
            try run.forEachRow(on: narrowed.queue, path: "") { found.append($0) }
            #expect(found == expected, "\(name)")
            signals += found.count { $0.contains(.text("signal")) }
        }
        #expect(signals > cases.count)
    }

    @Test("The rights of an owner come about as the whole database tells")
    func sameRights() throws {
        let report = try ReportCatalog().report(named: "entitlement-case")
        let whole = try ReadOnlyDatabase(path: Self.loaded.get())
        let owners = try whole.queue.read {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT DISTINCT owner FROM presented_documents WHERE owner IS NOT NULL
                    ORDER BY owner LIMIT \(Nightly.rounds(day: 4, night: 40))
                    """)
        }
        for owner in owners + ["nobody"] {
            let run = try ReportRun(report, settings: [("environment", "all")], subject: owner)
            var expected: [[ReportValue]] = []
            try run.forEachRow(on: whole.queue, path: "") { expected.append($0) }
            let narrowed = try ReportSession(database: Self.loaded.get(), for: run)
            var found: [[ReportValue]] = []
            try run.forEachRow(on: narrowed.queue, path: "") { found.append($0) }
            #expect(found == expected, "\(owner)")
        }
    }

    @Test("What surrounds a case is a small part of the database")
    func fewRows() throws {
        let device = try ReadOnlyDatabase(path: Self.loaded.get()).queue.read {
            try String.fetchOne($0, sql: "SELECT min(device_id) FROM submissions WHERE device_check = 'match'")
        }
        let run = try ReportRun(ReportCatalog().report(named: "fraud-case"), subject: device)
        let counts = try ReportSession(database: Self.loaded.get(), for: run).queue.inDatabase { connection in
            try ["temp", "main"].map { try Int.fetchOne(connection, sql: "SELECT count(*) FROM \($0).receipt") ?? 0 }
        }
        #expect(counts[0] > 0 && counts[0] * 5 < counts[1])
    }
}
