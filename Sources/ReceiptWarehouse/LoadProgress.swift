internal import Foundation
package import GRDB
package import ReceiptArchive
package import ReceiptTrust

/// How far a load has come: the archive at hand, what was counted, and the run's row.
package struct LoadProgress {
    /// The archive that the lines at hand are of; nil between two archives.
    package var archive: LoadingArchive?
    package var counts = LoadCounts()
    /// The run's row, which each commit brings up to date.
    package var record: RunRecord?
    /// Identifier of the first receipt of this run.
    private let firstReceipt: Int64

    init(firstReceipt: Int64) {
        self.firstReceipt = firstReceipt
    }

    /// Begins an archive, or goes on with it where an earlier run stopped.
    ///
    /// - Parameter prefix: the content that an earlier run has loaded, and to which the rest
    ///   of this one was appended.
    package mutating func begin(_ archive: ArchiveID, appendedTo prefix: SHA256Digest?, _ db: Database) throws {
        if let prefix { try LoadDatabase.extend(prefix, to: archive, db) }
        try db.executeAgain(
            """
            INSERT INTO archive (name, sha256, bytes, first_loaded_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (sha256) DO NOTHING
            """, [archive.name, Data(archive.sha256.bytes), archive.bytes, Self.now])
        self.archive = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT archive_id, lines, loaded_lines FROM archive WHERE sha256 = ?"),
            arguments: [Data(archive.sha256.bytes)]
        ).map { LoadingArchive(id: $0[0], lines: $0[1], loadedLines: $0[2]) }
    }

    /// Forgets the archive at hand, of which nothing was loaded.
    mutating func takeBack(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM archive WHERE archive_id = ?", arguments: [archive?.id])
        archive = nil
    }

    /// Saves how far the archive at hand is loaded, and what the run has counted.
    package func save(_ db: Database) throws {
        try saveArchive(db)
        try record?.save(counts, db)
    }

    private func saveArchive(_ db: Database) throws {
        guard let archive else { return }
        try db.executeAgain(
            "UPDATE archive SET lines = ?, loaded_lines = ? WHERE archive_id = ?",
            [archive.lines, archive.loadedLines, archive.id])
    }

    /// Ends the archive at hand; one that was damaged stays incomplete.
    package mutating func end(isComplete: Bool, _ db: Database) throws {
        guard let archive else { return }
        try saveArchive(db)
        if isComplete {
            try db.executeAgain(
                "UPDATE archive SET complete = 1, completed_at = ? WHERE archive_id = ? AND complete = 0",
                [Self.now, archive.id])
        }
        self.archive = nil
    }

    /// Counts a receipt of this run under its new verdict.
    mutating func recount(_ receipt: Int64, from former: Verdict, to verdict: Verdict) {
        guard receipt >= firstReceipt, let count = counts.verdicts[former] else { return }
        counts.verdicts[former] = count > 1 ? count - 1 : nil
        counts.verdicts[verdict, default: 0] += 1
    }

    /// Milliseconds since 1970.
    package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
