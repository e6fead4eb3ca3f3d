package import GRDB
internal import MillDatabase
package import MillSystem

/// Which database one is, and how far it has come: what says whether one may take another's place.
package struct DatabaseStamp: Sendable, Hashable {
    /// Hexadecimal; copies have the same.
    package let identity: String
    /// Lines of archives that it has processed, those that were retracted since included: a copy that holds
    /// them is an older one.
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
