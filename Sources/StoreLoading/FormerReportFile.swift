internal import GRDB
internal import MillDigest
internal import MillSystem
internal import ReceiptWarehouse

/// A report file that was loaded earlier under the name of the file being loaded.
struct FormerReportFile {
    let id: Int64
    let name, folder: String
    let sha256: SHA256Digest
    let bytes: Int

    /// The files that were loaded under a name, with or without the ending `.gz`.
    static func named(_ name: String, _ database: Warehouse) throws(MillError) -> [FormerReportFile] {
        let plain = name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
        return try database.rows(
            """
            SELECT file_id, name, folder, sha256, bytes FROM store_file WHERE name IN (?1, ?1 || '.gz', ?2) ORDER BY file_id
            """, [plain, name]
        ).map { FormerReportFile(id: $0[0], name: $0[1], folder: $0[2], sha256: $0[3], bytes: $0[4]) }
    }

    /// Whether the file is there under its name, beside the one that has come: `S_D.txt` beside `S_D.txt.gz`. A run that
    /// removed its rows would load it again each night.
    func isBeside(_ content: ReportContent) -> Bool {
        (name, folder) != (content.name, content.folder) && !folder.isEmpty
            && FileStamp(path: "\(folder)/\(name)") != nil
    }

    /// Whether the file was overwritten by another one of the same account, folder and name, which states each of its
    /// periods: then no row of it counts any more, and its text is gone.
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

/// What the first complete read of a report file has found.
struct ReportContent {
    let name: String
    /// The file's folder with links resolved; empty for standard input.
    let folder: String
    let sha256: SHA256Digest
    /// The length of the uncompressed text.
    let bytes: Int
    /// Files that were loaded earlier under the same name.
    let former: [FormerReportFile]
    /// Digests of the text's beginnings, by length: one for each former file that is shorter.
    let beginnings: [Int: SHA256Digest]
}
