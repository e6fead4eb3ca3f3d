package import GRDB

extension LoadDatabase {
    /// Keeps which run found each signal first: of those that no run has found yet, this one did. What
    /// is no signal any more leaves nothing. Within a transaction, when the views show all that was loaded.
    package static func recordSightings(run: Int64, _ db: Database) throws {
        // Found once, and looked at twice.
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.found_signal;
                CREATE TEMP TABLE found_signal (
                    submission_id INTEGER, signal TEXT, transaction_id TEXT,
                    PRIMARY KEY (submission_id, signal, transaction_id)) WITHOUT ROWID;
                INSERT OR IGNORE INTO temp.found_signal
                SELECT submission_number, signal, coalesce(transaction_id, '') FROM fraud_signals;
                DELETE FROM signal_sighting
                WHERE (submission_id, signal, transaction_id) NOT IN (
                    SELECT submission_id, signal, transaction_id FROM temp.found_signal);
                """)
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO signal_sighting (submission_id, signal, transaction_id, run_id)
                SELECT submission_id, signal, transaction_id, ? FROM temp.found_signal
                """, arguments: [run])
        try db.execute(sql: "DROP TABLE temp.found_signal")
    }
}
