internal import GRDB
internal import MillDatabase

/// The submissions to be removed: the temporary table `erased_submission (submission_id)`, which the SQL of `sql/care/`
/// fills and reads. For use within a transaction.
struct ChosenSubmissions {
    private let db: Database

    /// Creates the table, empty.
    init(_ db: Database) throws {
        self.db = db
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.erased_submission;
                CREATE TEMP TABLE erased_submission (submission_id INTEGER PRIMARY KEY)
                """)
    }

    var count: Int {
        get throws { try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.erased_submission") ?? 0 }
    }

    /// Removes the submissions, and drops the table.
    func remove() throws {
        try db.execute(file: "care/remove_submissions.sql")
        try db.execute(sql: "DROP TABLE temp.erased_submission")
    }
}
