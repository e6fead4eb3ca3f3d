internal import Foundation
package import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptArchive
package import ReceiptTrust

/// How far an archive was loaded.
package struct ArchiveProgress {
    package let name: String
    /// Lines processed.
    package let lines: Int64
    package let isComplete: Bool
}

/// Archives: how far each is loaded, what it held before it grew, where it lay, and that it was retracted.
package struct ArchiveStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// The archive that has the content `:sha256`, or had it before lines were appended, and the
    /// last of its lines that the content holds whole.
    static let archiveOfContent = """
        SELECT archive_id, lines FROM archive WHERE sha256 = :sha256
        UNION ALL
        SELECT archive_id, lines FROM archive_prefix WHERE sha256 = :sha256
        """

    // MARK: What is loaded

    /// Whether the database holds anything of an archive.
    package func isEmpty() throws(MillError) -> Bool { try warehouse.row("SELECT 1 FROM archive LIMIT 1") == nil }

    /// What earlier runs made of an archive; nil where it is new.
    package func progress(of sha256: SHA256Digest) throws(MillError) -> ArchiveProgress? {
        // A prefix of an archive was loaded with it.
        try warehouse.row(
            """
            SELECT name, lines, complete FROM archive WHERE sha256 = ?1
            UNION ALL
            SELECT name, archive.lines, 1 FROM archive_prefix AS prefix JOIN archive USING (archive_id)
            WHERE prefix.sha256 = ?1
            """, [sha256]
        ).map { ArchiveProgress(name: $0[0], lines: $0[1], isComplete: $0[2]) }
    }

    /// The archive that has a content, or had it before something was appended, and the last of
    /// its lines that the content holds whole; nil where none is known.
    package func archive(of sha256: SHA256Digest) throws(MillError) -> (id: Int64, lines: Int64)? {
        try warehouse.row(Self.archiveOfContent, ["sha256": sha256]).map { ($0[0], $0[1]) }
    }

    /// Whether every line of a content is loaded: of what an archive held before it
    /// grew, when all of the archive is.
    package func isComplete(_ sha256: SHA256Digest) throws(MillError) -> Bool {
        try warehouse.value(
            "SELECT complete FROM archive WHERE archive_id = (SELECT archive_id FROM (\(Self.archiveOfContent)))",
            ["sha256": sha256]) ?? false
    }

    /// Whether every line of a content is loaded, also where more was appended since, or was retracted.
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

    /// Whether an archive was taken out again, and is not loaded.
    package func isRetracted(_ sha256: SHA256Digest) throws(MillError) -> Bool {
        // A database of an older schema may be looked at by a dry run.
        guard try warehouse.access({ try $0.has("retraction") }) else { return false }
        return try warehouse.row(
            """
            SELECT 1 FROM retraction
            WHERE sha256 = :sha256 AND NOT EXISTS (SELECT 1 FROM (\(Self.archiveOfContent)))
            """, ["sha256": sha256]) != nil
    }

    // MARK: Names and places

    /// Archives that have a name, or whose SHA-256 begins with some hexadecimal digits.
    package func named(_ name: String) throws(MillError) -> [SHA256Digest] {
        try warehouse.values(
            """
            SELECT sha256 FROM archive
            WHERE name = ?1 OR length(?1) >= 8 AND substr(hex(sha256), 1, length(?1)) = upper(?1)
            """, [name])
    }

    /// Archives that lay at a path when they were loaded, or met again.
    package func at(_ path: String) throws(MillError) -> [SHA256Digest] {
        try warehouse.values(
            """
            SELECT sha256 FROM archive_place AS place JOIN archive USING (archive_id)
            WHERE folder = ? AND place.name = ?
            """, [RealPath.of(PathParts.folder(of: path)), PathParts.name(of: path)])
    }

    /// Contents of archives that have one of these names and so many bytes, and were loaded whole
    /// before a time in milliseconds since 1970.
    package func named(
        _ names: [String], bytes: Int64, loadedBefore time: Int64
    ) throws(MillError) -> [SHA256Digest] {
        try names.map { (name) throws(MillError) -> [SHA256Digest] in
            try warehouse.values(
                "SELECT sha256 FROM archive WHERE name = ? AND bytes = ? AND complete = 1 AND completed_at < ?",
                [name, bytes, time])
        }.flatMap(\.self)
    }

    /// Whether every line of an archive of this name and length is loaded.
    ///
    /// - Parameter digits: hexadecimal, with which the archive's SHA-256 begins; empty where its name has none.
    package func holdsArchive(named name: String, bytes: Int64, digestBegins digits: String) throws(MillError) -> Bool {
        try warehouse.row(
            """
            SELECT 1 FROM archive
            WHERE name = ?1 AND bytes = ?2 AND complete = 1 AND substr(hex(sha256), 1, length(?3)) = upper(?3)
            """, [name, bytes, digits]) != nil
    }

    /// Contents that have this name and could be the prefix of one that is longer,
    /// the longest last.
    package func shorterContents(
        than identity: ArchiveFingerprint
    ) throws(MillError) -> [(sha256: SHA256Digest, bytes: Int64)] {
        try warehouse.rows(
            "SELECT sha256, bytes FROM archive WHERE name = ? AND bytes > 0 AND bytes < ? ORDER BY bytes",
            [identity.name, identity.bytes]
        ).compactMap { row in SHA256Digest(bytes: row[0] as Data).map { ($0, row[1]) } }
    }

    /// Of each of some files, the bytes of the longest archive that has its name and was loaded whole, of
    /// those that are no longer than it: that one, or what it was before it grew.
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
            // One transaction, which takes and gives back the locks once.
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

    /// Records where an archive lies; part of the loader's transaction.
    package static func record(_ fingerprint: ArchiveFingerprint, in folder: String, at time: Int64, _ db: Database)
        throws
    {
        let onConflict =
            fingerprint.prefix == nil ? "DO NOTHING" : "DO UPDATE SET found_at = excluded.found_at"
        try db.executeAgain(
            """
            INSERT INTO archive_place (folder, name, archive_id, found_at)
            SELECT :folder, :name, archive_id, :time FROM (\(archiveOfContent))
            WHERE true
            ON CONFLICT (folder, name, archive_id) \(onConflict)
            """,
            ["folder": folder, "name": fingerprint.name, "time": time, "sha256": fingerprint.sha256])
    }

    /// The archive with lines that was found last in folders and under names that are wanted, and when, in
    /// milliseconds since 1970; nil where none was.
    ///
    /// Those that a clock found which was ahead count as found now, and are set so: else their time
    /// would keep every later one from being the last, for as long as the clock was ahead.
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

    /// Begins an archive, or goes on with it where an earlier run stopped; part of the loader's transaction.
    static func begin(_ archive: ArchiveID, _ db: Database) throws -> LoadingArchive? {
        try db.executeAgain(
            """
            INSERT INTO archive (name, sha256, bytes, first_loaded_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (sha256) DO NOTHING
            """, [archive.name, archive.sha256, archive.bytes, LoadProgress.now])
        return try Row.fetchOne(
            db.cachedStatement(sql: "SELECT archive_id, lines, loaded_lines FROM archive WHERE sha256 = ?"),
            arguments: [archive.sha256]
        ).map { LoadingArchive(id: $0[0], lines: $0[1], loadedLines: $0[2]) }
    }

    /// Saves how far an archive is loaded; part of the loader's transaction.
    static func save(_ archive: LoadingArchive, _ db: Database) throws {
        try db.executeAgain(
            "UPDATE archive SET lines = ?, loaded_lines = ? WHERE archive_id = ?",
            [archive.lines, archive.loadedLines, archive.id])
    }

    /// Marks an archive whose every line is loaded; part of the loader's transaction.
    static func complete(_ archive: LoadingArchive, _ db: Database) throws {
        try db.executeAgain(
            "UPDATE archive SET complete = 1, completed_at = ? WHERE archive_id = ? AND complete = 0",
            [LoadProgress.now, archive.id])
    }

    /// Removes an archive of which nothing was loaded; part of the loader's transaction.
    static func remove(_ archive: LoadingArchive, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM archive WHERE archive_id = ?", arguments: [archive.id])
    }

    /// Counts a line of which a document was loaded for the first time; part of the loader's
    /// transaction.
    static func countLoaded(_ line: Int64, _ db: Database) throws {
        try db.executeAgain(
            "UPDATE archive SET loaded_lines = loaded_lines + 1 WHERE archive_id = ?", [LineNumber.archive(of: line)])
    }

    // MARK: Growing

    /// Lines of an archive that stand whatever is appended to it. Its last line
    /// may have lacked its newline and be longer now: where it was rejected it
    /// is read again. One that was corrected has been loaded.
    package func processedLines(ofPrefix sha256: SHA256Digest) throws(MillError) -> Int64 {
        try warehouse.value("SELECT \(Self.wholeLines) FROM archive WHERE sha256 = ?", [sha256]) ?? 0
    }

    /// The lines of an archive but for the last where that is half.
    private static let wholeLines = """
        lines - EXISTS (
            SELECT 1 FROM rejection
            WHERE rejection.archive_id = archive.archive_id AND rejection.line = archive.lines AND \(mayBeHalf))
        """

    /// Whether a rejection may be that of a line that was cut: nothing of the line was read,
    /// and no other document was found in it. Documents are numbered without gaps, so that the
    /// second tells of all others.
    private static let mayBeHalf = """
        document = 1 AND status <> 'cleared'
        AND NOT EXISTS (
            SELECT 1 FROM rejection AS other
            WHERE (other.archive_id, other.line) = (rejection.archive_id, rejection.line) AND other.document > 1)
        AND NOT EXISTS (
            SELECT 1 FROM submission
            WHERE submission_id IN (
                rejection.archive_id << 32 | rejection.line, 1 << 52 | rejection.archive_id << 32 | rejection.line))
        """

    /// Makes an archive's row that of the content to which it has grown; part of
    /// the loader's transaction. The last line is no rejection any more where it was half.
    static func extend(_ prefix: SHA256Digest, to archive: ArchiveID, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO archive_prefix (sha256, archive_id, lines)
                SELECT sha256, archive_id, \(wholeLines) FROM archive WHERE sha256 = ?
                """,
            arguments: [prefix])
        try db.execute(
            sql: """
                DELETE FROM dead_letter
                WHERE letter_id = (
                    SELECT archive_id << 32 | rejection.line FROM archive JOIN rejection USING (archive_id)
                    WHERE sha256 = ? AND rejection.line = lines AND \(mayBeHalf))
                """,
            arguments: [prefix])
        try db.execute(
            sql: """
                DELETE FROM rejection
                WHERE (archive_id, line) = (SELECT archive_id, lines FROM archive WHERE sha256 = ?)
                    AND \(mayBeHalf)
                """,
            arguments: [prefix])
        try db.execute(
            sql: """
                UPDATE archive SET sha256 = ?, bytes = ?, lines = lines - ?, complete = 0, completed_at = NULL
                WHERE sha256 = ?
                """,
            arguments: [archive.sha256, archive.bytes, db.changesCount, prefix])
    }
}
