internal import GRDB
internal import Synchronization

/// The search for the signals of fraud on two connections: both take kind after
/// kind, so that two cores share the work. What they find stands on the first.
struct SignalSearch {
    let connections: TwinConnections

    func run() throws {
        let (first, second) = (connections.databases[0].queue, connections.databases[1].queue)
        let kinds = try Mutex(first.inDatabase(Self.kinds))
        try connections.run { database, _ in
            try database.queue.inDatabase { connection in
                try SharedView.signals.makeTable(in: connection)
                while let kind = kinds.withLock({ $0.popLast() }) {
                    try SharedView.signals.add(from: kind, in: connection)
                }
            }
        }
        let table = "temp.\(SharedView.signals.rawValue)"
        try second.inDatabase { source in
            let rows = try Row.fetchCursor(source, sql: "SELECT * FROM \(table)")
            try first.inDatabase { target in
                let places = Array(repeating: "?", count: rows.columnNames.count).joined(separator: ", ")
                let insert = try target.makeStatement(sql: "INSERT INTO \(table) VALUES (\(places))")
                while let row = try rows.next() {
                    try insert.execute(arguments: StatementArguments(row.databaseValues))
                }
            }
        }
        try second.inDatabase { try $0.execute(sql: "DROP TABLE \(table)") }
    }

    /// The views that the whole gathers, in its order.
    static func kinds(_ connection: Database) throws -> [String] {
        let definition = try String.fetchOne(
            connection, sql: "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?",
            arguments: [SharedView.signals.rawValue])
        return (definition ?? "").matches(of: /FROM (signal_[a-z_]+)/).map { String($0.output.1) }
    }
}
