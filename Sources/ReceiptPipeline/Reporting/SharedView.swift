internal import GRDB

/// A view whose rows take long to find, are few, and are read by several reports:
/// found once, they stand in a temporary table that hides the view.
enum SharedView: String, CaseIterable {
    case signals = "fraud_signals"
    case dailyPurchases = "daily_purchases"

    /// Makes room for rows, or for new ones if a search was interrupted.
    func makeTable(in connection: Database) throws {
        try connection.execute(
            sql: """
                DROP TABLE IF EXISTS temp.\(rawValue);
                CREATE TEMP TABLE \(rawValue) AS SELECT * FROM main.\(rawValue) LIMIT 0
                """)
    }

    /// Takes the rows that a view finds, the whole or a part of it.
    func add(from view: String, in connection: Database) throws {
        try connection.execute(sql: "INSERT INTO temp.\(rawValue) SELECT * FROM main.\(view)")
    }

    func find(in connection: Database) throws {
        try makeTable(in: connection)
        try add(from: rawValue, in: connection)
    }
}

extension Report {
    /// The shared views that the statement names.
    var sharedViews: [SharedView] {
        let lines = sql.split(separator: "\n").filter { !$0.hasPrefix("--") }
        return SharedView.allCases.filter { view in lines.contains { $0.contains(view.rawValue) } }
    }
}
