internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptTrust

/// A rejected line that the database keeps as it was.
package struct KeptLine: Sendable {
    /// Archive and line in one integer, as a submission's identifier is.
    package let id: Int64
    package let archive: SHA256Digest
    package let archiveName: String
    package let reason: String
    package let detail: String
    /// Which of the line's documents the reason is of, from 1; nil where no second is known in it.
    package let document: Int?
    /// The line without its newline.
    package let text: [UInt8]
    /// Its SHA-256, for a letter, whose line may be corrected.
    package var digest: SHA256Digest?

    /// The line of the archive, from 1.
    package var line: Int64 { LineNumber.line(of: id) }
}

package enum RejectionStatus: String, Sendable { case open, cleared, dismissed }

/// What the database knows of a line that was rejected, or of one that never was.
package struct RejectionState: Sendable {
    /// Archive and line in one integer.
    package let id: Int64
    /// Nil where the line was never rejected.
    package let status: RejectionStatus?
    /// Why it was rejected: reason and detail.
    package let cause: String
    /// The line as it was; nil where it is not kept.
    package let kept: [UInt8]?
}

/// How many lines have rejections that are open.
package struct OpenRejections: Sendable, Hashable {
    package let count: Int
    /// Those that the database does not keep: they stand in the archive alone.
    package let notKept: Int
}

/// Lines that were rejected, and those of them that the database keeps as they were.
package struct RejectionStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// What is known of a line of an archive, or of what the archive held before something was
    /// appended to it; nil where the archive is not known.
    package func state(ofLine line: Int64, in archive: SHA256Digest) throws(MillError) -> RejectionState? {
        guard let row = try warehouse.row(Self.stateOfLine, ["sha256": archive, "line": line]) else { return nil }
        return RejectionState(
            id: LineNumber.id(archive: row[0], line: line),
            status: (row[1] as String?).flatMap(RejectionStatus.init),
            cause: row[2] ?? "",
            kept: try (row[3] as Data?).map { (line) throws(MillError) in try inflated(line, row[4]) })
    }

    /// A last line that was half when it was rejected is another one now: a letter that names
    /// the archive as it was then means that half.
    private static let stateOfLine = """
        SELECT content.archive_id, status, reason || ': ' || detail, deflated, dead_letter.bytes
        FROM (\(ArchiveStore.archiveOfContent)) AS content
        LEFT JOIN rejection
            ON rejection.archive_id = content.archive_id AND rejection.line = :line AND :line <= content.lines
        LEFT JOIN dead_letter ON letter_id = content.archive_id << 32 | :line AND status IS NOT NULL
        ORDER BY status <> 'open', document
        LIMIT 1
        """

    private func inflated(_ deflated: Data, _ bytes: Int) throws(MillError) -> [UInt8] {
        if let line = Deflate.inflated(deflated, bytes: bytes) { return line }
        throw MillError.damage(of: warehouse.path, "a kept line is damaged")
    }

    /// Counts the lines whose rejections are open.
    package func open() throws(MillError) -> OpenRejections {
        let row = try warehouse.row(
            """
            SELECT count(*), count(*) FILTER (WHERE is_lost)
            FROM (
                SELECT max(\(Self.isLost)) AS is_lost FROM rejection
                WHERE status = 'open' GROUP BY archive_id, line
            )
            """)
        return OpenRejections(count: row?[0] ?? 0, notKept: row?[1] ?? 0)
    }

    // MARK: Lines that are kept

    /// Kept lines in the order of archives and lines.
    ///
    /// - Parameters:
    ///   - id: of the line before the first.
    ///   - time: since when they are kept, in milliseconds since 1970.
    ///   - bytes: of lines, behind which no more are read.
    package func keptLines(after id: Int64, since time: Int64 = 0, upTo bytes: Int) throws(MillError) -> [KeptLine] {
        try warehouse.access { db in
            var lines: [KeptLine] = []
            var size = 0
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT letter_id, sha256, name, reason, detail, deflated, dead_letter.bytes, min(document),
                        EXISTS (
                            SELECT 1 FROM rejection AS other
                            WHERE other.archive_id = dead_letter.archive_id AND other.line = dead_letter.line
                                AND other.document > 1
                        ) OR EXISTS (SELECT 1 FROM submission WHERE submission_id = (1 << 52) + letter_id)
                    FROM dead_letter JOIN rejection USING (archive_id, line) JOIN archive USING (archive_id)
                    WHERE letter_id > ? AND kept_at >= ? AND status = 'open' GROUP BY letter_id ORDER BY letter_id
                    """,
                arguments: [id, time])
            while size < bytes, let row = try rows.next() {
                guard let archive = SHA256Digest(bytes: row[1] as Data) else { continue }
                let text = try inflated(row[5], row[6])
                lines.append(
                    KeptLine(
                        id: row[0], archive: archive, archiveName: row[2], reason: row[3], detail: row[4],
                        document: row[8] as Bool ? row[7] as Int : nil, text: text))
                size += text.count + 1
            }
            return lines
        }
    }

    /// Removes lines that were kept before a time, in milliseconds since 1970.
    ///
    /// - Returns: how many.
    package func expireKeptLines(before time: Int64) throws(MillError) -> Int {
        try warehouse.access { db in
            try db.execute(sql: "DELETE FROM dead_letter WHERE kept_at < ?", arguments: [time])
            return db.changesCount
        }
    }

    // MARK: Lines that are kept nowhere

    /// Lines of an archive in a range that stand rejected and are not kept.
    package func linesKeptNowhere(ofArchive id: Int64, in lines: ClosedRange<Int64>) throws(MillError) -> [Int64] {
        try warehouse.values(
            "SELECT DISTINCT line FROM rejection WHERE archive_id = ? AND line BETWEEN ? AND ? AND \(Self.isLost)",
            [id, lines.lowerBound, lines.upperBound])
    }

    /// How many lines of an archive stand rejected and are not kept: they stand in the archive
    /// alone. Of what one held before it grew, those of all of it.
    package func countKeptNowhere(in sha256: SHA256Digest) throws(MillError) -> Int {
        try warehouse.value(
            """
            SELECT count(DISTINCT line) FROM rejection
            WHERE archive_id = (SELECT archive_id FROM (\(ArchiveStore.archiveOfContent))) AND \(Self.isLost)
            """, ["sha256": sha256]) ?? 0
    }

    private static let isLost = """
        status = 'open' AND NOT EXISTS (
            SELECT 1 FROM dead_letter WHERE letter_id = rejection.archive_id << 32 | rejection.line)
        """

    // MARK: Dismissal

    /// Marks rejections whose lines can't be saved, or takes the mark back; lines that were kept
    /// go for good. One transaction.
    ///
    /// - Returns: how many were not so before.
    package func dismiss(_ ids: some Sequence<Int64>, undo isUndo: Bool) throws(MillError) -> Int {
        let (former, new): (RejectionStatus, RejectionStatus) =
            isUndo ? (.dismissed, .open) : (.open, .dismissed)
        return try warehouse.transaction { db in try ids.count { try Self.set(new, where: former, $0, db) } }
    }

    private static func set(
        _ status: RejectionStatus, where former: RejectionStatus, _ id: Int64, _ db: Database
    ) throws -> Bool {
        try db.executeAgain(
            "UPDATE rejection SET status = ? WHERE archive_id = ? >> 32 AND line = ?2 & 0xffffffff AND status = ?3",
            [status.rawValue, id, former.rawValue])
        guard db.changesCount > 0 else { return false }
        try db.executeAgain("DELETE FROM dead_letter WHERE letter_id = ?", [id])
        return true
    }
}
