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
    /// How many rows the refresh left out; see ``LeftOutRows``.
    package let leftOut: Int
    /// The value of ``Models/definitions`` in the version that computed the models.
    let definitions: String

    /// Reads the state; nil where the models were never computed.
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
        leftOut = try LeftOutRows.all(db).reduce(0) { $0 + $1.count }
    }

    /// Invalidates the models, for each transaction that changes rows or settings from which they are computed.
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
