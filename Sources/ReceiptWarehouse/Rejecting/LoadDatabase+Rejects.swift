internal import Foundation
internal import GRDB
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

extension LoadDatabase {
    /// What is known of a rejects file; nil where none of this name was written.
    func writtenRejects(ofFile name: String) throws(MillError) -> WrittenRejects? {
        try access { db in
            let file = try Row.fetchOne(
                db, sql: "SELECT edition, path, is_written FROM rejects_file WHERE name = ?", arguments: [name])
            guard let file else { return nil }
            var written = WrittenRejects(edition: file[0], path: file[2] ? file[1] : nil)
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT number, sha256, mended_sha256, first_edition, end_edition
                    FROM rejected_line ORDER BY number
                    """)
            while let row = try rows.next() {
                guard let sha256 = SHA256Digest(bytes: row[1] as Data) else { continue }
                let mended = (row[2] as Data?).flatMap { SHA256Digest(bytes: $0) }
                let editions = (row[3] as Int64?).map { $0..<(row[4] ?? .max) } ?? 0..<0
                written.rejected.append(
                    RejectedLine(number: row[0], sha256: sha256, mended: mended, editions: editions))
            }
            return written
        }
    }

    /// Notes what a rejects file is about to hold: whatever stands. Until it is written,
    /// nothing tells whether this or what was written before lies there.
    static func beginEdition(of name: String, at path: String, _ db: Database) throws {
        try db.inTransaction {
            let edition = try Int64.fetchOne(db, sql: "SELECT ifnull(max(edition), 0) + 1 FROM rejects_file")
            try db.execute(
                sql: """
                    INSERT INTO rejects_file (name, path, edition, is_written) VALUES (?, ?, ?, 0)
                    ON CONFLICT DO UPDATE SET path = excluded.path, edition = excluded.edition, is_written = 0
                    """,
                arguments: [name, path, edition])
            try db.execute(
                sql: """
                    UPDATE rejected_line SET first_edition = :edition
                    WHERE first_edition IS NULL AND mended_sha256 IS NULL;
                    UPDATE rejected_line SET end_edition = :edition
                    WHERE first_edition IS NOT NULL AND end_edition IS NULL AND mended_sha256 IS NOT NULL
                    """,
                arguments: ["edition": edition])
            return .commit
        }
    }

    static func endEdition(of name: String, _ db: Database) throws {
        try db.execute(sql: "UPDATE rejects_file SET is_written = 1 WHERE name = ?", arguments: [name])
    }

    /// Names of rejects files that were written.
    func rejectsFiles() throws(MillError) -> Set<String> {
        try access { db in Set(try String.fetchAll(db, sql: "SELECT name FROM rejects_file")) }
    }

    /// Keeps a rejected line; part of the loader's transaction.
    static func keep(_ octets: [UInt8], archive: Int64, line: Int64, _ db: Database) throws {
        let digest = try LineOrigins.digest(of: octets.indices, in: octets.span, by: MessageDigest())
        try db.execute(
            sql: """
                INSERT INTO rejected_line (archive_id, line, sha256, octets) VALUES (?, ?, ?, ?)
                ON CONFLICT (archive_id, line) DO NOTHING
                """,
            arguments: [archive, line, Data(digest.bytes), Data(octets)])
    }

    /// Clears a rejection for a line that is loaded in its place; part of the
    /// loader's transaction.
    ///
    /// - Returns: whether it was open. One that another line has cleared since the
    ///   file was read is cleared once.
    static func clear(_ number: Int64, by submission: Int64, as line: SHA256Digest, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE rejection SET cleared_by = ?
                WHERE (archive_id, line) = (SELECT archive_id, line FROM rejected_line WHERE number = ?)
                    AND cleared_by IS NULL
                """,
            arguments: [submission, number])
        guard db.changesCount > 0 else { return false }
        try db.execute(
            sql: "UPDATE rejected_line SET mended_sha256 = ?, octets = NULL WHERE number = ?",
            arguments: [Data(line.bytes), number])
        return true
    }

    /// Whether a line says what another one did that was loaded in the place of a
    /// rejected one: the same receipt, device, account and time, from another
    /// archive. Part of the loader's transaction.
    static func wasLoadedForRejection(
        receipt: Int64, device: String?, account: String?, at time: Int64?, besides archive: Int64, _ db: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM submission JOIN rejection ON cleared_by = submission_id
                    WHERE receipt_id = ? AND device_id IS ? AND account_id IS ? AND submitted_at IS ?
                        AND submission.archive_id <> ?)
                """,
            arguments: [receipt, device, account, time, archive]) ?? false
    }

    /// Notes that a line of a mended rejects file is not loaded; part of the loader's
    /// transaction.
    ///
    /// - Parameter unmended: the number of the rejected line in whose place it stands
    ///   changed, where it can't be read either.
    static func repeatLine(_ line: Int64, archive: Int64, unmended: Int64? = nil, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO repeated_line (archive_id, line, unmended) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET unmended = excluded.unmended
                """,
            arguments: [archive, line, unmended])
    }

    /// Changed lines of a mended rejects file that could not be read, while what
    /// they were to mend is open: nothing but the file holds them.
    func unmendedLines(of sha256: SHA256Digest) throws(MillError) -> Int {
        try access { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM repeated_line
                    WHERE archive_id = (\(Self.archiveOfContent)) AND EXISTS (
                        SELECT 1 FROM rejected_line WHERE number = unmended AND mended_sha256 IS NULL)
                    """,
                arguments: ["sha256": Data(sha256.bytes)]) ?? 0
        }
    }

    /// Takes back that a line repeats a rejection: it is loaded now.
    static func unrepeatLine(_ line: Int64, archive: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM repeated_line WHERE archive_id = ? AND line = ?", arguments: [archive, line])
    }
}

extension LineOrigins {
    /// Reads a mended rejects file once, to its end.
    init(of file: InputFile, limits: Limits, among written: WrittenRejects) throws(MillError) {
        // Far more lines than were rejected are not what we wrote, and need not
        // be held in memory to say so.
        let greatest = 2 * written.rejected.count + 1_000
        let digest = try MillError.wrapping { () throws(OpenSSLError) in try MessageDigest() }
        var reader = try ArchiveReader(file: file, limits: limits)
        var lines: [SHA256Digest?] = []
        while let content = try reader.next(), lines.count <= greatest {
            guard case .lines(let text) = content else {
                lines.append(nil)
                continue
            }
            var start = 0
            while start < text.count {
                let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count)
                let line = start..<(newline ?? text.count)
                lines.append(
                    try MillError.wrapping { () throws(OpenSSLError) in
                        try Self.digest(of: line, in: text.span, by: digest)
                    })
                start = line.upperBound + 1
            }
        }
        self.init(
            of: lines, among: lines.count > greatest ? WrittenRejects() : written,
            isInPlace: RealPath.of(file.path) == written.path)
    }
}
