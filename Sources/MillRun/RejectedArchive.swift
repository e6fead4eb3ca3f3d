internal import GRDB
internal import MillConfiguration
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptWarehouse

/// An archive nearly all of whose lines have open rejections. Even a file of random bytes has lines. If it were moved
/// with good archives, nobody would notice that the expected archive is missing.
struct RejectedArchive {
    let name: String
    let lines: Int
    let rejected: Int

    /// Nil if more than one line in twenty was read, or has a rejection that a person has dismissed.
    init?(_ sha256: SHA256Digest, in database: Warehouse) throws(MillError) {
        guard let id = try database.archives.archive(of: sha256)?.id,
            let archive = try database.access({ db in
                // Most archives have many lines that were read; their rejections then need not be counted.
                try Row.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT name, lines, (
                                SELECT count(DISTINCT line) FROM rejection
                                WHERE rejection.archive_id = archive.archive_id AND status = 'open'
                            )
                            FROM archive WHERE archive_id = ? AND loaded_lines * 20 <= lines
                            """),
                    arguments: [id]
                ).map { (name: $0[0] as String, lines: $0[1] as Int, rejected: $0[2] as Int) }
            }),
            Self.isNearlyAll(archive.rejected, of: archive.lines)
        else { return nil }
        (name, lines, rejected) = archive
    }

    /// True for at least nineteen of twenty lines, and for all lines if there are fewer than twenty. An archive that is
    /// read with wrong settings may still have a few lines that can be read.
    private static func isNearlyAll(_ rejected: Int, of lines: Int) -> Bool { lines > 0 && rejected * 20 >= lines * 19 }

    /// The fault that a run reports for the archive.
    func fault(at path: String) -> MillError {
        MillError(
            stage: .reading, path: path, what: "is hardly an archive: \(rejected) of its \(lines) lines were rejected",
            hint:
                "SELECT reason, count(*), min(detail) FROM rejections WHERE archive = '\(name.replacing("'", with: "''"))' "
                + "GROUP BY reason; where `ignore_keys` or a limit was wrong, correct it, let the archive lie where archives "
                + "lie, and receiptmill run --retry; else have it delivered again",
            exitStatus: .badData)
    }
}
