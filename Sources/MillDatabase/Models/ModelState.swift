internal import Foundation
package import GRDB

/// The state of a database's models, from the only row of the table `model_state`.
package struct ModelState: Sendable, Hashable {
    /// The time of the refresh, in milliseconds since 1970 UTC.
    package let refreshedAt: Int64
    package let seconds: Double
    package let timeZone: String
    /// Whether rows, settings and definitions are still those from which the models were computed.
    package let isCurrent: Bool
    /// The number of rows that the refresh left out; see ``LeftOutRows``.
    package let leftOut: Int
    /// The number of subscriptions and lasting purchases in the models, and the number of those that the refresh
    /// computed again.
    package let subscriptions, touched: Int
    /// Why the refresh computed everything; nil if it computed only a part.
    package let wholeBecause: WholeRefresh?
    /// When all models were last computed from all documents, for a refresh or for a comparison; in milliseconds since
    /// 1970 UTC.
    package let wholeAt: Int64
    /// The highest number of a document that the refresh included; 0 if there was none.
    let lastReceipt: Int64
    /// The value of ``ModelCatalog/definitions`` in the version that computed the models.
    let definitions: String

    /// What the refresh computed, how long it took, and why it computed everything, such as
    /// `2510 of 63006 subscriptions in 0.9 s`.
    package var summary: String {
        let time = String(format: "%.1f s", seconds)
        return switch wholeBecause {
        case nil where touched == 0: "up to date"
        case nil: "\(touched) of \(subscriptions) subscriptions in \(time)"
        case .absent?: "all \(subscriptions) subscriptions in \(time)"
        case let reason?: "all \(subscriptions) subscriptions in \(time), because \(reason.words)"
        }
    }

    /// Reads the state; nil if the models were never computed.
    package init?(_ db: Database) throws {
        guard try db.has(Self.table), try db.has("change_count") else { return nil }
        let row = try Row.fetchOne(
            db,
            sql: "SELECT *, changes IS (SELECT changes FROM change_count) AS is_of_these_rows FROM \(Self.table)")
        guard let row else { return nil }
        (refreshedAt, seconds, timeZone) = (row["refreshed_at"], row["seconds"], row["time_zone"])
        definitions = row["definitions"]
        isCurrent = row["is_of_these_rows"] && definitions == ModelCatalog.definitions
        // Another version of the program may have written the row without these columns.
        (subscriptions, touched) = (row["subscriptions"] ?? 0, row["touched"] ?? 0)
        wholeBecause = (row["whole_because"] as String?).flatMap(WholeRefresh.init)
        (lastReceipt, wholeAt) = (row["last_receipt"] ?? 0, row["whole_at"] ?? 0)
        leftOut = try LeftOutRows.all(db).reduce(0) { $0 + $1.count }
    }

    /// Invalidates the models. Called in each transaction that only adds rows from which they are computed.
    package static func noteAddition(_ db: Database) throws {
        try db.execute(sql: "UPDATE change_count SET changes = changes + 1")
    }

    /// Invalidates the models so that the next refresh computes everything. Called in each transaction that changes or
    /// deletes rows or settings from which they are computed.
    package static func noteChange(_ reason: WholeRefresh, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE change_count SET changes = changes + 1, whole_because = coalesce(whole_because, ?)",
            arguments: [reason.rawValue])
    }

    /// Why the next refresh has to compute everything; nil if a slice may be enough.
    ///
    /// - Parameter former: the state of the present models.
    static func needsWhole(_ former: ModelState?, _ db: Database) throws -> WholeRefresh? {
        guard let former, try Schema.hasIndices(db) else { return .absent }
        if former.definitions != ModelCatalog.definitions { return .version }
        let zone = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'time_zone'") ?? "UTC"
        if former.timeZone != zone { return .timeZone }
        let noted = try String.fetchOne(db, sql: "SELECT whole_because FROM change_count")
        if let noted { return WholeRefresh(rawValue: noted) ?? .settings }
        return former.leftOut > 0 ? .leftOut : nil
    }

    static func noteComparison(_ db: Database) throws {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        try db.execute(sql: "UPDATE \(table) SET whole_at = ?", arguments: [now])
    }

    static func write(
        secondsSince start: ContinuousClock.Instant, timeZone: String, touched: Int?,
        wholeBecause reason: WholeRefresh?, wholeAt: Int64?, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(table);
                CREATE TABLE \(table) (
                    refreshed_at  INTEGER NOT NULL,
                    seconds       REAL    NOT NULL,
                    time_zone     TEXT    NOT NULL,
                    changes       INTEGER NOT NULL,
                    definitions   TEXT    NOT NULL,
                    subscriptions INTEGER NOT NULL,
                    touched       INTEGER NOT NULL,
                    whole_because TEXT,
                    last_receipt  INTEGER NOT NULL,
                    whole_at      INTEGER NOT NULL
                ) STRICT;
                """)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let lastReceipt = try Int64.fetchOne(db, sql: "SELECT max(receipt_id) FROM receipt") ?? 0
        let subscriptions = try Int.fetchOne(db, sql: "SELECT count(*) FROM model_originals") ?? 0
        try db.execute(
            sql: "INSERT INTO \(table) SELECT ?, ?, ?, changes, ?, ?, ?, ?, ?, ? FROM change_count",
            arguments: [
                now, (ContinuousClock.now - start) / .seconds(1), timeZone,
                ModelCatalog.definitions, subscriptions, touched ?? subscriptions, reason?.rawValue, lastReceipt,
                wholeAt ?? now,
            ])
        try db.execute(sql: "UPDATE change_count SET whole_because = NULL")
    }

    static let table = "model_state"
}
