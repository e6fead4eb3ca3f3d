internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptWarehouse

/// Removes submissions that are old.
package enum Retention {
    /// Deletes submissions that are older than a time, but the first and the last
    /// of those that agree in receipt, device, account and device check.
    ///
    /// The first and last presentation of a receipt by each device and account stays:
    /// views that need no more of submissions show the same. One transaction.
    ///
    /// - Parameter time: milliseconds since 1970 UTC. Where a line states none that
    ///   can be read, the time when its archive was first loaded counts.
    /// - Returns: how many were deleted.
    package static func prune(_ warehouse: Warehouse, before time: Int64) throws(MillError) -> Int {
        try warehouse.transaction { db in
            let chosen = try ChosenSubmissions(db)
            try db.execute(file: "care/choose_old_submissions.sql", arguments: [time])
            let count = try chosen.count
            if count > 0 { try ModelState.noteChange(db) }
            try chosen.remove()
            return count
        }
    }
}
