package import GRDB
internal import MillDatabase

/// A view whose rows take long to find, and are few: they are found once, each part
/// on one of two connections, and put into a temporary table that hides the view.
package enum SharedView: String, CaseIterable {
    // Those that take long come first, and of these the one with most rows, most of which the first connection then
    // finds itself; the many kinds of signals level out the end.
    case dailyPurchases = "daily_purchases"
    case ownerStanding = "owner_standing"
    case subscriptionEnds = "subscription_ends"
    case dailyReceipts = "daily_receipts"
    case subscriptionBegins = "subscription_begins"
    case appHorizons = "app_horizons"
    case signals = "fraud_signals"

    /// Makes room for rows, or for new ones if a search was interrupted.
    func makeTable(in connection: Database) throws {
        // Each part has the columns of the whole, and SQLite reads it in a small part of the time.
        let part = try parts(in: connection).last ?? rawValue
        try connection.execute(
            sql: """
                DROP TABLE IF EXISTS temp.\(rawValue);
                CREATE TEMP TABLE \(rawValue) AS SELECT * FROM main.\(part) LIMIT 0
                """)
    }

    /// Takes the rows that a view finds, the whole or a part of it.
    package func add(from view: String, in connection: Database) throws {
        try connection.execute(sql: "INSERT INTO temp.\(rawValue) SELECT * FROM main.\(view)")
    }

    /// Signals that take longest: found first, so that two connections end together.
    private static let longest = ["signal_shared_transaction", "signal_version_backwards"]

    /// The views that together find the rows: of signals, each kind's.
    package func parts(in connection: Database) throws -> [String] {
        guard self == .signals else { return [rawValue] }
        let definition = try String.fetchOne(
            connection, sql: "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?", arguments: [rawValue])
        let parts = (definition ?? "").matches(of: /FROM (signal_[a-z_]+)/).map { String($0.output.1) }
        return Self.longest.filter(parts.contains) + parts.filter { !Self.longest.contains($0) }
    }
}

extension Report {
    /// The shared views that the statement names.
    var sharedViews: Set<SharedView> { Set(SharedView.allCases.filter { names($0.rawValue) }) }

    /// Whether the statement names a view or a column.
    package func names(_ name: String) -> Bool { SQLTokens(sql).contains { $0.isName(name) } }
}
