internal import GRDB
internal import MillDatabase
package import TestSupport

extension Stored {
    /// All views' rows in one list, for comparing databases that hold the same, with models of what the loader has
    /// written: they are worked out where they are not.
    /// Of `archives`, the order and the times of loading are left out, and so are numbers that it gives lines.
    package func everything() throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            if try ModelState(db)?.isCurrent != true { try ModelRefresh.run(db, isWhole: true) }
        }
        try queue.close()
        return try content(of: Self.views + ["archives"], without: Self.ownColumns)
    }
}
