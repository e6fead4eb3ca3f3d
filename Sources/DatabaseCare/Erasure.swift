internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptWarehouse
internal import StoreLoading

/// Erases a person from a database.
package struct Erasure: Sendable {
    /// The identifier that names a person.
    package struct Identifier: Sendable, Hashable {
        /// The raw values are the kinds' names in the table `erasure`.
        enum Kind: String {
            case account, device
            case appAccountToken = "app_account_token"
            /// Apple's random number of a subscriber, which only SUBSCRIBER reports state.
            case subscriber
        }

        let kind: Kind
        let text: String

        package static func account(_ text: String) -> Self { Self(kind: .account, text: text) }
        package static func device(_ text: String) -> Self { Self(kind: .device, text: text) }
        package static func appAccountToken(_ text: String) -> Self { Self(kind: .appAccountToken, text: text) }
        package static func subscriber(_ text: String) -> Self { Self(kind: .subscriber, text: text) }
    }

    package let database: String
    package let identifier: Identifier
    /// The pseudonym key; nil if the database has identifiers in clear.
    package var pseudonyms: Pseudonyms?
    /// Whether the rows to be erased are only counted.
    package var isDryRun = false
    /// Whether models are refreshed within the erasure; otherwise they are emptied until the next refresh.
    package var refreshes = true

    package init(_ identifier: Identifier, from database: String) {
        (self.identifier, self.database) = (identifier, database)
    }

    /// - Throws: ``MillError`` if another run is active, or if the key is not the database's; then nothing is changed.
    package func run() throws(MillError) -> ErasureSummary {
        try DatabaseName.refuseMissing(database)
        let warehouse = try Warehouse(path: database)
        let packing = DatabasePacking(warehouse)
        try warehouse.pseudonyms.refuse(otherThan: pseudonyms)
        if !isDryRun { try packing.checkDiskSpace() }
        let stored = try storedName()
        var summary = ErasureSummary()
        summary.copies = SchemaMigration.copies(of: database)
        try warehouse.access { db in
            try Schema.buildIndices(db, workers: 1)
            // SQLite overwrites the pages that the transaction frees; packing below removes older remains.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.inTransaction(.immediate) {
                try remove(named: stored, &summary, db)
                return try commit(summary, db)
            }
        }
        // Pages contain remains of rows that were earlier moved between them; only a new file has none.
        if !summary.isEmpty, !isDryRun {
            try packing.pack()
        }
        return summary
    }

    /// Records the erasure, and changes the models accordingly, unless nothing is erased.
    private func commit(_ summary: ErasureSummary, _ db: Database) throws -> Database.TransactionCompletion {
        guard !summary.isEmpty, !isDryRun else { return .rollback }
        // Models change in the same transaction, so that they never contain the person when other tables no longer do.
        try ModelState.noteChange(.erasure, db)
        if refreshes { try ModelRefresh.makeAll(db) } else { try ModelRefresh.clear(db) }
        try db.execute(
            sql: """
                INSERT INTO erasure (
                    erased_at, identifier, submissions, receipts, purchases, dead_letters, store_rows)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                LoadProgress.now, identifier.kind.rawValue, summary.submissions, summary.receipts, summary.purchases,
                summary.deadLetters, summary.storeRows,
            ])
        return .commit
    }

    /// Removes all rows of the person. For use within a transaction.
    ///
    /// - Parameter stored: the identifier as stored in the database.
    private func remove(named stored: String, _ summary: inout ErasureSummary, _ db: Database) throws {
        let search = PersonSearch(identifier)
        let names = try notations(of: stored, db)
        let chosen = try ChosenSubmissions(db)
        try chooseSubmissions(names, search, db)
        let letters = ErasedLetters(db)
        try letters.choose(search)
        summary.archives = try Self.archives(db)
        if identifier.kind == .subscriber {
            let files = try ErasedReportRows(db).remove(subscriber: stored)
            summary.archives += files.map { ErasedArchive(name: $0.name, sha256: $0.sha256, lines: $0.rows) }
            summary.storeRows = files.reduce(0) { $0 + $1.rows }
            summary.deadLetters = try letters.remove()
            return
        }
        let decisions = ErasedDecisions(db)
        try decisions.chooseInstallations()
        let counts = try ErasedRows(db, chosen).remove(remembers: true)
        (summary.submissions, summary.receipts) = (counts.submissions, counts.receipts)
        summary.purchases = counts.purchases
        summary.deadLetters = try letters.remove()
        summary.decisions = try decisions.remove(identifier, names: names, search)
        try db.execute(file: "care/remove_answers.sql")
        summary.answers = db.changesCount
    }

    /// Erases again what was erased before and then loaded again from another archive.
    ///
    /// For use after a load. Uses one transaction; does nothing if nothing was ever erased.
    ///
    /// - Returns: the number of erased submissions.
    @discardableResult package static func eraseReloaded(in warehouse: Warehouse) throws(MillError) -> Int {
        try warehouse.access { db in
            guard try Row.fetchOne(db, sql: "SELECT 1 FROM erased_presentation LIMIT 1") != nil else { return 0 }
            try Schema.buildIndices(db, workers: 1)
            var count = 0
            try db.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? db.execute(sql: "PRAGMA secure_delete = OFF") }
            try db.inTransaction(.immediate) {
                let chosen = try ChosenSubmissions(db)
                try ErasedPresentations(db).chooseAgain()
                count = try ErasedRows(db, chosen).remove(remembers: false).submissions
                // Models don't contain the erased rows yet, because they are refreshed only after this.
                if count > 0 { try ModelState.noteChange(.erasure, db) }
                return .commit
            }
            return count
        }
    }

    /// The person's identifier as stored in the database: the text itself, or a pseudonym.
    private func storedName() throws(MillError) -> String {
        switch identifier.kind {
        case .account: try StoredName.ofAccount(identifier.text, pseudonyms)
        case .device: try StoredName.ofDevice(identifier.text, pseudonyms)
        case .appAccountToken: try StoredName.ofAccountToken(identifier.text, pseudonyms)
        case .subscriber: identifier.text
        }
    }

    private func chooseSubmissions(_ names: Set<String>, _ search: PersonSearch, _ db: Database) throws {
        func choose(by column: String) -> String {
            "INSERT OR IGNORE INTO temp.erased_submission SELECT submission_id FROM submission WHERE \(column) = ?"
        }
        let sql: String
        switch identifier.kind {
        case .account: sql = choose(by: "account_id")
        case .device: sql = choose(by: "device_id")
        case .appAccountToken: sql = try Database.sql(ofFile: "care/choose_submissions_of_token.sql")
        // Apple's number of a subscriber is in no submission and leads to no receipt. A kept line may contain it,
        // because a report file may have been loaded as an archive by mistake.
        case .subscriber: return
        }
        for name in names { try db.execute(sql: sql, arguments: [name]) }
        if identifier.kind == .appAccountToken { try chooseByStoredDocuments(search, db) }
        try db.execute(file: "care/choose_unowned_documents.sql")
    }

    /// Adds submissions of stored signed documents that state the token. The columns are not enough: the column of a
    /// purchase has only the token of the newest document, and an untrusted renewal has no row.
    private func chooseByStoredDocuments(_ search: PersonSearch, _ db: Database) throws {
        let kinds = ReceiptKind.allCases.filter(\.isSignedData).map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT receipt_id, deflated, bytes FROM raw_receipt JOIN receipt USING (receipt_id) WHERE kind IN (\(kinds))
                """)
        let insert = try db.makeStatement(sql: Database.sql(ofFile: "care/choose_submissions_of_document.sql"))
        while let row = try rows.next() {
            guard let document = Deflate.inflated(row[1], bytes: row[2]), search.finds(inPayloadOf: document) else {
                continue
            }
            try insert.execute(arguments: [row[0] as Int64])
        }
    }

    /// All texts that name the person in the database, since lines may write a device in several notations.
    private func notations(of stored: String, _ db: Database) throws -> Set<String> {
        var names: Set<String> = [stored]
        guard identifier.kind == .device, pseudonyms == nil, let device = StoredName.device(stored) else {
            return names
        }
        let rows = try String.fetchCursor(db, sql: Database.sql(ofFile: "care/device_names.sql"))
        while let name = try rows.next() {
            if StoredName.device(name) == device { names.insert(name) }
        }
        return names
    }

    /// The archives that contain lines of the person, and the number of these lines in each.
    private static func archives(_ db: Database) throws -> [ErasedArchive] {
        try Row.fetchAll(db, sql: Database.sql(ofFile: "care/archives_of_erased.sql"))
            .map { ErasedArchive(name: $0[0], sha256: $0[1], lines: $0[2]) }
    }
}

/// The counts of erased rows, and the files that still contain data of the person.
package struct ErasureSummary: Sendable, Hashable {
    package fileprivate(set) var submissions = 0
    package fileprivate(set) var receipts = 0
    package fileprivate(set) var purchases = 0
    package fileprivate(set) var deadLetters = 0
    /// The number of decisions on the person and on removed subjects, of other decisions' notes that named the person,
    /// and of subjects that a pipeline file exempts.
    package fileprivate(set) var decisions = 0
    /// The number of rows of App Store report files that name the person.
    package fileprivate(set) var storeRows = 0
    /// The number of answers to refund requests about removed purchases, including purchases that were removed earlier.
    package fileprivate(set) var answers = 0
    /// Archives or report files that contain lines of the person.
    package fileprivate(set) var archives: [ErasedArchive] = []
    /// Paths of the copies that migrations have made of the database.
    package fileprivate(set) var copies: [String] = []

    package var isEmpty: Bool {
        submissions == 0 && receipts == 0 && deadLetters == 0 && decisions == 0 && storeRows == 0
    }
}

/// An archive that still holds lines of an erased person.
package struct ErasedArchive: Sendable, Hashable {
    package let name, sha256: String
    package let lines: Int
}
