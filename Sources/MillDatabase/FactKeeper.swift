internal import Foundation
package import GRDB

/// Works out facts that loads leave to reports, for the first that reads them and all behind it.
///
/// Where that fails, views still work out their rows for each who asks.
package struct FactKeeper {
    /// The connection on which the work is done.
    package let queue: DatabaseQueue
    private let names: Set<String>

    /// - Parameters:
    ///   - names: facts that are left to reports.
    ///   - path: the database; nil where it has these facts, or can't be written.
    /// - Throws: ``MillError`` if the file is missing or not a database of ours.
    package init?(of names: Set<String>, in path: String) throws {
        guard !names.isEmpty else { return nil }
        let stored = try ReadOnlyDatabase(path: path)
        let kept = try ReadOnlyDatabase.explaining(path: path) { try stored.queue.inDatabase(Facts.keptNames) }
        guard !kept.isSuperset(of: names), access(path, R_OK | W_OK) == 0 else { return nil }
        var configuration = ReadOnlyDatabase.configuration(threads: 1)
        // What another report keeps takes no longer to write.
        configuration.busyMode = .timeout(1)
        guard let queue = try? DatabaseQueue(file: path, configuration: configuration) else { return nil }
        (self.names, self.queue) = (names.subtracting(kept), queue)
    }

    /// Keeps the rows until the next load.
    ///
    /// - Throws: ``DatabaseError``, that the work was interrupted, or that the database is damaged.
    package func keep() throws {
        do {
            for fact in Fact.all where names.contains(fact.name) {
                try queue.inDatabase { try Facts.keepForReports(fact, $0) }
            }
        } catch let error as DatabaseError where Self.takesNoRows.contains(error.resultCode) {
            // A report that can't be answered either says why.
        }
    }

    /// What is wrong where another program writes, or the file or the disk takes no rows now.
    private static let takesNoRows: [ResultCode] = [
        .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_NOMEM,
    ]
}
