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

    /// Removes the submissions, and drops the table.
    ///
    /// - Returns: the number of removed submissions.
    func remove() throws -> Int {
        let counts = try LoaderTable.deleteRows(of: .submission, in: "temp.erased_submission", db)
        try db.execute(file: "care/count_pruned_lines.sql")
        return counts["submission"] ?? 0
    }
}
