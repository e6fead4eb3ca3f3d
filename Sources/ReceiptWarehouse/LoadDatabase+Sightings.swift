internal import GRDB

extension LoadDatabase {
    /// Says of the signals that no run has found yet that this one did: a command between two runs may have worked out
    /// the models. Within a transaction.
    static func recordSightings(run: Int64, _ db: Database) throws {
        for table in ["model_signals", "model_cases"] {
            try db.execute(sql: "UPDATE \(table) SET found_by = ? WHERE found_by IS NULL", arguments: [run])
        }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO signal_sighting (submission_id, signal, transaction_id, run_id)
                SELECT submission_id, signal, transaction_id, found_by FROM model_signals
                """)
    }
}
