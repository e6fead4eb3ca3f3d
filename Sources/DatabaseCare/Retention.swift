internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptWarehouse

/// Deletes old submissions.
package enum Retention {
    /// Deletes submissions older than a time, except the first and the last of each group with one receipt, device,
    /// account and device check.
    ///
    /// Views that need only the first and last presentation of a receipt by each device and account thus show the same.
    /// Uses one transaction.
    ///
    /// - Parameter time: milliseconds since 1970 UTC. For a line without a readable time, the time at which its archive
    ///   was first loaded counts.
    /// - Parameter record: the run that deletes the submissions.
    /// - Returns: the number of deleted submissions.
    package static func deleteExpired(
        _ warehouse: Warehouse, before time: Int64, by record: RunRecord? = nil
    ) throws(MillError) -> Int {
        try warehouse.transaction { db in
            let chosen = try ChosenSubmissions(db)
            try db.execute(file: "care/choose_old_submissions.sql", arguments: [time])
            let count = try chosen.remove()
            if count > 0 { try ModelState.noteChange(.retention, db) }
            try record?.count(count, .submissions, db)
            return count
        }
    }
}
