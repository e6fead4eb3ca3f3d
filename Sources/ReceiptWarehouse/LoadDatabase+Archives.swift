internal import Foundation
package import GRDB
package import MillSystem
package import ReceiptArchive
package import ReceiptTrust
internal import ReceiptVerification

extension LoadDatabase {
    /// How far an archive was loaded.
    package struct ArchiveState {
        package let name: String
        /// Lines processed.
        package let lines: Int64
        package let isComplete: Bool
    }

    /// The archive that has the content `:sha256`, or had it before lines were appended, and the
    /// last of its lines that the content holds whole.
    static let archiveOfContent = """
        SELECT archive_id, lines FROM archive WHERE sha256 = :sha256
        UNION ALL
        SELECT archive_id, lines FROM archive_prefix WHERE sha256 = :sha256
        """

    /// What earlier runs made of an archive; nil where it is new.
    package func state(of sha256: SHA256Digest) throws(MillError) -> ArchiveState? {
        try access { db in
            // A prefix of an archive was loaded with it.
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT name, lines, complete FROM archive WHERE sha256 = ?1
                        UNION ALL
                        SELECT name, archive.lines, 1 FROM archive_prefix AS prefix JOIN archive USING (archive_id)
                        WHERE prefix.sha256 = ?1
                        """),
                arguments: [Data(sha256.bytes)]
            ).map { ArchiveState(name: $0[0], lines: $0[1], isComplete: $0[2]) }
        }
    }

    /// Contents that have this name and could be the prefix of one that is longer,
    /// the longest last.
    package func shorterContents(
        than identity: ArchiveFingerprint
    ) throws(MillError) -> [(sha256: SHA256Digest, bytes: Int64)] {
        try access { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT sha256, bytes FROM archive WHERE name = ? AND bytes > 0 AND bytes < ? ORDER BY bytes"),
                arguments: [identity.name, identity.bytes]
            ).compactMap { row in SHA256Digest(bytes: row[0] as Data).map { ($0, row[1]) } }
        }
    }

    /// Lines of an archive that stand whatever is appended to it. Its last line
    /// may have lacked its newline and be longer now: where it was rejected it
    /// is read again. One that was corrected has been loaded.
    package func processedLines(ofPrefix sha256: SHA256Digest) throws(MillError) -> Int64 {
        try access { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT lines - EXISTS (
                        SELECT 1 FROM rejection
                        WHERE rejection.archive_id = archive.archive_id AND rejection.line = archive.lines
                            AND \(Self.mayBeHalf))
                    FROM archive WHERE sha256 = ?
                    """,
                arguments: [Data(sha256.bytes)]) ?? 0
        }
    }

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
        let prefix = Data(prefix.bytes)
        try db.execute(
            sql: """
                INSERT INTO archive_prefix (sha256, archive_id, lines)
                SELECT sha256, archive_id, lines - EXISTS (
                    SELECT 1 FROM rejection
                    WHERE rejection.archive_id = archive.archive_id AND line = lines AND \(mayBeHalf))
                FROM archive WHERE sha256 = ?
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
            arguments: [Data(archive.sha256.bytes), archive.bytes, db.changesCount, prefix])
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
            ["folder": folder, "name": fingerprint.name, "time": time, "sha256": Data(fingerprint.sha256.bytes)])
    }

    /// The archive with lines that was found last in folders and under names that are wanted, and when, in
    /// milliseconds since 1970; nil where none was.
    ///
    /// Those that a clock found which was ahead count as found now, and are set so: else their time
    /// would keep every later one from being the last, for as long as the clock was ahead.
    package func lastFound(
        where isWanted: (_ folder: String, _ name: String) -> Bool
    ) throws(MillError) -> (name: String, time: Int64)? {
        try access { db in
            try db.execute(
                sql: "UPDATE archive_place SET found_at = :now WHERE found_at > :now",
                arguments: ["now": LoadProgress.now])
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT folder, place.name, max(found_at)
                    FROM archive_place AS place JOIN archive USING (archive_id)
                    WHERE archive.lines > 0
                    GROUP BY folder, place.name
                    """
            ).filter { isWanted($0[0], $0[1]) }.map { (name: $0[1] as String, time: $0[2] as Int64) }
                .max { ($0.time, $0.name) < ($1.time, $1.name) }
        }
    }

    /// Contents of archives that have one of these names and so many bytes, and were loaded whole
    /// before a time in milliseconds since 1970.
    package func archives(
        named names: [String], bytes: Int64, loadedBefore time: Int64
    ) throws(MillError) -> [SHA256Digest] {
        try access { db in
            try names.flatMap { name in
                try Data.fetchAll(
                    db,
                    sql:
                        "SELECT sha256 FROM archive WHERE name = ? AND bytes = ? AND complete = 1 AND completed_at < ?",
                    arguments: [name, bytes, time])
            }.compactMap(SHA256Digest.init(bytes:))
        }
    }

    /// Of each of some files, the bytes of the longest archive that has its name and was loaded whole, of
    /// those that are no longer than it: that one, or what it was before it grew.
    package func loadedBytes(
        of files: [(name: String, folder: String, bytes: Int64)]
    ) throws(MillError) -> [Int64] {
        try access { db in
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

    /// Whether no receipt has been loaded yet.
    package func isEmpty() throws(MillError) -> Bool {
        try access { db in try Row.fetchOne(db, sql: "SELECT 1 FROM receipt LIMIT 1") == nil }
    }

    /// Whether it holds anything of an archive.
    package func holdsArchives() throws(MillError) -> Bool {
        try access { db in try Row.fetchOne(db, sql: "SELECT 1 FROM archive LIMIT 1") != nil }
    }

    /// Whether every line of a content is loaded: of what an archive held before it
    /// grew, when all of the archive is.
    package func isComplete(_ sha256: SHA256Digest) throws(MillError) -> Bool {
        try access { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT complete FROM archive
                        WHERE archive_id = (SELECT archive_id FROM (\(Self.archiveOfContent)))
                        """),
                arguments: ["sha256": Data(sha256.bytes)]) ?? false
        }
    }
}
