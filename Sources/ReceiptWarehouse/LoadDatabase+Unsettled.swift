internal import Foundation
internal import GRDB
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification

/// Lines that were read and for which no submission stands: rejected ones, and
/// those of a rejects file that repeat a rejection.
extension LoadDatabase {
    /// The number of an archive that has such lines; nil where there is none.
    func archiveWithUnsettledLines(_ sha256: SHA256Digest) throws(MillError) -> Int64? {
        try access { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT archive_id FROM archive WHERE sha256 = ? AND (
                        EXISTS (
                            SELECT 1 FROM rejection
                            WHERE rejection.archive_id = archive.archive_id AND cleared_by IS NULL)
                        OR EXISTS (SELECT 1 FROM repeated_line WHERE repeated_line.archive_id = archive.archive_id))
                    """,
                arguments: [Data(sha256.bytes)])
        }
    }

    /// Such lines within a range of an archive's.
    func unsettledLines(
        ofArchive archive: Int64, in lines: ClosedRange<Int64>
    ) throws(MillError) -> (rejected: [Int64], repeated: [Int64]) {
        func among(_ table: String) -> String {
            "SELECT line FROM \(table) WHERE archive_id = ? AND line BETWEEN ? AND ?"
        }
        let arguments: StatementArguments = [archive, lines.lowerBound, lines.upperBound]
        return try access { db in
            (
                try Int64.fetchAll(db, sql: among("rejection") + " AND cleared_by IS NULL", arguments: arguments),
                try Int64.fetchAll(db, sql: among("repeated_line"), arguments: arguments)
            )
        }
    }

    /// How many lines of an archive are rejected.
    func standingRejections(ofArchive archive: Int64) throws(MillError) -> Int {
        try access { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM rejection WHERE archive_id = ? AND cleared_by IS NULL",
                arguments: [archive]) ?? 0
        }
    }

    /// Rejected lines of an archive that the database does not keep: they stand in
    /// the archive alone. Of what one held before it grew, those of all of it.
    func unkeptRejections(of sha256: SHA256Digest) throws(MillError) -> Int {
        try access { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM rejection
                    WHERE archive_id = (\(Self.archiveOfContent)) AND cleared_by IS NULL AND NOT EXISTS (
                        SELECT 1 FROM rejected_line AS kept
                        WHERE kept.archive_id = rejection.archive_id AND kept.line = rejection.line)
                    """,
                arguments: ["sha256": Data(sha256.bytes)]) ?? 0
        }
    }

    /// Clears the rejection of a line that can be read now, in its own place; part
    /// of the loader's transaction.
    ///
    /// - Returns: whether there was one.
    static func clear(line: Int64, archive: Int64, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE rejection SET cleared_by = archive_id << 32 | line
                WHERE archive_id = ? AND line = ? AND cleared_by IS NULL
                """,
            arguments: [archive, line])
        guard db.changesCount > 0 else { return false }
        try db.execute(
            sql: "UPDATE rejected_line SET mended_sha256 = sha256, octets = NULL WHERE archive_id = ? AND line = ?",
            arguments: [archive, line])
        return true
    }

    /// Says anew why a line is rejected; part of the loader's transaction.
    ///
    /// - Returns: whether it was.
    static func restate(_ rejection: Rejection, line: Int64, archive: Int64, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE rejection SET reason = ?, detail = ?
                WHERE archive_id = ? AND line = ? AND cleared_by IS NULL
                """,
            arguments: [rejection.cause.reason.rawValue, rejection.cause.detail, archive, line])
        guard db.changesCount > 0 else { return false }
        if let octets = rejection.octets { try keep(octets, archive: archive, line: line, db) }
        return true
    }
}
