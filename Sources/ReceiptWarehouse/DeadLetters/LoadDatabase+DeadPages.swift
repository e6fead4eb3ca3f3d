internal import GRDB
internal import MillDatabase
package import MillSystem

extension LoadDatabase {
    /// Pages of the database for each free one, from which on packing it is worth the time: a
    /// smaller share is soon taken by the next rows.
    private static let pagesForEachFree = 20

    /// Gives the pages of letters that were cleared, dismissed or expired back to the file
    /// system, where they are more than a twentieth of the file. `VACUUM` writes the whole file
    /// anew, and needs as much room on the disk meanwhile; where there is none, the pages stay
    /// until rows take them.
    ///
    /// For use behind a transaction that removed letters: no other run pays for it.
    package func releaseDeadPages() throws(MillError) {
        let isPacked = try access { db in
            let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            guard free * Self.pagesForEachFree > pages else { return false }
            do {
                try db.execute(sql: "VACUUM")
                return true
            } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_BUSY].contains(error.resultCode) {
                return false
            }
        }
        // The file becomes shorter when the log is written back.
        if isPacked { _ = try emptyLog() }
    }
}
