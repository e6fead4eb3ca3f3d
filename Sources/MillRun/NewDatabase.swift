internal import DatabaseCare
package import MillSystem
internal import ReceiptWarehouse

/// The work of `receiptmill init`.
package enum NewDatabase {
    /// Creates an empty database. Files that an earlier run left beside a former database at the path are removed.
    ///
    /// - Throws: ``MillError`` if the file exists and is not empty, or can't be created.
    package static func make(at path: String) throws(MillError) {
        if let bytes = FileStamp(path: path)?.bytes, bytes > 0 {
            throw MillError(
                stage: .loading, path: path, what: "is there already, and stays as it is",
                hint: "name a file that does not exist yet", exitStatus: .cannotCreate)
        }
        let database = try Warehouse(path: path)
        try database.models.refresh()
        // Pages that are in SQLite's log alone would be lost with the log.
        try database.emptyLog()
        IdentityFile(of: path).remove()
        FaultMark(of: path).remove()
        FailureNote.clear(of: path)
        CheckNote.remove(of: path)
    }
}
