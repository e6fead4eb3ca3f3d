internal import GRDB
internal import MillDatabase
internal import ReceiptWarehouse
internal import SignedDataFormat

/// Removes submissions from every table, with the receipts that no one else presented. For use within a transaction,
/// after the secondary indices were built.
///
/// ``ChosenSubmissions`` lists the submissions. A receipt stays where another person presented it, too, and so do the
/// purchases that remaining receipts state.
struct ErasedRows {
    /// The treatment of a purchase that remaining receipts also state.
    enum Shared {
        /// The merged values stay, and the newest remaining receipt becomes their source. Values that name a person are
        /// deleted where an erased document states them.
        case kept
        /// The purchase is deleted, and the caller merges it again from the remaining receipts listed in the temporary
        /// table `restating_receipt (receipt_id)`.
        case mergedAgain
    }

    struct Counts {
        var submissions = 0
        var receipts = 0
        var purchases = 0
    }

    private let db: Database
    private let chosen: ChosenSubmissions
    private let shared: Shared

    init(_ db: Database, _ chosen: ChosenSubmissions, shared: Shared = .kept) {
        (self.db, self.chosen, self.shared) = (db, chosen, shared)
    }

    /// - Parameter remembers: whether the presentations are remembered, so that they are erased again when an archive
    ///   brings them again.
    func remove(remembers: Bool) throws -> Counts {
        var counts = Counts()
        try db.execute(file: "care/choose_receipts.sql")
        if shared == .mergedAgain {
            try db.execute(
                sql: """
                    DROP TABLE IF EXISTS temp.restating_receipt;
                    CREATE TEMP TABLE restating_receipt (receipt_id INTEGER PRIMARY KEY);
                    """)
        }
        if remembers { try ErasedPresentations(db).remember() }
        counts.submissions = try chosen.count
        try chosen.remove()
        for table in ["purchase", "claimed_purchase"] {
            try db.execute(sql: Self.chooseStatements(of: table))
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE purchase_id IN (
                        SELECT purchase_id FROM temp.outdated WHERE next_id IS NULL)
                    """)
            counts.purchases += db.changesCount
            switch shared {
            case .kept:
                try db.execute(
                    sql: """
                        UPDATE \(table) SET receipt_id = next_id FROM temp.outdated
                        WHERE outdated.purchase_id = \(table).purchase_id AND next_id IS NOT NULL
                        """)
            case .mergedAgain: try restate(table)
            }
        }
        switch shared {
        case .kept: try keepTerms()
        case .mergedAgain: try restateTerms()
        }
        for (table, columns) in Self.tablesOfReceipts {
            for column in columns {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE \(column) IN (SELECT receipt_id FROM temp.erased_receipt)")
            }
        }
        try db.execute(
            sql: """
                DELETE FROM receipt_digest WHERE sha256 IN (SELECT sha256 FROM temp.erased_receipt);
                DELETE FROM receipt_lineage WHERE (hash_prefix, receipt_id) IN (
                    SELECT hash_prefix, receipt_id FROM temp.erased_receipt WHERE hash_prefix IS NOT NULL);
                """)
        try db.execute(sql: "DELETE FROM receipt WHERE receipt_id IN (SELECT receipt_id FROM temp.erased_receipt)")
        counts.receipts = db.changesCount
        // Unknown values may be anything, such as a person's name.
        for table in ["unknown_set_member", "unknown_set"] {
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE unknown_set_id NOT IN (
                        SELECT unknown_set_id FROM receipt WHERE unknown_set_id IS NOT NULL)
                    """)
        }
        try db.execute(sql: "DROP TABLE temp.erased_receipt; DROP TABLE temp.outdated")
        return counts
    }

    /// Tables with rows of single receipts, and the columns that refer to the receipt.
    private static let tablesOfReceipts =
        [("receipt_part", ["receipt_id", "part_receipt_id"])]
        + (SignedTable.names + ["raw_receipt", "reviewable_receipt", "receipt_purchase"]).map { ($0, ["receipt_id"]) }

    private static let erased = "(SELECT receipt_id FROM temp.erased_receipt)"

    /// SQL for the remaining receipts with the right verdict that state the transaction of a row of `stated`.
    private static func remainingReceipts(verdict: String = "stated.verdict", _ condition: String = "") -> String {
        """
        FROM receipt_purchase AS link CROSS JOIN receipt ON receipt.receipt_id = link.receipt_id
        WHERE link.transaction_id = stated.transaction_id AND receipt.app_id = stated.app_id
            AND receipt.verdict = \(verdict) \(condition)
            AND receipt.receipt_id NOT IN \(erased)
        """
    }

    /// SQL for the verdict and kind of the receipts that a row merges: trusted receipts share one table, and claims are
    /// separated by verdict and kind.
    private static func purchaseConditions(of table: String) -> (verdict: String, kind: String) {
        table == "purchase" ? ("'trusted'", "") : ("stated.verdict", "AND receipt.kind = stated.kind")
    }

    /// SQL that lists the purchases whose source is erased, each with the newest remaining receipt that also states the
    /// purchase; null where there is none.
    private static func chooseStatements(of table: String) -> String {
        let (verdict, kind) = purchaseConditions(of: table)
        return """
            DROP TABLE IF EXISTS temp.outdated;
            CREATE TEMP TABLE outdated AS
            SELECT purchase_id, (
                SELECT receipt.receipt_id \(remainingReceipts(verdict: verdict, kind))
                ORDER BY \(MergeRule.newestFirst)
                LIMIT 1) AS next_id
            FROM \(table) AS stated
            WHERE receipt_id IN \(erased);
            """
    }

    /// Keeps merged terms, except those that name a person and come from an erased document.
    private func keepTerms() throws {
        let erased = Self.erased
        let documents = TermGroup.allCases.map(\.sourceColumn)
        for field in SignedField.stored(of: .transaction) where field.person != nil {
            guard let column = field.storedColumn, case .newestStating(let group) = field.merge else { continue }
            try db.execute(
                sql: """
                    UPDATE purchase_terms SET \(column) = NULL
                    WHERE coalesce(\(group.sourceColumn), receipt_id) IN \(erased)
                    """)
        }
        for document in documents {
            try db.execute(sql: "UPDATE purchase_terms SET \(document) = NULL WHERE \(document) IN \(erased)")
        }
        try db.execute(
            sql: """
                UPDATE purchase_terms AS stated SET receipt_id = (
                    SELECT receipt.receipt_id \(Self.remainingReceipts("AND receipt.kind = 'signed_transaction'"))
                    ORDER BY \(MergeRule.newestFirst)
                    LIMIT 1)
                WHERE receipt_id IN \(erased);
                DELETE FROM purchase_terms WHERE receipt_id IS NULL;
                """)
        for document in documents {
            try db.execute(sql: "UPDATE purchase_terms SET \(document) = NULL WHERE \(document) = receipt_id")
        }
    }

    // MARK: Purchases to be merged again

    /// Deletes purchases whose source is erased, and lists the receipts from which they are merged again. The newest
    /// receipt decides, or else a transaction receipt, whose time for the merge rule is that of its purchase.
    private func restate(_ table: String) throws {
        let (verdict, kind) = Self.purchaseConditions(of: table)
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.restating_receipt
                SELECT next_id FROM temp.outdated WHERE next_id IS NOT NULL
                UNION
                SELECT receipt.receipt_id
                FROM temp.outdated
                CROSS JOIN \(table) AS stated ON stated.purchase_id = outdated.purchase_id
                CROSS JOIN receipt_purchase AS link ON link.transaction_id = stated.transaction_id
                CROSS JOIN receipt ON receipt.receipt_id = link.receipt_id
                WHERE receipt.app_id = stated.app_id AND receipt.kind = 'transaction_receipt'
                    AND receipt.verdict = \(verdict) \(kind)
                    AND receipt.receipt_id NOT IN \(Self.erased);
                DELETE FROM \(table) WHERE purchase_id IN (SELECT purchase_id FROM temp.outdated);
                """)
    }

    /// Deletes terms of which an erased document states a part, and lists every remaining document that may state a
    /// part.
    private func restateTerms() throws {
        let isErased = (["receipt_id"] + TermGroup.allCases.map(\.sourceColumn))
            .map { "stated.\($0) IN \(Self.erased)" }.joined(separator: " OR ")
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.outdated_terms;
                CREATE TEMP TABLE outdated_terms AS
                SELECT terms_id FROM purchase_terms AS stated WHERE \(isErased);
                INSERT OR IGNORE INTO temp.restating_receipt
                SELECT receipt.receipt_id
                FROM temp.outdated_terms
                CROSS JOIN purchase_terms AS stated ON stated.terms_id = outdated_terms.terms_id
                CROSS JOIN receipt_purchase AS link ON link.transaction_id = stated.transaction_id
                CROSS JOIN receipt ON receipt.receipt_id = link.receipt_id
                WHERE receipt.app_id = stated.app_id AND receipt.verdict = stated.verdict
                    AND receipt.kind = 'signed_transaction'
                    AND receipt.receipt_id NOT IN \(Self.erased);
                DELETE FROM purchase_terms WHERE terms_id IN (SELECT terms_id FROM temp.outdated_terms);
                DROP TABLE temp.outdated_terms;
                """)
    }
}
