package import GRDB
internal import MillDigest
internal import MillSystem
internal import ReceiptWarehouse

/// Rows of SUBSCRIBER reports of persons who were erased. An erased row is recorded by a digest of its texts, so that
/// it is not loaded again from another file, whatever the order and the names of the columns. For use within a
/// transaction.
package struct ErasedReportRows {
    private let db: Database
    private let digest: MessageDigest

    package init(_ db: Database) throws {
        self.db = db
        digest = try MessageDigest()
    }

    /// Removes all rows of a subscriber, and records their digests. Rejections don't name the subscriber, because the
    /// reader quotes no cell of a subscriber's row.
    ///
    /// - Returns: the number of removed rows for each file, in the order of the files.
    package func remove(subscriber: String) throws -> [(name: String, sha256: String, rows: Int)] {
        let rows = try String.fetchCursor(
            db, sql: "SELECT fields FROM store_row WHERE subscriber_id = ?", arguments: [subscriber])
        let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO erased_store_row (sha256) VALUES (?)")
        while let fields = try rows.next() { try insert.execute(arguments: [sha256(fields)]) }
        let files = try Row.fetchAll(
            db,
            sql: """
                SELECT name, lower(hex(sha256)), count(*)
                FROM store_row JOIN store_file USING (file_id)
                WHERE subscriber_id = ?
                GROUP BY file_id ORDER BY file_id
                """, arguments: [subscriber])
        try db.execute(
            sql: """
                UPDATE store_file SET rows = rows - (
                    SELECT count(*) FROM store_row
                    WHERE store_row.file_id = store_file.file_id AND subscriber_id = ?1)
                """, arguments: [subscriber])
        try db.execute(sql: "DELETE FROM store_row WHERE subscriber_id = ?", arguments: [subscriber])
        return files.map { ($0[0], $0[1], $0[2]) }
    }

    /// Whether a row with these fields was erased.
    func contain(fields: String) throws -> Bool {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM erased_store_row WHERE sha256 = ?"), arguments: [sha256(fields)])
            != nil
    }

    /// The digest of a row's texts, sorted, each followed by a zero byte, which no text contains.
    private func sha256(_ fields: String) throws -> SHA256Digest {
        let texts = try String.fetchCursor(
            db.cachedStatement(sql: "SELECT value FROM json_each(?) ORDER BY value"), arguments: [fields])
        var bytes: [UInt8] = []
        while let text = try texts.next() { bytes += Array(text.utf8) + [0] }
        return try digest.sha256(bytes.span, in: bytes.indices)
    }
}
