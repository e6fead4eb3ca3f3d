internal import Foundation
internal import GRDB
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification

extension LoadDatabase {
    /// How far an archive was loaded.
    struct ArchiveState {
        let name: String
        /// Lines settled.
        let lines: Int64
        let isComplete: Bool
    }

    /// The number of the archive that has the content `:sha256`, or had it before it
    /// grew.
    static let archiveOfContent = """
        SELECT archive_id FROM archive WHERE sha256 = :sha256
        UNION ALL
        SELECT archive_id FROM archive_prefix WHERE sha256 = :sha256
        """

    /// What earlier runs made of an archive; nil where it is new.
    func state(of sha256: SHA256Digest) throws(MillError) -> ArchiveState? {
        try access { db in
            // What an archive held before it grew is settled with it.
            try Row.fetchOne(
                db,
                sql: """
                    SELECT name, lines, complete FROM archive WHERE sha256 = ?1
                    UNION ALL
                    SELECT name, lines, 1 FROM archive_prefix AS beginning JOIN archive USING (archive_id)
                    WHERE beginning.sha256 = ?1
                    """,
                arguments: [Data(sha256.bytes)]
            ).map { ArchiveState(name: $0[0], lines: $0[1], isComplete: $0[2]) }
        }
    }

    /// Contents that have this name and could be the beginning of one that is longer,
    /// the longest last.
    func shorterContents(than identity: ArchiveFingerprint) throws(MillError) -> [(sha256: SHA256Digest, bytes: Int64)]
    {
        let rows = try access { db in
            try Row.fetchAll(
                db,
                sql: "SELECT sha256, bytes FROM archive WHERE name = ? AND bytes > 0 AND bytes < ? ORDER BY bytes",
                arguments: [identity.name, identity.bytes])
        }
        return rows.compactMap { row in
            SHA256Digest(bytes: row[0] as Data).map { ($0, row[1]) }
        }
    }

    /// Lines of an archive that stand whatever is appended to it. Its last line
    /// may have lacked its newline and be longer now: where it stands rejected it
    /// is read again. One that was mended has been loaded.
    func processedLines(ofBeginning sha256: SHA256Digest) throws(MillError) -> Int64 {
        try access { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT lines - EXISTS (
                        SELECT 1 FROM rejection
                        WHERE rejection.archive_id = archive.archive_id AND rejection.line = archive.lines
                            AND cleared_by IS NULL)
                    FROM archive WHERE sha256 = ?
                    """,
                arguments: [Data(sha256.bytes)]) ?? 0
        }
    }

    /// Makes an archive's row that of the content to which it has grown; part of
    /// the loader's transaction. A line that was kept while it was half stays known:
    /// a rejects file may hold it.
    static func extend(_ beginning: SHA256Digest, to tag: ArchiveID, _ db: Database) throws {
        let beginning = Data(beginning.bytes)
        try db.execute(
            sql: """
                INSERT INTO archive_prefix (sha256, archive_id)
                SELECT sha256, archive_id FROM archive WHERE sha256 = ?
                """,
            arguments: [beginning])
        try db.execute(
            sql: """
                UPDATE rejected_line SET archive_id = NULL, line = NULL, mended_sha256 = sha256, octets = NULL
                WHERE (archive_id, line) = (
                    SELECT archive_id, line FROM rejection JOIN archive USING (archive_id)
                    WHERE sha256 = ? AND line = lines AND cleared_by IS NULL)
                """,
            arguments: [beginning])
        try db.execute(
            sql: """
                DELETE FROM rejection
                WHERE (archive_id, line) = (SELECT archive_id, lines FROM archive WHERE sha256 = ?)
                    AND cleared_by IS NULL
                """,
            arguments: [beginning])
        try db.execute(
            sql: """
                UPDATE archive SET sha256 = ?, bytes = ?, lines = lines - ?, complete = 0, completed_at = NULL
                WHERE sha256 = ?
                """,
            arguments: [Data(tag.sha256.bytes), tag.bytes, db.changesCount, beginning])
    }

    /// Notes where an archive lies; part of the loader's transaction.
    static func place(_ identity: ArchiveFingerprint, in folder: String, at time: Int64, _ db: Database) throws {
        let onConflict =
            identity.beginning == nil ? "DO NOTHING" : "DO UPDATE SET found_at = excluded.found_at"
        try db.execute(
            sql: """
                INSERT INTO archive_place (folder, name, archive_id, found_at)
                SELECT :folder, :name, archive_id, :time FROM (\(archiveOfContent))
                WHERE true
                ON CONFLICT (folder, name, archive_id) \(onConflict)
                """,
            arguments: [
                "folder": folder, "name": identity.name, "time": time, "sha256": Data(identity.sha256.bytes),
            ])
    }

    /// When archives with lines were met last in places that are an entry's, in
    /// milliseconds since 1970; nil where none was.
    func lastFound(where isWanted: (_ folder: String, _ name: String) -> Bool) throws(MillError) -> Int64? {
        try access { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT folder, place.name, max(found_at)
                    FROM archive_place AS place JOIN archive USING (archive_id)
                    WHERE archive.lines > 0
                    GROUP BY folder, place.name
                    """
            ).filter { isWanted($0[0], $0[1]) }.map { $0[2] as Int64 }.max()
        }
    }

    /// Whether no receipt has been loaded yet.
    func isEmpty() throws(MillError) -> Bool {
        try access { db in try Row.fetchOne(db, sql: "SELECT 1 FROM receipt LIMIT 1") == nil }
    }

    /// Whether it holds anything of an archive.
    func holdsArchives() throws(MillError) -> Bool {
        try access { db in try Row.fetchOne(db, sql: "SELECT 1 FROM archive LIMIT 1") != nil }
    }

    /// Stores what the user says of apps; what was said before and not now stays.
    func save(_ apps: [AppSetting]) throws(MillError) {
        guard !apps.isEmpty else { return }
        try access { db in
            for app in apps {
                try db.execute(
                    sql: """
                        INSERT INTO app_setting (bundle_id, platform, first_free_version, first_free_version_key)
                        VALUES (?, ?, ?, ?)
                        ON CONFLICT (bundle_id) DO UPDATE SET
                            platform = coalesce(excluded.platform, platform),
                            first_free_version = coalesce(excluded.first_free_version, first_free_version),
                            first_free_version_key = coalesce(excluded.first_free_version_key, first_free_version_key)
                        """,
                    arguments: [
                        app.bundleID, app.platform?.rawValue, app.firstFreeVersion,
                        app.firstFreeVersion.map(VersionKey.key),
                    ])
            }
        }
    }
}
