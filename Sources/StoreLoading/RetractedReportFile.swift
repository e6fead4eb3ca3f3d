package import GRDB
internal import MillDatabase
internal import ReceiptWarehouse

/// A report file that is removed from a database.
package struct RetractedReportFile: Sendable, Hashable {
    package let id: Int64
    package let name, sha256: String
    /// The number of rows that were loaded, and of those that could not be read.
    package let rows, rejected: Int

    /// The files with the given name, or with a SHA-256 that begins with the given hexadecimal digits, at least eight.
    package static func named(_ name: String, _ db: Database) throws -> [RetractedReportFile] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT file_id, name, lower(hex(sha256)), rows, rejected FROM store_file
                WHERE name = ?1 OR length(?1) >= 8 AND substr(hex(sha256), 1, length(?1)) = upper(?1)
                ORDER BY file_id
                """, arguments: [name]
        ).map { RetractedReportFile(id: $0[0], name: $0[1], sha256: $0[2], rows: $0[3], rejected: $0[4]) }
    }

    /// Removes the file and its rows, and keeps a record of the retraction. For use within a transaction.
    package func remove(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO retraction (retracted_at, name, sha256, lines, loaded_lines, pruned_lines)
                SELECT ?, name, sha256, rows + rejected, rows, 0 FROM store_file WHERE file_id = ?
                """, arguments: [LoadProgress.now, id])
        try LoaderTable.deleteRows(of: .reportFile, in: "(SELECT \(id) AS file_id)", db)
    }
}
