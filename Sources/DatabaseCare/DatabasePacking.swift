internal import GRDB
package import MillSystem
package import ReceiptWarehouse

/// Rewrites a database file without free pages and without remains of deleted rows.
///
/// Meanwhile, SQLite's `VACUUM` needs disk space for two more files: a temporary one, and the log through which the new
/// pages replace the former ones.
package struct DatabasePacking {
    private let warehouse: Warehouse

    package init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// The size of the database in bytes, and the bytes of its free pages.
    package func size() throws(MillError) -> (bytes: Int, freeBytes: Int) {
        let (page, pages, free) = try pages()
        return (pages * page, free * page)
    }

    private func pages() throws(MillError) -> (size: Int, count: Int, free: Int) {
        func value(_ pragma: String) throws(MillError) -> Int { try warehouse.value("PRAGMA \(pragma)") ?? 0 }
        return (try value("page_size"), try value("page_count"), try value("freelist_count"))
    }

    /// Throws if a disk lacks the space for ``pack()``.
    package func checkDiskSpace() throws(MillError) {
        let size = try size()
        let bytes = Int64(size.bytes - size.freeBytes)
        var space = DiskSpace()
        space.need(bytes, for: "the log", in: PathParts.folder(of: RealPath.of(warehouse.path)))
        space.need(bytes, for: "the new file", in: TemporaryFolder.ofSQLite)
        try space.check(or: "SQLITE_TMPDIR names another folder for temporary files")
    }

    /// - Throws: ``MillError`` if the disk has no space for a second file, or if a reader is active.
    package func pack() throws(MillError) {
        try warehouse.access { db in try db.execute(sql: "VACUUM") }
        guard try warehouse.emptyLog() == 0 else {
            throw MillError(
                stage: .loading, path: warehouse.path, what: "a reader keeps the former pages in the write-ahead log",
                hint: "end that reader, then receiptmill compact --database \(warehouse.path)", exitStatus: .tryLater)
        }
    }

    /// The file is packed if more than one page in this many is free; new rows soon use a smaller share.
    private static let pagesForEachFree = 20

    /// Returns free pages to the file system if they are more than a twentieth of the file. If the disk has no space
    /// for packing, new rows will use the pages.
    ///
    /// For use after a transaction that removed kept rejected lines, so that other runs need no time for packing.
    package func releaseFreePages() throws(MillError) {
        let pages = try pages()
        guard pages.free * Self.pagesForEachFree > pages.count else { return }
        let isPacked = try warehouse.access { db in
            do {
                try db.execute(sql: "VACUUM")
                return true
            } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_BUSY].contains(error.resultCode) {
                return false
            }
        }
        // The file shrinks only when the log is written back into it.
        if isPacked { try warehouse.emptyLog() }
    }
}
