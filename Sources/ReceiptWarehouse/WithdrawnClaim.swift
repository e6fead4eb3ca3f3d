internal import GRDB
internal import ReceiptFormat
internal import ReceiptTrust

/// A claim (a purchase in a receipt that is not trusted) that a review has withdrawn, because the claiming receipt now
/// has another verdict. Withdrawn claims are stored in a temporary table instead of memory, since each receipt may have
/// one.
struct WithdrawnClaim {
    let id, app: Int64
    let transaction: DatabaseValue
    /// The former verdict, under which other receipts may still claim the purchase.
    let verdict: String

    static func createTable(_ db: Database) throws {
        // A STRICT table does not convert text identifiers that consist of digits to numbers.
        try db.execute(
            sql: """
                CREATE TEMP TABLE withdrawn_claim (
                    claim_id INTEGER PRIMARY KEY, app_id INTEGER NOT NULL, transaction_id ANY NOT NULL,
                    verdict TEXT NOT NULL
                ) STRICT
                """)
    }

    static func dropTable(_ db: Database) throws {
        try db.execute(sql: "DROP TABLE temp.withdrawn_claim")
    }

    /// Deletes the claim of a receipt under its former verdict, unless the stored state of the purchase comes from
    /// another receipt.
    static func withdraw(_ receipt: StoredDocument, _ db: Database) throws {
        let claim = """
            FROM claimed_purchase
            WHERE app_id = :app AND verdict = :verdict AND kind = :kind AND receipt_id = :receipt
                AND transaction_id IN (SELECT transaction_id FROM receipt_purchase WHERE receipt_id = :receipt)
            """
        let arguments: StatementArguments = [
            "app": receipt.app, "verdict": receipt.verdict.rawValue,
            "kind": ReceiptKind.transactionReceipt.rawValue, "receipt": receipt.id,
        ]
        try db.executeCached(
            """
            INSERT INTO temp.withdrawn_claim (app_id, transaction_id, verdict)
            SELECT app_id, transaction_id, verdict \(claim)
            """, arguments)
        if db.changesCount > 0 { try db.executeCached("DELETE \(claim)", arguments) }
    }

    /// The first withdrawn claim whose identifier is greater than the given one.
    static func next(after id: Int64, _ db: Database) throws -> WithdrawnClaim? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT claim_id, app_id, transaction_id, verdict FROM temp.withdrawn_claim
                WHERE claim_id > ? ORDER BY claim_id LIMIT 1
                """)
        return try Row.fetchOne(statement, arguments: [id]).map {
            WithdrawnClaim(id: $0[0], app: $0[1], transaction: $0[2], verdict: $0[3])
        }
    }
}
