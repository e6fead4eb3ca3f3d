internal import GRDB
internal import GRDBSQLite
internal import MillDatabase
internal import Synchronization

/// Finds the rows of shared views on two connections: both take part after part, so
/// that two cores share the work. The first connection gets all rows.
struct ViewMaterializer {
    let connections: SnapshotConnections
    let views: Set<SharedView>

    func run() throws {
        let first = connections.databases[0].queue
        let views = SharedView.allCases.filter(self.views.contains)
        let parts = try first.inDatabase { connection in
            try views.flatMap { view in try view.parts(in: connection).map { (view: view, part: $0) } }
        }
        let taken = Atomic(0)
        try connections.run { database, _ in
            try database.queue.inDatabase { connection in
                for view in views { try view.makeTable(in: connection) }
                while case let next = taken.add(1, ordering: .relaxed).oldValue, next < parts.count {
                    try parts[next].view.add(from: parts[next].part, in: connection)
                }
            }
        }
        for other in connections.databases.dropFirst() {
            for view in views { try other.queue.inDatabase { try Self.move(view, from: $0, to: first) } }
        }
    }

    /// Values go over as they are: what becomes a string on the way would end at
    /// its first U+0000.
    private static func move(_ view: SharedView, from source: Database, to target: DatabaseQueue) throws {
        let table = "temp.\(view.rawValue)"
        let select = try source.makeStatement(sql: "SELECT * FROM \(table)")
        try target.inDatabase { target in
            let markers = Array(repeating: "?", count: select.columnCount).joined(separator: ", ")
            let insert = try target.makeStatement(sql: "INSERT INTO \(table) VALUES (\(markers))")
            let (row, copy) = (select.sqliteStatement, insert.sqliteStatement)
            defer { sqlite3_reset(row) }
            while try isRow(sqlite3_step(row), source) {
                for column in 0..<Int32(select.columnCount) {
                    sqlite3_bind_value(copy, column + 1, sqlite3_column_value(row, column))
                }
                defer { sqlite3_reset(copy) }
                _ = try isRow(sqlite3_step(copy), target)
            }
        }
        try source.execute(sql: "DROP TABLE \(table)")
    }

    private static func isRow(_ result: Int32, _ connection: Database) throws -> Bool {
        guard result == SQLITE_ROW || result == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: result), message: connection.lastErrorMessage)
        }
        return result == SQLITE_ROW
    }
}
