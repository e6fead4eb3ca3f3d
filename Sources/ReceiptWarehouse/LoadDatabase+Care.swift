internal import Foundation
internal import GRDB
internal import ReceiptTrust

extension LoadDatabase {
    /// Number of the last receipt; 0 where there is none.
    func lastReceipt() throws(MillError) -> Int64 {
        try access { db in try Int64.fetchOne(db, sql: "SELECT max(receipt_id) FROM receipt") ?? 0 }
    }

    /// When the first run began, in milliseconds since 1970.
    func firstRun() throws(MillError) -> Int64 {
        try access { db in try Int64.fetchOne(db, sql: "SELECT min(started_at) FROM run") ?? 0 }
    }

    /// What was loaded since the first run that nobody has judged because it did
    /// not come to its end: it was killed, stopped, or ended by a fault. The run at
    /// work is not among them.
    ///
    /// - Returns: with the number of the last receipt before it; nil where there is
    ///   no such run.
    func unreviewed() throws(MillError) -> (lines: Int, rejected: Int, lastReceipt: Int64?) {
        try access { db in
            let ended = [RunOutcome.done, .alarm, .incomplete].map { "'\($0.rawValue)'" }.joined(separator: ", ")
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT coalesce(sum(lines), 0), coalesce(sum(rejected), 0), min(last_receipt)
                    FROM run
                    WHERE outcome <> :running
                        AND run_id >= (
                            SELECT min(run_id) FROM run
                            WHERE outcome NOT IN (:running, \(ended))
                                AND run_id > (
                                    SELECT coalesce(max(run_id), 0) FROM run
                                    WHERE reviews_alarms AND outcome IN (\(ended))
                                )
                        )
                    """,
                arguments: ["running": RunOutcome.running.rawValue])
            return row.map { ($0[0], $0[1], $0[2]) } ?? (0, 0, nil)
        }
    }

    /// Whether every line of a content is loaded: of what an archive held before it
    /// grew, when all of the archive is.
    func isComplete(_ sha256: SHA256Digest) throws(MillError) -> Bool {
        try access { db in
            try Bool.fetchOne(
                db, sql: "SELECT complete FROM archive WHERE archive_id = (\(Self.archiveOfContent))",
                arguments: ["sha256": Data(sha256.bytes)]) ?? false
        }
    }

    /// Stores the versions that were released of apps, in place of those stored.
    func saveExpectedVersions(_ apps: [AppSection]) throws(MillError) {
        try access { db in
            try db.inTransaction {
                for app in apps {
                    try db.execute(
                        sql: "DELETE FROM app_expected_version WHERE bundle_id = ?", arguments: [app.bundle])
                    for version in Set(app.versions) {
                        try db.execute(
                            sql: "INSERT INTO app_expected_version (bundle_id, version) VALUES (?, ?)",
                            arguments: [app.bundle, version])
                    }
                }
                return .commit
            }
        }
    }

    /// Stores thresholds of signals in place of those stored.
    func save(_ thresholds: SignalThresholds) throws(MillError) {
        try access { db in
            try db.inTransaction {
                try db.execute(sql: "DELETE FROM signal_setting")
                for (name, value) in thresholds.values {
                    try db.execute(
                        sql: "INSERT INTO signal_setting (name, value) VALUES (?, ?)", arguments: [name, value])
                }
                return .commit
            }
        }
    }

    /// Moves the write-ahead log into the database and empties it, unless a
    /// reader still needs it.
    ///
    /// - Returns: bytes of the log afterwards.
    func emptyLog() throws(MillError) -> Int64 {
        try access { db in
            // Passive first: waiting for readers, as TRUNCATE does, is worth it
            // only if they have nothing left to read of the log.
            let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
            if let row, row[1] as Int == row[2] { try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        return FileStamp(path: RealPath.of(path) + "-wal")?.bytes ?? 0
    }
}
