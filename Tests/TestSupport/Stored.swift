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

    /// Several questions of one connection: a schema is parsed for each.
    public func open<Result>(_ ask: (Open) throws -> Result) throws -> Result {
        // The connection that closes a database last holds it for a moment.
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.readonly = isReadOnly
        // GRDB notes every column that a statement names, of views over views thousands.
        configuration.prepareDatabase { sqlite3_set_authorizer($0.sqliteConnection, nil, nil) }
        return try DatabaseQueue(path: path, configuration: configuration).read { try ask(Open(db: $0)) }
    }

    public struct Open {
        let db: Database
    }

    public func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try open { try Row.fetchAll($0.db, sql: sql, arguments: arguments) }
    }

    public func lines(_ sql: String, _ arguments: StatementArguments = []) throws -> [String] {
        try open { try $0.lines(sql, arguments) }
    }

    public func content(of views: [String], without: Set<String> = []) throws -> [String] {
        try open { try $0.content(of: views, without: without) }
    }

    public func content(of view: String) throws -> [String] { try content(of: [view]) }

    /// Every view that people ask, by name.
    public static let views = [
        "rejections", "submissions", "receipts", "purchases", "claimed_purchases", "receipt_purchases",
        "receipt_parts", "renewals", "notifications", "entitlements", "subscription_periods", "app_owners",
        "fraud_signals", "undocumented_attributes",
    ]

    /// Columns of views that number things in one database alone, or state how the database was loaded.
    public static let ownColumns: Set<String> = [
        "app_number", "app_id", "customer_id", "product_number", "product_place", "next_product_number",
        "first_product_number",
        "app_version_id", "purchase_number", "submission_number", "contact_number", "copied_terms_number",
        "archive_id", "archive_number", "first_loaded_at", "completed_at", "found_at", "found_by", "is_new",
        "receipt_number",
        "version_number", "version_place", "original_version_number", "terms_number", "told_terms_number",
        "transaction_number", "original_number",
        "receipt_id", "other_receipt_id", "purchase_id", "version_id", "terms_id", "user_id",
    ]
}

extension Stored.Open {
    /// Rows as text, a bar between the columns and a hyphen for null.
    public func lines(_ sql: String, _ arguments: StatementArguments = []) throws -> [String] {
        try lines(sql, arguments, without: [])
    }

    /// All that views show, each row behind its view's name, but the columns that tell of
    /// the load itself.
    public func content(of views: [String], without: Set<String> = []) throws -> [String] {
        try views.flatMap { view in
            try lines("SELECT * FROM \(view)", without: without).map { "\(view): \($0)" }.sorted()
        }
    }

    /// By SQLite's own calls: GRDB's rows are copies, and its code is not optimised here.
    private func lines(
        _ sql: String, _ arguments: StatementArguments = [], without: Set<String>
    ) throws -> [String] {
        let statement = try db.makeStatement(sql: sql)
        let columns = statement.columnNames.enumerated().filter { !without.contains($0.element) }
            .map { Int32($0.offset) }
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        var lines: [String] = []
        while try cursor.next() != nil {
            lines.append(columns.map { Self.text(statement.sqliteStatement, $0) }.joined(separator: "|"))
        }
        return lines
    }

    private static func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: "-"
        case SQLITE_INTEGER: "\(sqlite3_column_int64(statement, column))"
        case SQLITE_FLOAT: "\(sqlite3_column_double(statement, column))"
        default:
            String(
                decoding: UnsafeRawBufferPointer(
                    start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column))),
                as: UTF8.self)
        }
    }
}
