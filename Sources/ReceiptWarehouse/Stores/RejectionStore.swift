internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptTrust

/// A rejected line whose text is kept in the database.
package struct KeptLine: Sendable {
    /// The archive and the line in one integer: the identifier that a submission of the line would have.
    package let id: Int64
    package let archive: SHA256Digest
    package let archiveName: String
    package let reason: String
    package let detail: String
    /// The number of the rejected document in the line, from 1; nil if the line has no second document.
    package let document: Int?
    /// The line without its newline.
    package let text: [UInt8]
    /// SHA-256 of the line, which is written to the dead-letter file so that a later reader sees whether the line was
    /// corrected.
    package var digest: SHA256Digest?

    /// The number of the line in the archive, from 1.
    package var line: Int64 { LineNumber.line(of: id) }
}

package enum RejectionStatus: String, Sendable { case open, cleared, dismissed }

/// The state of a line: rejected, or never rejected.
package struct RejectionState: Sendable {
    /// The archive and the line in one integer.
    package let id: Int64
    /// The status of the line's rejection; nil if the line was never rejected.
    package let status: RejectionStatus?
    /// The reason and the detail of the rejection.
    package let cause: String
    /// The rejected line; nil if the database does not keep it.
    package let kept: [UInt8]?
}

/// The number of lines with open rejections.
package struct OpenRejections: Sendable, Hashable {
    package let count: Int
    /// The number of those lines whose text is not kept in the database, so that only the archive contains it.
    package let notKept: Int
}

/// The rejected lines, and the texts of those that are kept in the database.
package struct RejectionStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// The state of a line of an archive, or of the archive's content before lines were appended; nil if the archive
    /// is unknown.
    package func state(ofLine line: Int64, in archive: SHA256Digest) throws(MillError) -> RejectionState? {
        guard let row = try warehouse.row(Self.stateOfLine, ["sha256": archive, "line": line]) else { return nil }
        return RejectionState(
            id: LineNumber.id(archive: row[0], line: line),
            status: (row[1] as String?).flatMap(RejectionStatus.init),
            cause: row[2] ?? "",
            kept: try (row[3] as Data?).map { (line) throws(MillError) in try inflated(line, row[4]) })
    }

    /// Selects the state of a line, in the archive whose content has a SHA-256. The content may be that of an archive
    /// before lines were appended; its last line may have been cut off then. So only rejections of lines that were
    /// complete in that content are joined.
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

    // MARK: Kept lines

    /// Reads kept lines whose rejections are open, in the order of archives and lines.
    ///
    /// - Parameters:
    ///   - id: the identifier of the line before the first one.
    ///   - time: only lines that were kept from this time on are read, in milliseconds since 1970.
    ///   - bytes: reading ends when the lines have this many bytes.
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

    /// Deletes the texts of lines that were kept before a time, in milliseconds since 1970.
    ///
    /// - Parameter record: the run that deletes the texts.
    /// - Returns: the number of deleted texts.
    package func expireKeptLines(before time: Int64, by record: RunRecord?) throws(MillError) -> Int {
        try warehouse.transaction { db in
            try db.execute(sql: "DELETE FROM dead_letter WHERE kept_at < ?", arguments: [time])
            let count = db.changesCount
            try record?.count(count, .letters, db)
            return count
        }
    }

    // MARK: Lines that only an archive holds

    /// Lines of an archive, within a range, whose rejections are open and whose text is not kept.
    package func linesKeptNowhere(ofArchive id: Int64, in lines: ClosedRange<Int64>) throws(MillError) -> [Int64] {
        try warehouse.values(
            "SELECT DISTINCT line FROM rejection WHERE archive_id = ? AND line BETWEEN ? AND ? AND \(Self.isLost)",
            [id, lines.lowerBound, lines.upperBound])
    }

    /// The number of lines of an archive that have open rejections and are not kept, so that only the archive contains
    /// them. For a content to which lines were appended, the whole archive counts.
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

    /// Marks the rejections of lines as dismissed, or removes this mark, in one transaction. Kept texts of dismissed
    /// lines are deleted.
    ///
    /// - Returns: the number of changed lines.
    package func dismiss(_ ids: some Sequence<Int64>, undo isUndo: Bool) throws(MillError) -> Int {
        let (former, new): (RejectionStatus, RejectionStatus) =
            isUndo ? (.dismissed, .open) : (.open, .dismissed)
        return try warehouse.transaction { db in try ids.count { try Self.set(new, where: former, $0, db) } }
    }

    private static func set(
        _ status: RejectionStatus, where former: RejectionStatus, _ id: Int64, _ db: Database
    ) throws -> Bool {
        try db.executeCached(
            "UPDATE rejection SET status = ? WHERE archive_id = ? >> 32 AND line = ?2 & 0xffffffff AND status = ?3",
            [status.rawValue, id, former.rawValue])
        guard db.changesCount > 0 else { return false }
        try db.executeCached("DELETE FROM dead_letter WHERE letter_id = ?", [id])
        return true
    }
}
