import Foundation
import GRDB

/// What a database shows, read anew for each question.
struct Stored {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        // Whoever closes a database last holds it for a moment.
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: path, configuration: configuration).read {
            try Row.fetchAll($0, sql: sql, arguments: arguments)
        }
    }

    /// Rows as text, a bar between the columns and a hyphen for null.
    func lines(_ sql: String, _ arguments: StatementArguments = []) throws -> [String] {
        try rows(sql, arguments).map { row in
            row.map { Self.text($0.1) }.joined(separator: "|")
        }
    }

    /// All that a view shows, but the columns that tell of the load itself.
    func content(of view: String, without: Set<String> = []) throws -> [String] {
        try rows("SELECT * FROM \(view)").map { row in
            row.filter { !without.contains($0.0) }.map { Self.text($0.1) }.joined(separator: "|")
        }.sorted()
    }

    private static func text(_ value: DatabaseValue) -> String {
        value.storage.value.map { "\($0)" } ?? "-"
    }

    /// Every view that people ask, by name.
    static let views = [
        "rejections", "submissions", "receipts", "purchases", "claimed_purchases", "receipt_purchases",
        "subscription_periods", "app_owners", "fraud_signals", "undocumented_attributes",
    ]

    /// All views' rows in one list, for comparing databases that hold the same.
    /// Of `archives`, the order and the times of loading are left out.
    func everything() throws -> [String] {
        try Self.views.flatMap { view in try content(of: view).map { "\(view): \($0)" } }
            + content(of: "archives", without: ["archive_id", "first_loaded_at", "completed_at"]).map {
                "archives: \($0)"
            }
    }
}
