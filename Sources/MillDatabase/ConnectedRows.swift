internal import GRDB

/// The rows that are connected with what a load changed, in temporary tables that hide those
/// of the database: a small database about some customers, which knows all of them.
///
/// Receipts are connected by who presented them (account, device), by the installation that
/// they were made for, by the documents that hold them, by the subscriptions and purchases
/// that they state, and by the customer that signed ones name. Definitions of facts compare
/// rows of one such group alone, and ask of others at most whether an app has a document
/// (``Fact/Upkeep/greatest(_:)``). So they give of the small database what they give of the
/// whole about it.
enum ConnectedRows {
    /// Finds the receipts and subscriptions that are connected with what ``FactWatch`` noted.
    ///
    /// - Returns: false where they are so many that working all out is cheaper.
    static func find(_ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                CREATE TEMP TABLE facts_receipt (receipt_id INTEGER PRIMARY KEY, round INTEGER);
                CREATE TEMP TABLE facts_subscription (
                    original ANY_BLOB, app_id INTEGER, round INTEGER, PRIMARY KEY (original, app_id)
                ) WITHOUT ROWID;
                CREATE TEMP TABLE facts_tag (tag INTEGER PRIMARY KEY, round INTEGER);
                CREATE TEMP TABLE facts_customer (name TEXT PRIMARY KEY, round INTEGER) WITHOUT ROWID;
                CREATE TEMP TABLE facts_installation (
                    app_id INTEGER, created INTEGER, got INTEGER, round INTEGER, UNIQUE (app_id, created, got)
                );
                INSERT INTO facts_receipt
                SELECT receipt_id, 0 FROM main.receipt WHERE receipt_id > (SELECT receipt_id FROM facts_before);
                INSERT OR IGNORE INTO facts_receipt
                SELECT submission.receipt_id, 0
                FROM facts_new_submission CROSS JOIN main.submission USING (submission_id);
                INSERT OR IGNORE INTO facts_subscription
                SELECT coalesce(original_transaction_id, transaction_id), app_id, 1 FROM facts_former_purchase;
                INSERT OR IGNORE INTO facts_customer
                SELECT name, 1
                FROM (
                    SELECT lower(app_account_token) AS name FROM facts_former_purchase_terms
                    UNION ALL
                    SELECT app_transaction_id FROM facts_former_purchase_terms
                ) AS former
                WHERE name IS NOT NULL;
                """)
        let most = (try Int.fetchOne(db, sql: "SELECT count(*) FROM main.receipt") ?? 0) / 5
        var round = 0
        var found = try Int.fetchOne(db, sql: "SELECT count(*) FROM facts_receipt") ?? 0
        while found > 0 {
            guard found <= max(most, 1000) else { return false }
            let before = found
            for link in ConnectingLink.all { try link.follow(from: round, db) }
            found = try Int.fetchOne(db, sql: "SELECT count(*) FROM facts_receipt") ?? 0
            if found == before { break }
            round += 1
        }
        return true
    }

    /// Hides the tables of what loads change by temporary ones with the rows found.
    static func hide(_ db: Database) throws {
        for table in tables {
            let schema =
                try String.fetchOne(
                    db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", arguments: [table])
                ?? ""
            // A reference is to a table of the same schema.
            try db.execute(
                sql: schema.replacing("CREATE TABLE ", with: "CREATE TEMP TABLE ", maxReplacements: 1)
                    .replacing(/\ REFERENCES \w+/, with: ""))
        }
        for (table, rows) in selections {
            let columns = try String.fetchAll(
                db, sql: "SELECT name FROM pragma_table_info(?, 'main')", arguments: [table])
            try db.execute(
                sql: """
                    INSERT INTO temp.\(table) (\(columns.joined(separator: ", ")))
                    SELECT \(columns.map { "stored.\($0)" }.joined(separator: ", ")) \(rows)
                    """)
        }
        let indices = try Row.fetchAll(
            db, sql: "SELECT tbl_name, sql FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        for index in indices where tables.contains(index["tbl_name"]) {
            let statement: String = index["sql"]
            try db.execute(sql: statement.replacing("INDEX ", with: "INDEX temp.", maxReplacements: 1))
        }
    }

    private static let tables = selections.map(\.table).reduce(into: [String]()) { tables, table in
        if !tables.contains(table) { tables.append(table) }
    }

    /// Each table's rows, as `stored`.
    private static let selections: [(table: String, rows: String)] =
        [
            ("receipt", ofReceipts("receipt")),
            (
                "receipt_lineage",
                """
                FROM facts_receipt AS found
                CROSS JOIN main.receipt AS receipt ON receipt.receipt_id = found.receipt_id
                CROSS JOIN main.receipt_lineage AS stored
                    ON stored.hash_prefix = substr(receipt.device_hash, 1, 6)
                    AND stored.receipt_id = receipt.receipt_id
                """
            ),
            ("submission", ofReceipts("submission")),
            (
                "purchase",
                """
                FROM facts_subscription AS found
                CROSS JOIN main.purchase AS stored
                    ON stored.original_transaction_id = found.original
                    AND stored.app_id = found.app_id
                """
            ),
            (
                "purchase",
                """
                FROM facts_subscription AS found
                CROSS JOIN main.purchase AS stored
                    ON stored.transaction_id = found.original
                    AND stored.app_id = found.app_id
                    AND stored.original_transaction_id IS NULL
                """
            ),
            ("receipt_purchase", ofReceipts("receipt_purchase")),
            (
                "purchase_terms",
                """
                FROM temp.purchase AS found
                CROSS JOIN main.purchase_terms AS stored
                    ON stored.transaction_id = found.transaction_id
                    AND stored.app_id = found.app_id
                """
            ),
        ] + ["receipt_part", "revocation", "renewal", "notification", "app_transaction"].map { ($0, ofReceipts($0)) }

    private static func ofReceipts(_ table: String) -> String {
        "FROM facts_receipt AS found CROSS JOIN main.\(table) AS stored ON stored.receipt_id = found.receipt_id"
    }

    /// Makes the temporary tables hold what they would have held before the load.
    static func restore(_ db: Database) throws {
        for table in tables where table != "purchase" && table != "purchase_terms" {
            try db.execute(
                sql: "DELETE FROM temp.\(table) WHERE receipt_id > (SELECT receipt_id FROM facts_before)")
        }
        try db.execute(
            sql: "DELETE FROM temp.submission WHERE submission_id IN (SELECT submission_id FROM facts_new_submission)")
        for (table, key) in [("purchase", "purchase_id"), ("purchase_terms", "terms_id")] {
            try db.execute(
                sql: """
                    DELETE FROM temp.\(table)
                    WHERE \(key) > (SELECT \(key) FROM facts_before)
                        OR \(key) IN (SELECT \(key) FROM facts_former_\(table));
                    INSERT INTO temp.\(table)
                    SELECT * FROM facts_former_\(table)
                    WHERE rowid IN (SELECT min(rowid) FROM facts_former_\(table) GROUP BY \(key))
                        AND \(key) <= (SELECT \(key) FROM facts_before);
                    """)
        }
    }

    /// Drops the temporary tables.
    static func drop(_ db: Database) throws {
        for table in tables { try db.execute(sql: "DROP TABLE temp.\(table)") }
    }
}
