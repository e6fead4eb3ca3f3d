internal import GRDB

/// Notes what a load changes, so that facts can be brought up to date by that alone.
///
/// Temporary triggers write what is new, and how changed rows were, into temporary tables of
/// the loading connection. They end with it: facts of a run that is killed are worked out whole.
enum FactWatch {
    /// Begins where facts are kept and nothing is noted yet. To be called in the transaction
    /// that makes the first change, before it does.
    ///
    /// - Parameter facts: whose tables hold now what their definitions give.
    static func begin(for facts: [Fact], _ db: Database) throws {
        guard !facts.isEmpty, try !isOn(db) else { return }
        try db.execute(
            sql: """
                CREATE TEMP TABLE facts_watched (name TEXT PRIMARY KEY);
                CREATE TEMP TABLE facts_before AS
                SELECT
                    (SELECT coalesce(max(receipt_id), 0) FROM main.receipt) AS receipt_id,
                    (SELECT coalesce(max(purchase_id), 0) FROM main.purchase) AS purchase_id,
                    (SELECT coalesce(max(terms_id), 0) FROM main.purchase_terms) AS terms_id,
                    (SELECT data_version FROM pragma_data_version) AS data_version;
                CREATE TEMP TABLE facts_new_submission (submission_id INTEGER);
                CREATE TEMP TABLE facts_unexpected (change TEXT);
                CREATE TEMP TRIGGER facts_see_submission AFTER INSERT ON main.submission
                BEGIN INSERT INTO facts_new_submission VALUES (new.submission_id); END;
                """)
        for fact in facts {
            try db.execute(sql: "INSERT INTO temp.facts_watched VALUES (?)", arguments: [fact.name])
        }
        for table in ["purchase", "purchase_terms"] {
            let columns = try db.columnNames(of: table).map(\.quotedDatabaseIdentifier)
            // Without a key: of rows that change several times the first counts.
            try db.execute(
                sql: """
                    CREATE TEMP TABLE facts_former_\(table) AS SELECT * FROM main.\(table) LIMIT 0;
                    CREATE TEMP TRIGGER facts_see_\(table) AFTER UPDATE ON main.\(table)
                    BEGIN
                        INSERT INTO facts_former_\(table) VALUES (\(columns.map { "old.\($0)" }.joined(separator: ", ")));
                    END;
                    """)
        }
        // A purchase that leaves its subscription for another leaves rows of both.
        try db.execute(
            sql: """
                CREATE TEMP TRIGGER facts_see_original AFTER UPDATE ON main.purchase
                WHEN old.original_transaction_id IS NOT new.original_transaction_id
                BEGIN INSERT INTO facts_unexpected VALUES ('UPDATE of original_transaction_id'); END
                """)
        for (table, changes) in unexpected {
            for change in changes {
                try db.execute(
                    sql: """
                        CREATE TEMP TRIGGER facts_see_\(change)_of_\(table) AFTER \(change) ON main.\(table)
                        BEGIN INSERT INTO facts_unexpected VALUES ('\(change) of \(table)'); END;
                        """)
            }
        }
    }

    /// What loads do seldom, and facts are then worked out whole for.
    private static let unexpected = [
        "receipt": ["UPDATE", "DELETE"], "submission": ["UPDATE", "DELETE"], "purchase": ["DELETE"],
        "purchase_terms": ["DELETE"], "receipt_purchase": ["UPDATE", "DELETE"], "receipt_part": ["UPDATE", "DELETE"],
        "receipt_lineage": ["UPDATE", "DELETE"], "renewal": ["UPDATE", "DELETE"], "revocation": ["UPDATE", "DELETE"],
        "notification": ["UPDATE", "DELETE"], "app_transaction": ["UPDATE", "DELETE"],
    ]

    /// Forgets what was noted.
    static func end(_ db: Database) throws {
        let objects = try Row.fetchAll(
            db,
            sql: """
                SELECT type, name FROM temp.sqlite_schema
                WHERE name GLOB 'facts_*' AND type IN ('table', 'trigger')
                ORDER BY type DESC
                """)
        for object in objects {
            try db.execute(sql: "DROP \(object["type"] as String) temp.\(object["name"] as String)")
        }
    }

    private static func isOn(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE name = 'facts_before')")
            ?? false
    }

    /// The names of the facts whose tables held what their definitions gave when this began, and
    /// all that changed since is noted; empty where that is not so.
    static func watched(_ db: Database) throws -> Set<String> {
        guard try isOn(db) else { return [] }
        let isWhole = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM temp.facts_unexpected)
                    OR (SELECT data_version FROM temp.facts_before) <> (SELECT data_version FROM pragma_data_version)
                """)
        guard isWhole == false else { return [] }
        return try String.fetchSet(db, sql: "SELECT name FROM temp.facts_watched")
    }
}
