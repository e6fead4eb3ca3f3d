internal import GRDB
internal import MillDigest
internal import MillSystem
internal import ReceiptWarehouse

/// An earlier report file that was loaded under the name of the file being loaded.
struct FormerReportFile {
    let id: Int64
    let name, folder: String
    let sha256: SHA256Digest
    let bytes: Int

    /// The files that were loaded under a name, regardless of the ending `.gz`.
    static func named(_ name: String, _ database: Warehouse) throws(MillError) -> [FormerReportFile] {
        let plain = name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
        return try database.rows(
            """
            SELECT file_id, name, folder, sha256, bytes FROM store_file WHERE name IN (?1, ?1 || '.gz', ?2) ORDER BY file_id
            """, [plain, name]
        ).map { FormerReportFile(id: $0[0], name: $0[1], folder: $0[2], sha256: $0[3], bytes: $0[4]) }
    }

    /// Whether the earlier file still exists beside the new one, as `S_D.txt` beside `S_D.txt.gz`. If its rows were
    /// removed, it would be loaded again each night.
    func isBeside(_ content: ReportContent) -> Bool {
        (name, folder) != (content.name, content.folder) && !folder.isEmpty
            && FileStamp(path: "\(folder)/\(name)") != nil
    }

    /// Whether another file of the same account, folder and name replaced the file and states all of its periods. Then
    /// none of its rows counts any more, and its text no longer exists.
    func isOverwritten(by file: Int64, _ content: ReportContent, _ db: Database) throws -> Bool {
        guard (name, folder) == (content.name, content.folder) else { return false }
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT count(*) > 0 AND count(*) = count(later.file_id)
                FROM store_file AS old
                JOIN store_file AS new ON new.file_id = ?2
                JOIN store_period AS period ON period.file_id = old.file_id
                LEFT JOIN store_period AS later
                    ON later.file_id = new.file_id AND later.part = period.part
                    AND later.begins_day = period.begins_day AND later.ends_day = period.ends_day
                WHERE old.file_id = ?1 AND old.report = new.report AND old.vendor = new.vendor AND old.vendor <> ''
                """, arguments: [id, file]) ?? false
    }
}

/// The results of the first complete read of a report file.
struct ReportContent {
    let name: String
    /// The file's folder, with links resolved; empty for standard input.
    let folder: String
    let sha256: SHA256Digest
    /// The length of the uncompressed text.
    let bytes: Int
    /// Files that were loaded earlier under the same name.
    let former: [FormerReportFile]
    /// Digests of beginnings of the text, by length: one for each earlier file that is shorter.
    let beginnings: [Int: SHA256Digest]
}
