package import GRDB
internal import MillDigest
internal import MillSystem
internal import ReceiptWarehouse

/// Rows of SUBSCRIBER reports whose person was erased. A row is remembered by the digest of its fields, so that another
/// file that holds the row does not bring the person back. For use within a transaction.
package struct ErasedReportRows {
    private let db: Database
    private let digest: MessageDigest

    package init(_ db: Database) throws {
        self.db = db
        digest = try MessageDigest()
    }

    /// Removes and remembers all rows of a subscriber, and what rejections of other rows quote of them.
    ///
    /// - Returns: how many rows and rejections each file had, in the order of the files.
    package func remove(subscriber: String) throws -> [(name: String, sha256: String, rows: Int)] {
        let rows = try String.fetchCursor(
            db, sql: "SELECT fields FROM store_row WHERE subscriber_id = ?", arguments: [subscriber])
        let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO erased_store_row (sha256) VALUES (?)")
        while let fields = try rows.next() { try insert.execute(arguments: [sha256(fields)]) }
        let files = try Row.fetchAll(
            db,
            sql: """
                SELECT name, lower(hex(sha256)), count(*)
                FROM (
                    SELECT file_id FROM store_row WHERE subscriber_id = ?1
                    UNION ALL
                    SELECT file_id FROM store_rejection WHERE \(Self.quotes)
                )
                JOIN store_file USING (file_id)
                GROUP BY file_id ORDER BY file_id
                """, arguments: [subscriber])
        try db.execute(
            sql: """
                UPDATE store_file SET rows = rows - (
                    SELECT count(*) FROM store_row
                    WHERE store_row.file_id = store_file.file_id AND subscriber_id = ?1)
                """, arguments: [subscriber])
        try db.execute(sql: "DELETE FROM store_row WHERE subscriber_id = ?", arguments: [subscriber])
        try db.execute(sql: "UPDATE store_rejection SET detail = '' WHERE \(Self.quotes)", arguments: [subscriber])
        return files.map { ($0[0], $0[1], $0[2]) }
    }

    /// The condition that a rejection quotes the subscriber `?1`, where a row's cells stand under wrong columns.
    private static let quotes = """
        file_id IN (SELECT file_id FROM store_file WHERE report = 'subscriber') AND instr(detail, ?1) > 0
        """

    /// Whether a row with these fields was erased.
    func contain(fields: String) throws -> Bool {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM erased_store_row WHERE sha256 = ?"), arguments: [sha256(fields)])
            != nil
    }

    private func sha256(_ fields: String) throws -> SHA256Digest {
        let bytes = Array(fields.utf8)
        return try digest.sha256(bytes.span, in: bytes.indices)
    }
}
