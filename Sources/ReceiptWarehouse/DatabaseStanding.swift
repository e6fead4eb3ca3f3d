package import GRDB
package import MillSystem

/// Which database one is, and how far it has come: what says whether one may take another's place.
package struct DatabaseStanding: Sendable, Hashable {
    /// Hexadecimal; copies have the same.
    package let identity: String
    /// Lines of archives that it has processed.
    package let lines: Int

    package init(_ db: Database) throws {
        identity = try String.fetchOne(db, sql: "SELECT lower(hex(database_id)) FROM identity") ?? ""
        lines = try Int.fetchOne(db, sql: "SELECT coalesce(sum(lines), 0) FROM archive") ?? 0
    }
}

extension LoadDatabase {
    /// Hexadecimal; copies have the same.
    package func identity() throws(MillError) -> String { try access(DatabaseStanding.init).identity }
}
