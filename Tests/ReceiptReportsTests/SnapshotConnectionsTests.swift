internal import GRDB
import MillDatabase
import MillSystem
import MillTestSupport
internal import Synchronization
internal import Testing

@testable import ReceiptReports

/// Two connections at once.
@Suite struct SnapshotConnectionsTests {
    private struct Fault: Error {}

    @Test("Both see the state in which they began, whatever is committed later")
    func sameState() throws {
        let sample = try SampleDatabase()
        let writer = try DatabaseQueue(path: sample.path)
        try writer.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try addArchive(1, to: writer)
        let snapshots = try SnapshotConnections(path: sample.path)
        try addArchive(2, to: writer)
        let seen = Mutex([-1, -1])
        try snapshots.run { database, number in
            let archives = try database.queue.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM archive") }
            seen.withLock { $0[number] = archives ?? 0 }
        }
        #expect(seen.withLock { $0 } == [1, 1])
        withExtendedLifetime(sample) {}
    }

    @Test("What one of them fails with is thrown", arguments: [0, 1])
    func failure(failing: Int) throws {
        let sample = try SampleDatabase()
        let snapshots = try SnapshotConnections(path: sample.path)
        #expect(throws: Fault.self) {
            try snapshots.run { _, number in
                if number == failing { throw Fault() }
            }
        }
        withExtendedLifetime(sample) {}
    }

    /// As where the index of the log can't be written, and each transaction makes one.
    @Test("Where two can't begin in one state, one connection does what both would")
    func alone() throws {
        let sample = try SampleDatabase(rows: sampleRows)
        let expected = try found(by: SnapshotConnections(path: sample.path))
        let snapshots = try SnapshotConnections(path: sample.path, attempts: 0)
        #expect(snapshots.databases.count == 1)
        #expect(try found(by: snapshots) == expected && expected > 0)
        withExtendedLifetime(sample) {}
    }

    /// How many signals a search finds.
    private func found(by snapshots: SnapshotConnections) throws -> Int {
        try ViewMaterializer(connections: snapshots, views: [.signals]).run()
        return try snapshots.databases[0].queue.inDatabase { connection in
            try Int.fetchOne(connection, sql: "SELECT count(*) FROM temp.fraud_signals") ?? 0
        }
    }

    private func addArchive(_ number: Int, to writer: DatabaseQueue) throws {
        try writer.write { database in
            try database.execute(
                sql: """
                    INSERT INTO archive (archive_id, name, sha256, bytes, first_loaded_at)
                    VALUES (?, 'a', zeroblob(?), 1, 0)
                    """,
                arguments: [number, number])
        }
    }
}
