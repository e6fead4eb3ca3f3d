internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptTrust
internal import ReceiptWarehouse

/// Removes a person from a database.
package struct Erasure: Sendable {
    /// What a person is known by.
    package enum Identifier: Sendable, Hashable {
        case account(String)
        case device(String)
        case appAccountToken(String)

        /// As the table `erasure` has it.
        var kind: String {
            switch self {
            case .account: "account"
            case .device: "device"
            case .appAccountToken: "app_account_token"
            }
        }
    }

    package let database: String
    package let identifier: Identifier
    /// The key by which the database names persons, where it does.
    package var pseudonyms: Pseudonyms?
    /// Whether it is only counted what would go.
    package var isDryRun = false
    /// Whether models are worked out with it; else there are none until they are.
    package var refreshes = true

    package init(_ identifier: Identifier, from database: String) {
        (self.identifier, self.database) = (identifier, database)
    }

    /// What went, and what still holds the person.
    package struct Summary: Sendable, Hashable {
        package fileprivate(set) var submissions = 0
        package fileprivate(set) var receipts = 0
        package fileprivate(set) var purchases = 0
        package fileprivate(set) var deadLetters = 0
        /// Archives that hold lines of the person, by name and SHA-256, and how many lines.
        package fileprivate(set) var archives: [Archive] = []
        /// The database as it was before a migration.
        package fileprivate(set) var copies: [String] = []

        package struct Archive: Sendable, Hashable {
            package let name, sha256: String
            package let lines: Int
        }

        package var isEmpty: Bool { submissions == 0 && receipts == 0 && deadLetters == 0 }
    }

    /// - Throws: ``MillError`` where another run is at work, or the key is not the database's; nothing
    ///   is changed then.
    package func run() throws(MillError) -> Summary {
        try DatabaseName.refuseMissing(database)
        let database = try LoadDatabase(path: database)
        try database.refuse(otherThan: pseudonyms)
        if !isDryRun { try database.checkRoomToPack() }
        let stored = try storedName()
        var summary = Summary()
        summary.copies = SchemaMigration.copies(of: self.database)
        try database.access { db in
            db.add(function: try Presentation.function())
            try Schema.buildIndices(db, workers: 1)
            // Pages that the transaction frees are overwritten; the rest follows below.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.inTransaction(.immediate) {
                let names = try notations(of: stored, db)
                try chooseSubmissions(names, db)
                summary.archives = try Self.archives(db)
                let letters = try lettersToErase(db)
                summary.archives = try Self.merged(summary.archives, lettersOf: letters, db)
                try chooseInstallations(db)
                let counts = try ErasedRows(db).remove(remembers: true)
                (summary.submissions, summary.receipts) = (counts.submissions, counts.receipts)
                summary.purchases = counts.purchases
                for id in letters { try Self.removeLetter(id, db) }
                try removeDecisions(onNames: names, db)
                summary.deadLetters = letters.count
                guard !summary.isEmpty, !isDryRun else { return .rollback }
                // In the same transaction: at no moment do models hold the person while the loader's tables do not.
                try ModelState.noteChange(db)
                if refreshes { try ModelRefresh.makeAll(db) } else { try ModelRefresh.dropAll(db) }
                try db.execute(
                    sql: """
                        INSERT INTO erasure (erased_at, identifier, submissions, receipts, purchases, dead_letters)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        LoadProgress.now, identifier.kind, summary.submissions, summary.receipts, summary.purchases,
                        summary.deadLetters,
                    ])
                return .commit
            }
        }
        // Pages keep bytes of rows that were moved between them before: only a file written anew has none.
        if !summary.isEmpty, !isDryRun {
            try database.pack()
        }
        return summary
    }

    /// The identifier as the database holds it.
    private func storedName() throws(MillError) -> String {
        switch identifier {
        case .account(let text): try StoredName.ofAccount(text, pseudonyms)
        case .device(let text): try StoredName.ofDevice(text, pseudonyms)
        case .appAccountToken(let text): try StoredName.ofAccountToken(text, pseudonyms)
        }
    }

    private var text: String {
        switch identifier {
        case .account(let text), .device(let text), .appAccountToken(let text): text
        }
    }

    private func chooseSubmissions(_ names: Set<String>, _ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.erased_submission;
                CREATE TEMP TABLE erased_submission (submission_id INTEGER PRIMARY KEY)
                """)
        let sql =
            switch identifier {
            case .account:
                "INSERT INTO temp.erased_submission SELECT submission_id FROM submission WHERE account_id = ?"
            case .device: "INSERT INTO temp.erased_submission SELECT submission_id FROM submission WHERE device_id = ?"
            case .appAccountToken: Self.chooseByToken
            }
        for name in names { try db.execute(sql: sql, arguments: [name]) }
        try UnownedDocuments.choose(db)
    }

    /// Installations whose receipts the person presented.
    private func chooseInstallations(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.erased_installation;
                CREATE TEMP TABLE erased_installation AS
                SELECT DISTINCT
                    lower(hex(opaque_value)) || '-' || lower(hex(device_hash)) AS lineage,
                    opaque_value, device_hash
                FROM temp.erased_submission
                JOIN submission USING (submission_id)
                JOIN receipt USING (receipt_id)
                WHERE opaque_value IS NOT NULL AND device_hash IS NOT NULL
                """)
    }

    /// All texts by which the person stands in the database: lines may write a device in several notations.
    private func notations(of stored: String, _ db: Database) throws -> Set<String> {
        var names: Set<String> = [stored]
        guard case .device = identifier, pseudonyms == nil, let device = StoredName.device(stored) else { return names }
        let rows = try String.fetchCursor(
            db, sql: "SELECT DISTINCT device_id FROM submission WHERE device_id IS NOT NULL")
        while let name = try rows.next() {
            if StoredName.device(name) == device { names.insert(name) }
        }
        return names
    }

    /// Submissions of documents that state a token, or a transaction that trusted ones state with it,
    /// and of notifications that hold one.
    private static let chooseByToken = """
        INSERT INTO temp.erased_submission
        WITH
        term AS (
            SELECT app_id, transaction_id, verdict FROM purchase_terms WHERE lower(app_account_token) = lower(?1)
        ),
        document AS (
            SELECT receipt_id FROM renewal WHERE lower(app_account_token) = lower(?1)
            UNION
            SELECT link.receipt_id
            FROM term
            CROSS JOIN receipt_purchase AS link ON link.transaction_id = term.transaction_id
            CROSS JOIN receipt ON receipt.receipt_id = link.receipt_id
            WHERE receipt.app_id = term.app_id AND receipt.verdict = term.verdict
        )
        SELECT submission_id FROM submission WHERE receipt_id IN (SELECT receipt_id FROM document)
        UNION
        SELECT submission_id FROM submission JOIN receipt_part USING (receipt_id)
        WHERE part_receipt_id IN (SELECT receipt_id FROM document)
        """

    private static func archives(_ db: Database) throws -> [Summary.Archive] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT name, lower(hex(sha256)), count(DISTINCT submission_id & 0xffffffff)
                FROM temp.erased_submission
                JOIN archive ON archive_id = submission_id >> 32 & 0xfffff
                GROUP BY archive_id ORDER BY archive_id
                """
        ).map { Summary.Archive(name: $0[0], sha256: $0[1], lines: $0[2]) }
    }

    /// Archives with the lines of letters counted among theirs.
    private static func merged(
        _ archives: [Summary.Archive], lettersOf ids: [Int64], _ db: Database
    ) throws -> [Summary.Archive] {
        var archives = archives
        for id in ids {
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT name, lower(hex(sha256)) FROM archive WHERE archive_id = ?",
                    arguments: [LineNumber.archive(of: id)])
            else { continue }
            let sha256: String = row[1]
            let former = archives.first { $0.sha256 == sha256 }
            archives.removeAll { $0.sha256 == sha256 }
            archives.append(Summary.Archive(name: row[0], sha256: sha256, lines: (former?.lines ?? 0) + 1))
        }
        return archives
    }

    /// Kept lines in which the identifier stands as a JSON string, in any letter case.
    private func lettersToErase(_ db: Database) throws -> [Int64] {
        let wanted = Data("\"\(text.lowercased())\"".utf8)
        var ids: [Int64] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT letter_id, deflated, bytes FROM dead_letter")
        while let row = try rows.next() {
            guard let line = Deflate.inflated(row[1], bytes: row[2]) else { continue }
            let text = Data(String(decoding: line, as: UTF8.self).lowercased().utf8)
            if text.range(of: wanted) != nil { ids.append(row[0]) }
        }
        return ids
    }

    /// Decisions on the person, and on receipts and installations that are gone.
    private func removeDecisions(onNames names: Set<String>, _ db: Database) throws {
        try db.execute(sql: "DROP TABLE IF EXISTS temp.erased_name; CREATE TEMP TABLE erased_name (name TEXT)")
        for name in names { try db.execute(sql: "INSERT INTO temp.erased_name VALUES (?)", arguments: [name]) }
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.erased_decision;
                CREATE TEMP TABLE erased_decision AS
                SELECT decision_id FROM decision
                WHERE subject_kind = :kind AND subject IN (SELECT name FROM temp.erased_name)
                    OR subject_kind = 'receipt'
                        AND subject IN (SELECT lower(hex(receipt_sha256)) FROM erased_presentation)
                        AND subject NOT IN (SELECT lower(hex(sha256)) FROM receipt)
                    OR subject_kind = 'installation'
                        AND subject IN (
                            SELECT gone.lineage FROM temp.erased_installation AS gone
                            WHERE NOT EXISTS (
                                SELECT 1
                                FROM receipt_lineage AS other JOIN receipt USING (receipt_id)
                                WHERE other.hash_prefix = substr(gone.device_hash, 1, 6)
                                    AND receipt.opaque_value = gone.opaque_value
                                    AND receipt.device_hash = gone.device_hash));
                DELETE FROM decision_signal WHERE decision_id IN (SELECT decision_id FROM temp.erased_decision);
                DELETE FROM decision WHERE decision_id IN (SELECT decision_id FROM temp.erased_decision);
                DROP TABLE temp.erased_decision;
                DROP TABLE temp.erased_installation;
                DROP TABLE temp.erased_name;
                """, arguments: ["kind": identifier.kind])
    }

    /// Removes a kept line, and marks its rejection: its archive still holds it.
    private static func removeLetter(_ id: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM dead_letter WHERE letter_id = ?", arguments: [id])
        try db.execute(
            sql: """
                UPDATE rejection SET status = 'dismissed', detail = 'the line was erased'
                WHERE archive_id = ?1 >> 32 AND line = ?1 & 0xffffffff AND status = 'open'
                """, arguments: [id])
    }
}
