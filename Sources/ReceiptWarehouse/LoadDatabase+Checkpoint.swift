internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem

extension LoadDatabase {
    /// Moves the write-ahead log into the database and empties it, unless a
    /// reader still needs it.
    ///
    /// - Returns: bytes of the log afterwards.
    package func emptyLog() throws(MillError) -> Int64 {
        // Readers are no program that will end soon.
        let limit = patience.limit
        patience.limit = min(limit, LockPatience.usual)
        defer { patience.limit = limit }
        try access { db in
            // Passive first: waiting for readers, as TRUNCATE does, is worth it
            // only if they have nothing left to read of the log.
            let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
            if let row, row[1] as Int == row[2] { try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        return FileStamp(path: RealPath.of(path) + "-wal")?.bytes ?? 0
    }
}
