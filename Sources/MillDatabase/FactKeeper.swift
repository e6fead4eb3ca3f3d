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
        guard !kept.isSuperset(of: names), access(path, R_OK | W_OK) == 0,
            let queue = try? DatabaseQueue(file: path, configuration: ReadOnlyDatabase.configuration(threads: 1))
        else { return nil }
        (self.names, self.queue) = (names, queue)
    }

    /// Keeps the rows until the next load.
    ///
    /// - Throws: ``DatabaseError``, that the work was interrupted.
    package func keep() throws {
        do {
            for fact in Fact.all where names.contains(fact.name) {
                guard try queue.inDatabase({ try Facts.keepForReports(fact, $0) }) else { return }
            }
        } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
            // The file or the disk takes no rows now. A report that can't be answered either says why.
        }
    }
}
