internal import GRDB
internal import Synchronization

/// The search for the rows of shared views on two connections: both take part
/// after part, so that two cores share the work. What they find stands on the
/// first.
struct SharedViewSearch {
    let connections: TwinConnections
    let views: Set<SharedView>

    func run() throws {
        let (first, second) = (connections.databases[0].queue, connections.databases[1].queue)
        let views = SharedView.allCases.filter(self.views.contains)
        let parts = try first.inDatabase { connection in
            try views.flatMap { view in try view.parts(in: connection).map { (view: view, part: $0) } }
        }
        let waiting = Mutex(parts[...])
        try connections.run { database, _ in
            try database.queue.inDatabase { connection in
                for view in views { try view.makeTable(in: connection) }
                while let next = waiting.withLock({ $0.popFirst() }) {
                    try next.view.add(from: next.part, in: connection)
                }
            }
        }
        for view in views { try second.inDatabase { try Self.move(view, from: $0, to: first) } }
    }

    private static func move(_ view: SharedView, from source: Database, to target: DatabaseQueue) throws {
        let table = "temp.\(view.rawValue)"
        let rows = try Row.fetchCursor(source, sql: "SELECT * FROM \(table)")
        try target.inDatabase { target in
            let places = Array(repeating: "?", count: rows.columnNames.count).joined(separator: ", ")
            let insert = try target.makeStatement(sql: "INSERT INTO \(table) VALUES (\(places))")
            while let row = try rows.next() {
                try insert.execute(arguments: StatementArguments(row.databaseValues))
            }
        }
        try source.execute(sql: "DROP TABLE \(table)")
    }
}
