internal import GRDB
internal import MillDatabase
internal import ReceiptVerification
internal import ReceiptWarehouse

/// The kept lines that are erased with a person. For use within a transaction.
struct ErasedLetters {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Lists kept lines in the temporary table `erased_letter (letter_id)`: lines that name the person, lines with an
    /// erased submission, and damaged lines, which might name any person.
    func choose(_ search: PersonSearch) throws {
        try db.execute(file: "care/choose_letters.sql")
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

    /// Deletes the listed lines, and dismisses their rejections. The archives still hold the lines, so their digests
    /// are recorded, and a later load does not keep the lines again.
    ///
    /// - Returns: the number of deleted lines.
    func remove() throws -> Int {
        let erased = try ErasedPresentations(db)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT deflated, bytes FROM dead_letter JOIN temp.erased_letter USING (letter_id)")
        var count = 0
        while let row = try rows.next() {
            count += 1
            if let line = Deflate.inflated(row[0], bytes: row[1]) { try erased.remember(line: line) }
        }
        try db.execute(file: "care/remove_letters.sql", arguments: [Rejection.erasedDetail])
        return count
    }
}
