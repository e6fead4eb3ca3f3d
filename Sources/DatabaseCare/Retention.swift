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
            try db.execute(sql: "CREATE TEMP TABLE pruned (submission_id INTEGER PRIMARY KEY)")
            try db.execute(sql: Self.choose, arguments: [time])
            let count = db.changesCount
            if count > 0 { try ModelState.noteChange(db) }
            try db.execute(
                sql: """
                    DELETE FROM signal_sighting WHERE submission_id IN (SELECT submission_id FROM pruned);
                    DELETE FROM submission WHERE submission_id IN (SELECT submission_id FROM pruned);
                    CREATE TEMP TABLE pruned_line AS
                    SELECT DISTINCT submission_id & 0xfffffffffffff AS line_id FROM pruned;
                    DELETE FROM pruned_line
                    WHERE EXISTS (SELECT 1 FROM submission WHERE submission_id = line_id)
                        OR line_id IN (
                            SELECT submission_id & 0xfffffffffffff FROM submission WHERE submission_id >= 1 << 52);
                    UPDATE archive SET pruned_lines = pruned_lines + (
                        SELECT count(*) FROM pruned_line WHERE line_id >> 32 = archive_id)
                    WHERE archive_id IN (SELECT line_id >> 32 FROM pruned_line);
                    DROP TABLE pruned_line;
                    """)
            try db.execute(sql: "DROP TABLE pruned")
            return count
        }
    }

    private static let choose = """
        INSERT INTO pruned (submission_id)
        SELECT submission_id
        FROM (
            SELECT
                submission_id,
                coalesce(submitted_at, first_loaded_at) AS aged_at,
                row_number() OVER (alike ORDER BY submitted_at, submission_id) AS position,
                count(*) OVER alike AS positions
            FROM submission
            JOIN archive ON archive.archive_id = submission.archive_id
            WINDOW alike AS (
                PARTITION BY receipt_id, device_id, account_id, device_check, submitted_at IS NULL)
        )
        WHERE aged_at < ? AND position > 1 AND position < positions
        """
}
