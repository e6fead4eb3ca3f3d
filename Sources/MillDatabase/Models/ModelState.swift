internal import Foundation
package import GRDB

/// When and of what the models of a database were made: the one row of the table `model_state`.
package struct ModelState: Sendable, Hashable {
    /// Milliseconds since 1970 UTC.
    package let refreshedAt: Int64
    package let seconds: Double
    package let timeZone: String
    /// Whether the loader's tables, the settings and the definitions are still those that they were made of.
    package let isCurrent: Bool
    /// ``Models/definitions`` of the version that made them.
    let definitions: String

    /// Nil where they were never made.
    package init?(_ db: Database) throws {
        guard try db.has(Self.table), try db.has("change_count") else { return nil }
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT
                    refreshed_at, seconds, time_zone, definitions,
                    changes IS (SELECT changes FROM change_count) AS is_of_these_rows
                FROM \(Self.table)
                """)
        guard let row else { return nil }
        (refreshedAt, seconds, timeZone, definitions) = (row[0], row[1], row[2], row[3])
        isCurrent = row[4] && definitions == Models.definitions
    }

    /// Notes that what models are worked out of changes: to be called in each transaction that does so.
    package static func noteChange(_ db: Database) throws {
        try db.execute(sql: "UPDATE change_count SET changes = changes + 1")
    }

    static func write(secondsSince start: ContinuousClock.Instant, timeZone: String, _ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(table);
                CREATE TABLE \(table) (
                    refreshed_at INTEGER NOT NULL,
                    seconds      REAL    NOT NULL,
                    time_zone    TEXT    NOT NULL,
                    changes      INTEGER NOT NULL,
                    definitions  TEXT    NOT NULL
                ) STRICT;
                """)
        try db.execute(
            sql: "INSERT INTO \(table) SELECT ?, ?, ?, changes, ? FROM change_count",
            arguments: [
                Int64(Date().timeIntervalSince1970 * 1000), (ContinuousClock.now - start) / .seconds(1), timeZone,
                Models.definitions,
            ])
    }

    static let table = "model_state"
}
