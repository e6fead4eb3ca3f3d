public import GRDB
internal import GRDBSQLite

/// What a database shows, read anew for each question.
public struct Stored: Sendable {
    public let path: String
    private let isReadOnly: Bool

    /// - Parameter isReadOnly: whether the file, and what a killed process left
    ///   beside it, stay as they are.
    public init(_ path: String, isReadOnly: Bool = false) {
        self.path = path
        self.isReadOnly = isReadOnly
    }

    public func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try read { try Row.fetchAll($0, sql: sql, arguments: arguments) }
    }

    private func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        // The connection that closes a database last holds it for a moment.
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.readonly = isReadOnly
        // GRDB notes every column that a statement names, of views over views thousands.
        configuration.prepareDatabase { sqlite3_set_authorizer($0.sqliteConnection, nil, nil) }
        return try DatabaseQueue(path: path, configuration: configuration).read(work)
    }

    /// Rows as text, a bar between the columns and a hyphen for null.
    public func lines(_ sql: String, _ arguments: StatementArguments = []) throws -> [String] {
        try rows(sql, arguments).map { row in
            row.map { Self.text($0.1) }.joined(separator: "|")
        }
    }

    /// All that views show, each row behind its view's name, but the columns that tell of
    /// the load itself.
    public func content(of views: [String], without: Set<String> = []) throws -> [String] {
        // One connection: a schema is parsed for each.
        try read { database in
            try views.flatMap { view in
                try Row.fetchAll(database, sql: "SELECT * FROM \(view)").map { row in
                    let values = row.filter { !without.contains($0.0) }.map { Self.text($0.1) }
                    return "\(view): \(values.joined(separator: "|"))"
                }.sorted()
            }
        }
    }

    public func content(of view: String) throws -> [String] { try content(of: [view]) }

    private static func text(_ value: DatabaseValue) -> String {
        value.storage.value.map { "\($0)" } ?? "-"
    }

    /// Every view that people ask, by name.
    public static let views = [
        "rejections", "submissions", "receipts", "purchases", "claimed_purchases", "receipt_purchases",
        "receipt_parts", "renewals", "notifications", "entitlements", "subscription_periods", "app_owners",
        "fraud_signals", "undocumented_attributes",
    ]

    /// Columns of views that number things in one database alone, or tell of its loading.
    public static let ownColumns: Set<String> = [
        "app_number", "product_number", "product_place", "next_product_number", "app_version_id", "purchase_number",
        "submission_number", "contact_number", "copied_terms_number", "archive_id", "first_loaded_at", "completed_at",
        "found_at", "found_by", "is_new",
    ]

    /// All views' rows in one list, for comparing databases that hold the same.
    /// Of `archives`, the order and the times of loading are left out, and so are numbers that it gives lines.
    public func everything() throws -> [String] {
        try content(of: Self.views, without: Self.ownColumns)
            + content(of: ["archives"], without: Self.ownColumns)
    }
}
