internal import GRDB
internal import MillSystem
internal import ReceiptSQL

/// Submissions that are to be removed: the temporary table `erased_submission (submission_id)` of a connection, which
/// the SQL of `sql/care/` fills and reads. For use within a transaction.
struct ChosenSubmissions {
    private let db: Database

    /// Makes the table, empty.
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

    /// Removes the submissions, and forgets which they were.
    func remove() throws {
        try db.execute(care: "remove_submissions")
        try db.execute(sql: "DROP TABLE temp.erased_submission")
    }
}

extension Database {
    /// Runs a file of `sql/care/`.
    func execute(care name: String, arguments: StatementArguments = []) throws {
        try execute(sql: Self.care(name), arguments: arguments)
    }

    /// The text of a file of `sql/care/`.
    static func care(_ name: String) throws(MillError) -> String {
        guard let file = SQLFile.files(in: "care").first(where: { $0.name == name }) else {
            throw MillError(stage: .loading, what: "there is no sql/care/\(name).sql", exitStatus: .internalFault)
        }
        return file.text
    }
}
