internal import Foundation
package import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptArchive
package import ReceiptTrust
internal import ReceiptVerification

/// The progress of an archive's load.
package struct ArchiveProgress {
    package let name: String
    /// The number of processed lines.
    package let lines: Int64
    package let isComplete: Bool
}

/// The archives, with their progress, the contents that they had before they grew, their folders, and their
/// retractions.
package struct ArchiveStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// Finds the archive that has the content `:sha256`, or had it before lines were appended, and the number of
    /// complete lines in the content.
    static let archiveOfContent = """
        SELECT archive_id, lines FROM archive WHERE sha256 = :sha256
        UNION ALL
        SELECT archive_id, lines FROM archive_prefix WHERE sha256 = :sha256
        """

    // MARK: Contents

    /// Whether no archive has been loaded yet.
    package func isEmpty() throws(MillError) -> Bool { try warehouse.row("SELECT 1 FROM archive LIMIT 1") == nil }

    /// The progress that earlier runs made with an archive; nil if the archive is new.
    package func progress(of sha256: SHA256Digest) throws(MillError) -> ArchiveProgress? {
        // If the content is that of an archive before it grew, it counts as complete, since the archive's lines include
        // it.
        try warehouse.row(
            """
            SELECT name, lines, complete FROM archive WHERE sha256 = ?1
            UNION ALL
            SELECT name, archive.lines, 1 FROM archive_prefix AS prefix JOIN archive USING (archive_id)
            WHERE prefix.sha256 = ?1
            """, [sha256]
        ).map { ArchiveProgress(name: $0[0], lines: $0[1], isComplete: $0[2]) }
    }

    /// The archive that has a content, or had it before lines were appended, and the number of complete lines in the
    /// content; nil if the content is unknown.
    package func archive(of sha256: SHA256Digest) throws(MillError) -> (id: Int64, lines: Int64)? {
        try warehouse.row(Self.archiveOfContent, ["sha256": sha256]).map { ($0[0], $0[1]) }
    }

    /// Whether every line of a content is loaded. A content to which lines were appended counts as complete when the
    /// whole archive is.
    package func isComplete(_ sha256: SHA256Digest) throws(MillError) -> Bool {
        try warehouse.value(
            "SELECT complete FROM archive WHERE archive_id = (SELECT archive_id FROM (\(Self.archiveOfContent)))",
            ["sha256": sha256]) ?? false
    }

    /// Whether every line of a content was loaded, even if the archive has grown since or was retracted.
    package func isKnown(_ sha256: SHA256Digest) throws(MillError) -> Bool {
        let isLoaded =
            try warehouse.row(
                """
                SELECT 1 FROM archive WHERE sha256 = ?1 AND complete = 1
                UNION ALL
                SELECT 1 FROM archive_prefix WHERE sha256 = ?1
                """, [sha256]) != nil
        if isLoaded { return true }
        return try isRetracted(sha256)
    }

    /// Whether an archive was retracted and has not been loaded again.
    package func isRetracted(_ sha256: SHA256Digest) throws(MillError) -> Bool {
        // A dry run may examine a database whose older schema lacks the table.
        guard try warehouse.access({ try $0.has("retraction") }) else { return false }
        return try warehouse.row(
            """
            SELECT 1 FROM retraction
            WHERE sha256 = :sha256 AND NOT EXISTS (SELECT 1 FROM (\(Self.archiveOfContent)))
            """, ["sha256": sha256]) != nil
    }

    // MARK: Names and folders

    /// The archives with the given name, or with a SHA-256 that begins with the given hexadecimal digits, at least
    /// eight.
    package func named(_ name: String) throws(MillError) -> [SHA256Digest] {
        try warehouse.values(
            """
            SELECT sha256 FROM archive
            WHERE name = ?1 OR length(?1) >= 8 AND substr(hex(sha256), 1, length(?1)) = upper(?1)
            """, [name])
    }

    /// The archives that a run has found at a path.
    package func at(_ path: String) throws(MillError) -> [SHA256Digest] {
        try warehouse.values(
            """
            SELECT sha256 FROM archive_place AS place JOIN archive USING (archive_id)
            WHERE folder = ? AND place.name = ?
            """, [RealPath.of(PathParts.folder(of: path)), PathParts.name(of: path)])
    }

    /// The contents of archives that have one of these names and this size, and were loaded completely before a time in
    /// milliseconds since 1970.
    package func named(
        _ names: [String], bytes: Int64, loadedBefore time: Int64
    ) throws(MillError) -> [SHA256Digest] {
        try names.map { (name) throws(MillError) -> [SHA256Digest] in
            try warehouse.values(
                "SELECT sha256 FROM archive WHERE name = ? AND bytes = ? AND complete = 1 AND completed_at < ?",
                [name, bytes, time])
        }.flatMap(\.self)
    }

    /// The content of a completely loaded archive with this name and size; nil if there is none.
    ///
    /// - Parameter digits: the hexadecimal digits with which the archive's SHA-256 begins; empty if the file's name
    ///   states none.
    package func content(
        named name: String, bytes: Int64, digestBegins digits: String
    ) throws(MillError) -> SHA256Digest? {
        try warehouse.value(
            """
            SELECT sha256 FROM archive
            WHERE name = ?1 AND bytes = ?2 AND complete = 1 AND substr(hex(sha256), 1, length(?3)) = upper(?3)
            """, [name, bytes, digits])
    }

    /// The contents that could be a prefix of a file: those with its name and fewer bytes, the longest last.
    package func shorterContents(
        than identity: ArchiveFingerprint
    ) throws(MillError) -> [(sha256: SHA256Digest, bytes: Int64)] {
        try warehouse.rows(
            "SELECT sha256, bytes FROM archive WHERE name = ? AND bytes > 0 AND bytes < ? ORDER BY bytes",
            [identity.name, identity.bytes]
        ).compactMap { row in SHA256Digest(bytes: row[0] as Data).map { ($0, row[1]) } }
    }

    /// The texts of fully processed archives with a name, the longest last, and the digest of each archive.
    package func texts(named name: String) throws(MillError) -> [(text: ArchiveText, archive: SHA256Digest)] {
        try warehouse.rows(
            "SELECT text_sha256, text_bytes, sha256 FROM archive WHERE name = ? AND text_bytes > 0 ORDER BY text_bytes",
            [name]
        ).compactMap { row in
            guard let text = Self.text(row[0], row[1]), let sha256 = SHA256Digest(bytes: row[2] as Data) else {
                return nil
            }
            return (text, sha256)
        }
    }

    private static func text(_ sha256: Data?, _ bytes: Int64?) -> ArchiveText? {
        guard let sha256 = sha256.flatMap({ SHA256Digest(bytes: $0) }), let bytes else { return nil }
        return ArchiveText(sha256: sha256, bytes: bytes)
    }

    /// For each file, the number of bytes that are already loaded: the size of the longest completely loaded archive
    /// with the file's name that is the file itself or, in the same folder, a shorter content from which it grew.
    package func loadedBytes(
        of files: [(name: String, folder: String, bytes: Int64)]
    ) throws(MillError) -> [Int64] {
        try warehouse.access { db in
            let statement = try db.makeStatement(
                sql: """
                    SELECT max(bytes)
                    FROM archive
                    WHERE name = ?1 AND complete = 1
                        AND (
                            bytes = ?2
                            OR bytes < ?2 AND EXISTS (
                                SELECT 1 FROM archive_place AS place
                                WHERE place.folder = ?3 AND place.name = ?1 AND place.archive_id = archive.archive_id
                            )
                        )
                    """)
            var loaded: [Int64] = []
            // A single transaction takes and releases the locks only once.
            try db.inTransaction(.deferred) {
                for file in files {
                    loaded.append(
                        try Int64.fetchOne(statement, arguments: [file.name, file.bytes, file.folder]) ?? 0)
                }
                return .commit
            }
            return loaded
        }
    }

    /// Records the folder of an archive; part of the loader's transaction.
    package static func record(_ fingerprint: ArchiveFingerprint, in folder: String, at time: Int64, _ db: Database)
        throws
    {
        let onConflict =
            fingerprint.prefix == nil ? "DO NOTHING" : "DO UPDATE SET found_at = excluded.found_at"
        try db.executeCached(
            """
            INSERT INTO archive_place (folder, name, archive_id, found_at)
            SELECT :folder, :name, archive_id, :time FROM (\(archiveOfContent))
            WHERE true
            ON CONFLICT (folder, name, archive_id) \(onConflict)
            """,
            ["folder": folder, "name": fingerprint.name, "time": time, "sha256": fingerprint.sha256])
    }

    /// The archive with lines, among those with the wanted folder and name, that was found last, and when, in
    /// milliseconds since 1970; nil if none was found.
    ///
    /// A time in the future, which a fast clock has recorded, is replaced by the present. Otherwise archives found from
    /// now on would seem older until that time has come.
    package func lastFound(
        where isWanted: (_ folder: String, _ name: String) -> Bool
    ) throws(MillError) -> (name: String, time: Int64)? {
        try warehouse.access { db in
            try db.execute(
                sql: "UPDATE archive_place SET found_at = :now WHERE found_at > :now",
                arguments: ["now": LoadProgress.now])
        }
        return try warehouse.rows(
            """
            SELECT folder, place.name, max(found_at)
            FROM archive_place AS place JOIN archive USING (archive_id)
            WHERE archive.lines > 0
            GROUP BY folder, place.name
            """
        ).filter { isWanted($0[0], $0[1]) }.map { (name: $0[1] as String, time: $0[2] as Int64) }
            .max { ($0.time, $0.name) < ($1.time, $1.name) }
    }

    // MARK: Loading

    /// Begins an archive, or continues one at which an earlier run stopped; part of the loader's transaction.
    static func begin(_ archive: ArchiveID, _ db: Database) throws -> LoadingArchive? {
        try db.executeCached(
            """
            INSERT INTO archive (name, sha256, bytes, first_loaded_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (sha256) DO NOTHING
            """, [archive.name, archive.sha256, archive.bytes, LoadProgress.now])
        return try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT
                        archive_id, lines, loaded_lines, other_stores, headers, sound_lines, text_sha256, text_bytes
                    FROM archive
                    WHERE sha256 = ?
                    """),
            arguments: [archive.sha256]
        ).map {
            LoadingArchive(
                id: $0[0], lines: $0[1], loadedLines: $0[2], otherStoreLines: $0[3], headerLines: $0[4],
                text: text($0[6], $0[7]), soundLines: $0[5])
        }
    }

    /// Saves the progress of an archive; part of the loader's transaction.
    static func save(_ archive: LoadingArchive, _ db: Database) throws {
        try db.executeCached(
            """
            UPDATE archive
            SET lines = ?, loaded_lines = ?, other_stores = ?, headers = ?, sound_lines = ?, text_sha256 = ?, text_bytes = ?
            WHERE archive_id = ?
            """,
            [
                archive.lines, archive.loadedLines, archive.otherStoreLines, archive.headerLines, archive.soundLines,
                archive.text?.sha256, archive.text?.bytes, archive.id,
            ])
    }

    /// Marks an archive as completely loaded; part of the loader's transaction.
    static func complete(_ archive: LoadingArchive, _ db: Database) throws {
        try db.executeCached(
            "UPDATE archive SET complete = 1, completed_at = ? WHERE archive_id = ? AND complete = 0",
            [LoadProgress.now, archive.id])
    }

    /// Removes an archive from which nothing was loaded; part of the loader's transaction.
    static func remove(_ archive: LoadingArchive, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM archive WHERE archive_id = ?", arguments: [archive.id])
    }

    /// Counts a line whose first document was loaded; part of the loader's transaction.
    static func countLoaded(_ line: Int64, _ db: Database) throws {
        try db.executeCached(
            "UPDATE archive SET loaded_lines = loaded_lines + 1 WHERE archive_id = ?", [LineNumber.archive(of: line)])
    }

    // MARK: Growing

    /// The number of an archive's lines that do not change if text is appended. The last line may have lacked its
    /// newline and have grown since, so it is read again if it was rejected; a corrected line, however, is already
    /// loaded.
    package func processedLines(ofPrefix sha256: SHA256Digest) throws(MillError) -> Int64 {
        try warehouse.value("SELECT \(CutLine.wholeLines) FROM archive WHERE sha256 = ?", [sha256]) ?? 0
    }

    /// Changes an archive's row to the content to which the archive has grown; part of the loader's transaction. If the
    /// former last line may have been cut, its rejection is deleted.
    static func extend(_ prefix: SHA256Digest, to archive: ArchiveID, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO archive_prefix (sha256, archive_id, lines)
                SELECT sha256, archive_id, \(CutLine.wholeLines) FROM archive WHERE sha256 = ?
                """,
            arguments: [prefix])
        try db.execute(
            sql: """
                DELETE FROM dead_letter
                WHERE letter_id = (
                    SELECT archive_id << 32 | rejection.line FROM archive JOIN rejection USING (archive_id)
                    WHERE sha256 = ? AND rejection.line = lines AND \(CutLine.mayBeCut))
                """,
            arguments: [prefix])
        let reasons = try String.fetchAll(
            db,
            sql: """
                DELETE FROM rejection
                WHERE (archive_id, line) = (SELECT archive_id, lines FROM archive WHERE sha256 = ?)
                    AND \(CutLine.mayBeCut)
                RETURNING reason
                """,
            arguments: [prefix])
        let cut = reasons.compactMap(RejectionReason.init)
        try db.execute(
            sql: """
                UPDATE archive
                SET sha256 = ?, bytes = ?, lines = lines - ?, other_stores = other_stores - ?, headers = headers - ?,
                    complete = 0, completed_at = NULL
                WHERE sha256 = ?
                """,
            arguments: [
                archive.sha256, archive.bytes, reasons.count, cut.count { $0.storeName != nil },
                cut.count { $0 == .tableHeader }, prefix,
            ])
    }
}
