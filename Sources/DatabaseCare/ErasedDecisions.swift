internal import GRDB
internal import MillDatabase

/// A fraud team's records of a person who is erased. For use within a transaction.
struct ErasedDecisions {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Lists the installations whose receipts the person presented, in the temporary table `erased_installation`. For
    /// use before the presentations are removed.
    func chooseInstallations() throws {
        try db.execute(file: "care/choose_installations.sql")
    }

    /// Removes decisions on the person and on removed receipts and installations, the pipeline file's exemptions for
    /// them, and notes that name the person.
    ///
    /// - Parameter names: all texts that name the person in the database.
    /// - Returns: the number of removed decisions, exemptions and notes.
    func remove(_ identifier: Erasure.Identifier, names: Set<String>, _ search: PersonSearch) throws -> Int {
        try db.execute(file: "care/choose_subjects.sql")
        for name in names {
            try db.execute(
                sql: "INSERT OR IGNORE INTO temp.erased_subject VALUES (?, ?)",
                arguments: [identifier.kind.rawValue, name])
        }
        let counts = try LoaderTable.deleteRows(of: .subject, in: "temp.erased_subject", db)
        try db.execute(sql: "DROP TABLE temp.erased_installation; DROP TABLE temp.erased_subject")
        return try counts["decision", default: 0] + counts["allowed_subject", default: 0] + removeNotes(search)
    }

    private func removeNotes(_ search: PersonSearch) throws -> Int {
        let rows = try Row.fetchCursor(db, sql: "SELECT decision_id, note FROM decision WHERE note IS NOT NULL")
        var named: [Int64] = []
        while let row = try rows.next() {
            if search.finds(in: Array((row[1] as String).utf8)) { named.append(row[0]) }
        }
        for decision in named {
            try db.execute(sql: "UPDATE decision SET note = NULL WHERE decision_id = ?", arguments: [decision])
        }
        return named.count
    }
}
