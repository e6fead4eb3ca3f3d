internal import GRDB

/// What leads from the receipts that ``ConnectedRows`` found in one round to those of the next.
struct ConnectingLink {
    /// A query that gives rows where there is something to look for; nil where there always is.
    private let needs: String?
    /// Adds what it finds; `:round` is the round of the receipts that it begins at.
    private let statement: String

    func follow(from round: Int, _ db: Database) throws {
        if let needs {
            let arguments: StatementArguments = needs.contains(":round") ? ["round": round] : [:]
            guard try Row.fetchOne(db, sql: "\(needs) LIMIT 1", arguments: arguments) != nil else { return }
        }
        try db.execute(sql: statement, arguments: ["round": round])
    }

    static let all: [ConnectingLink] = [
        // Who presented them.
        presenters("account_tag"),
        presenters("device_tag"),
        ConnectingLink(
            needs: "SELECT 1 FROM facts_tag WHERE round = :round + 1",
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT receipt_id, :round + 1
                FROM main.submission
                WHERE account_tag IN (SELECT tag FROM facts_tag WHERE round = :round + 1)
                    OR device_tag IN (SELECT tag FROM facts_tag WHERE round = :round + 1)
                """),
        // The installation that they were made for; app transactions of one are alike in two dates.
        ConnectingLink(
            needs: nil,
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT lineage.receipt_id, :round + 1
                FROM facts_receipt AS found
                CROSS JOIN main.receipt USING (receipt_id)
                CROSS JOIN main.receipt_lineage AS lineage ON lineage.hash_prefix = substr(receipt.device_hash, 1, 6)
                WHERE found.round = :round AND receipt.device_hash IS NOT NULL
                """),
        ConnectingLink(
            needs: "SELECT 1 FROM main.app_transaction",
            statement: """
                INSERT OR IGNORE INTO facts_installation
                SELECT receipt.app_id, coalesce(receipt.receipt_creation_date, 0), coalesce(receipt.original_purchase_date, 0), :round + 1
                FROM facts_receipt AS found
                CROSS JOIN main.app_transaction USING (receipt_id)
                CROSS JOIN main.receipt USING (receipt_id)
                WHERE found.round = :round
                """),
        ConnectingLink(
            needs: "SELECT 1 FROM facts_installation WHERE round = :round + 1",
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT receipt.receipt_id, :round + 1
                FROM main.app_transaction
                CROSS JOIN main.receipt USING (receipt_id)
                CROSS JOIN facts_installation AS found
                    ON found.app_id = receipt.app_id
                    AND found.created = coalesce(receipt.receipt_creation_date, 0)
                    AND found.got = coalesce(receipt.original_purchase_date, 0)
                WHERE found.round = :round + 1
                """),
        // The documents that they hold, and that hold them.
        ConnectingLink(
            needs: "SELECT 1 FROM main.receipt_part",
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT part.part_receipt_id, :round + 1
                FROM facts_receipt AS found CROSS JOIN main.receipt_part AS part ON part.receipt_id = found.receipt_id
                WHERE found.round = :round
                """),
        ConnectingLink(
            needs: "SELECT 1 FROM main.receipt_part",
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT part.receipt_id, :round + 1
                FROM facts_receipt AS found CROSS JOIN main.receipt_part AS part ON part.part_receipt_id = found.receipt_id
                WHERE found.round = :round
                """),
        // The purchases that they state, and the subscriptions that they tell of.
        ConnectingLink(
            needs: nil,
            statement: """
                INSERT OR IGNORE INTO facts_subscription
                SELECT coalesce(purchase.original_transaction_id, purchase.transaction_id), purchase.app_id, :round + 1
                FROM facts_receipt AS found
                CROSS JOIN main.receipt_purchase USING (receipt_id)
                CROSS JOIN main.purchase USING (transaction_id)
                WHERE found.round = :round
                """),
        ConnectingLink(
            needs: "SELECT 1 FROM main.renewal",
            statement: """
                INSERT OR IGNORE INTO facts_subscription
                SELECT renewal.original_transaction_id, app.app_id, :round + 1
                FROM facts_receipt AS found
                CROSS JOIN main.renewal USING (receipt_id)
                CROSS JOIN main.app USING (environment)
                WHERE found.round = :round
                """),
        ConnectingLink(
            needs: "SELECT 1 FROM main.renewal",
            statement: """
                INSERT OR IGNORE INTO facts_subscription
                SELECT coalesce(purchase.original_transaction_id, purchase.transaction_id), purchase.app_id, :round + 1
                FROM facts_receipt AS found
                CROSS JOIN main.renewal USING (receipt_id)
                CROSS JOIN main.purchase ON purchase.transaction_id = renewal.original_transaction_id
                WHERE found.round = :round
                """),
        // The customer that signed ones name.
        customers("lower(told.app_account_token)", of: "purchase_terms", joined: termsOfReceipts),
        customers("told.app_transaction_id", of: "purchase_terms", joined: termsOfReceipts),
        customers("lower(told.app_account_token)", of: "renewal"),
        customers("told.app_transaction_id", of: "renewal"),
        customers("told.app_transaction_id", of: "app_transaction"),
        ConnectingLink(
            needs: "SELECT 1 FROM facts_customer WHERE round = :round + 1",
            statement: """
                INSERT OR IGNORE INTO facts_subscription
                SELECT coalesce(purchase.original_transaction_id, purchase.transaction_id), purchase.app_id, :round + 1
                FROM main.purchase_terms AS terms
                CROSS JOIN main.purchase USING (transaction_id)
                WHERE lower(terms.app_account_token) IN (SELECT name FROM facts_customer WHERE round = :round + 1)
                    OR terms.app_transaction_id IN (SELECT name FROM facts_customer WHERE round = :round + 1)
                """),
        ConnectingLink(
            needs: "SELECT 1 FROM facts_customer WHERE round = :round + 1",
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT receipt_id, :round + 1
                FROM (
                    SELECT receipt_id, lower(app_account_token) AS name FROM main.renewal
                    UNION ALL
                    SELECT receipt_id, app_transaction_id FROM main.renewal
                    UNION ALL
                    SELECT receipt_id, app_transaction_id FROM main.app_transaction
                ) AS told
                WHERE name IN (SELECT name FROM facts_customer WHERE round = :round + 1)
                """),
        // A member's share is compared as an original of its own.
        ConnectingLink(
            needs: "SELECT 1 FROM main.purchase_terms",
            statement: """
                INSERT OR IGNORE INTO facts_subscription
                SELECT purchase.transaction_id, purchase.app_id, :round + 1
                FROM facts_subscription AS found
                CROSS JOIN main.purchase
                    ON purchase.original_transaction_id = found.original
                    AND purchase.app_id = found.app_id
                CROSS JOIN main.purchase_terms AS terms
                    ON terms.transaction_id = purchase.transaction_id
                    AND terms.app_id = purchase.app_id
                WHERE found.round = :round + 1 AND terms.ownership = 'FAMILY_SHARED'
                """),
        // Who else states the purchases, or tells of the subscriptions.
        ConnectingLink(
            needs: "SELECT 1 FROM facts_subscription WHERE round = :round + 1",
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT stating.receipt_id, :round + 1
                FROM facts_subscription AS found
                CROSS JOIN main.purchase
                    ON purchase.original_transaction_id = found.original
                    AND purchase.app_id = found.app_id
                CROSS JOIN main.receipt_purchase AS stating USING (transaction_id)
                WHERE found.round = :round + 1
                """),
        ConnectingLink(
            needs: "SELECT 1 FROM facts_subscription WHERE round = :round + 1",
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT stating.receipt_id, :round + 1
                FROM facts_subscription AS found
                CROSS JOIN main.receipt_purchase AS stating ON stating.transaction_id = found.original
                WHERE found.round = :round + 1
                """),
        ConnectingLink(
            needs: "SELECT 1 FROM main.renewal",
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT renewal.receipt_id, :round + 1
                FROM facts_subscription AS found
                CROSS JOIN main.renewal ON renewal.original_transaction_id = found.original
                WHERE found.round = :round + 1
                """),
        ConnectingLink(
            needs: "SELECT 1 FROM main.renewal",
            statement: """
                INSERT OR IGNORE INTO facts_receipt
                SELECT renewal.receipt_id, :round + 1
                FROM facts_subscription AS found
                CROSS JOIN main.purchase
                    ON purchase.original_transaction_id = found.original
                    AND purchase.app_id = found.app_id
                CROSS JOIN main.renewal ON renewal.original_transaction_id = purchase.transaction_id
                WHERE found.round = :round + 1
                """),
    ]

    private static let termsOfReceipts = """
        CROSS JOIN main.receipt_purchase USING (receipt_id)
        CROSS JOIN main.purchase_terms AS told USING (transaction_id)
        """

    /// From receipts to the tags of those who presented them.
    private static func presenters(_ tag: String) -> ConnectingLink {
        ConnectingLink(
            needs: nil,
            statement: """
                INSERT OR IGNORE INTO facts_tag
                SELECT \(tag), :round + 1
                FROM facts_receipt AS found CROSS JOIN main.submission USING (receipt_id)
                WHERE found.round = :round AND \(tag) IS NOT NULL
                """)
    }

    /// From receipts to the customers that rows about them name.
    ///
    /// - Parameters:
    ///   - name: an expression over `told`, the rows.
    ///   - join: what leads to them; nil where they have the receipt's number.
    private static func customers(_ name: String, of table: String, joined join: String? = nil) -> ConnectingLink {
        ConnectingLink(
            needs: "SELECT 1 FROM main.\(table)",
            statement: """
                INSERT OR IGNORE INTO facts_customer
                SELECT \(name), :round + 1
                FROM facts_receipt AS found
                \(join ?? "CROSS JOIN main.\(table) AS told USING (receipt_id)")
                WHERE found.round = :round AND \(name) IS NOT NULL
                """)
    }
}
