internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptWarehouse

extension LoadDatabase {
    /// Erases presentations again that were erased before, and that an archive has brought back.
    ///
    /// For use behind a load. One transaction; nothing where nothing was ever erased.
    ///
    /// - Returns: how many submissions went.
    @discardableResult package func eraseAgain() throws(MillError) -> Int {
        try access { db in
            guard try Row.fetchOne(db, sql: "SELECT 1 FROM erased_presentation LIMIT 1") != nil else { return 0 }
            try Schema.buildIndices(db, workers: 1)
            var count = 0
            try db.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? db.execute(sql: "PRAGMA secure_delete = OFF") }
            try db.inTransaction(.immediate) {
                try db.execute(
                    sql: """
                        DROP TABLE IF EXISTS temp.erased_submission;
                        CREATE TEMP TABLE erased_submission (submission_id INTEGER PRIMARY KEY)
                        """)
                try Presentations().chooseAgain(db)
                count = try ErasedRows(db).remove(remembers: false).submissions
                // Models don't hold them yet: they are made behind this alone.
                if count > 0 { try ModelState.noteChange(db) }
                return .commit
            }
            return count
        }
    }

    /// Bytes of the database, and those of its pages that are free.
    package func size() throws(MillError) -> (bytes: Int, freeBytes: Int) {
        try access { db in
            let page = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
            let (pages, free) = (
                try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0,
                try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            )
            return (pages * page, free * page)
        }
    }

    /// Refuses to go on where disks lack room for ``pack()``: once for the new file, once for the log that
    /// brings it in the place of the former.
    package func checkRoomToPack() throws(MillError) {
        let size = try size()
        var space = DiskSpace()
        space.need(Int64(size.bytes - size.freeBytes), for: "the log", in: PathParts.folder(of: RealPath.of(path)))
        space.need(Int64(size.bytes - size.freeBytes), for: "the new file", in: TemporaryFolder.ofSQLite)
        try space.check(or: "SQLITE_TMPDIR names another folder for temporary files")
    }

    /// Writes the file anew, without free pages and without what deleted rows left behind; the log is
    /// emptied.
    ///
    /// - Throws: ``MillError`` where the disk has no room for a second file, or a reader is at work.
    package func pack() throws(MillError) {
        try access { db in try db.execute(sql: "VACUUM") }
        guard try emptyLog() == 0 else {
            throw MillError(
                stage: .loading, path: path, what: "a reader keeps the former pages in the write-ahead log",
                hint: "end that reader, then receiptmill compact --database \(path)", exitStatus: .tryLater)
        }
    }
}
