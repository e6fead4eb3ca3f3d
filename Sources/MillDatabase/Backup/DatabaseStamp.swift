package import GRDB
internal import MillSystem

/// The identity and progress of a database, which decide whether one database may replace another.
package struct DatabaseStamp: Sendable, Hashable {
    /// The identity in hexadecimal digits, which a database shares with its copies.
    package let identity: String
    /// The number of archive lines that the database has processed, including lines retracted since: a copy that still
    /// contains retracted lines is older.
    package let lines: Int

    package init(_ db: Database) throws {
        identity = try String.fetchOne(db, sql: "SELECT lower(hex(database_id)) FROM identity") ?? ""
        let loaded = try Int.fetchOne(db, sql: "SELECT coalesce(sum(lines), 0) FROM archive") ?? 0
        let retracted =
            try db.has("retraction")
            ? try Int.fetchOne(db, sql: "SELECT coalesce(sum(lines), 0) FROM retraction") ?? 0 : 0
        lines = loaded + retracted
    }
}
