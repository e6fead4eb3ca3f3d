internal import Foundation
internal import MillSystem
internal import ReceiptWarehouse

/// A database that a run of named archives makes. The run removes it again if nothing was loaded into it, so that a
/// mistyped path leaves nothing behind.
struct MadeDatabase {
    private let path: String

    /// Nil if there is a database already.
    init?(of configuration: LoadConfiguration) {
        guard FileStamp(path: configuration.database)?.bytes ?? 0 == 0 else { return nil }
        path = RealPath.of(configuration.database)
    }

    /// Removes the database of a run that failed, unless it holds an archive.
    ///
    /// - Returns: whether the database was removed.
    func removeIfEmpty(_ database: Warehouse) -> Bool {
        guard (try? database.archives.isEmpty()) == true else { return false }
        for ending in [""] + OutputFile.endingsOfSQLite { unlink(path + ending) }
        return true
    }
}
