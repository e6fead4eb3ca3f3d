internal import Foundation
internal import GRDB
internal import ReceiptVerification
internal import ReceiptWarehouse

/// The kept lines that are erased with a person. For use within a transaction.
struct ErasedLetters {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Lists kept lines in the temporary table `erased_letter (letter_id)`: lines that name the person, lines with an
    /// erased submission, and damaged lines, which could name anybody.
    func choose(_ search: PersonSearch) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.erased_letter;
                CREATE TEMP TABLE erased_letter (letter_id INTEGER PRIMARY KEY);
                INSERT INTO temp.erased_letter
                SELECT letter_id FROM dead_letter
                WHERE letter_id IN (SELECT submission_id & 0xfffffffffffff FROM temp.erased_submission)
                """)
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT letter_id, deflated, bytes FROM dead_letter
                WHERE letter_id NOT IN (SELECT letter_id FROM temp.erased_letter)
                """)
        let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.erased_letter VALUES (?)")
        while let row = try rows.next() {
            let line = Deflate.inflated(row[1], bytes: row[2])
            guard line.map({ search.finds(in: $0) }) ?? true else { continue }
            try insert.execute(arguments: [row[0] as Int64])
        }
    }

    /// Deletes the listed lines, dismisses their rejections, whose archives still hold the lines, and remembers the
    /// lines, so that they are not kept when an archive brings them again.
    ///
    /// - Returns: how many lines were deleted.
    func remove() throws -> Int {
        let erased = try ErasedPresentations(db)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT deflated, bytes FROM dead_letter JOIN temp.erased_letter USING (letter_id)")
        while let row = try rows.next() {
            guard let line = Deflate.inflated(row[0], bytes: row[1]) else { continue }
            try erased.remember(line: line)
        }
        try db.execute(
            sql: """
                UPDATE rejection SET status = 'dismissed', detail = ?
                WHERE status = 'open' AND archive_id << 32 | line IN (SELECT letter_id FROM temp.erased_letter)
                """, arguments: [Rejection.erasedDetail])
        try db.execute(
            sql: "DELETE FROM dead_letter WHERE letter_id IN (SELECT letter_id FROM temp.erased_letter)")
        let count = db.changesCount
        try db.execute(sql: "DROP TABLE temp.erased_letter")
        return count
    }
}
