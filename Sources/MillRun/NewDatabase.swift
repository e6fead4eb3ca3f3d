internal import DatabaseCare
internal import Foundation
package import MillSystem
internal import ReceiptWarehouse

/// The work of `receiptmill init`.
package enum NewDatabase {
    /// Makes an empty database. The files that a former run left beside another database of the same path are removed.
    ///
    /// - Throws: ``MillError`` where the file exists and is not empty, or can't be made.
    package static func make(at path: String) throws(MillError) {
        if let bytes = FileStamp(path: path)?.bytes, bytes > 0 {
            throw MillError(
                stage: .loading, path: path, what: "is there already, and stays as it is",
                hint: "name a file that does not exist yet", exitStatus: .cannotCreate)
        }
        let database = try Warehouse(path: path)
        try database.models.refresh()
        // Pages that stand in the log alone would be lost with the log.
        try database.emptyLog()
        IdentityFile(of: path).remove()
        FaultMark(of: path).remove()
        FailureNote.clear(of: path)
        CheckNote.remove(of: path)
    }
}
