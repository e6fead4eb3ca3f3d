internal import GRDB
internal import MillDatabase
internal import SignedDataFormat

/// Removes submissions from every table, with the receipts that no one else presented. For use within a transaction,
/// after the secondary indices were built.
///
/// ``ChosenSubmissions`` lists the submissions. A receipt is kept if another person also presented it, and so are the
/// purchases that remaining receipts state.
struct ErasedRows {
    /// The treatment of a purchase that remaining receipts also state.
    enum Shared {
        /// The merged values are kept, and the newest remaining receipt becomes their source. Values that name a person
        /// are deleted if an erased document states them.
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

    /// - Parameter remembers: whether the presentations are recorded, so that they are erased again if they are loaded
    ///   again.
    func remove(remembers: Bool) throws -> Counts {
        var counts = Counts()
        try db.execute(file: "care/choose_receipts.sql")
        if remembers { try ErasedPresentations(db).remember() }
        counts.submissions = try chosen.remove()
        try db.execute(file: "care/choose_outdated.sql")
        try chooseOutdatedTerms()
        for table in ["outdated_purchase", "outdated_claim"] {
            counts.purchases +=
                try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.\(table) WHERE next_id IS NULL") ?? 0
        }
        switch shared {
        case .kept:
            try db.execute(file: "care/keep_purchases.sql")
            try keepTerms()
        case .mergedAgain: try db.execute(file: "care/restate_purchases.sql")
        }
        counts.receipts = try LoaderTable.deleteRows(of: .receipt, in: "temp.erased_receipt", db)["receipt"] ?? 0
        try db.execute(file: "care/remove_unknown_sets.sql")
        try db.execute(sql: "DROP VIEW temp.remaining_statement; DROP TABLE temp.erased_receipt")
        return counts
    }

    // MARK: Terms

    private static let erased = "(SELECT receipt_id FROM temp.erased_receipt)"
    /// The columns that name the documents from which the groups of terms come.
    private static let sources = TermGroup.allCases.map(\.sourceColumn)

    /// Lists terms that partly come from an erased document, in the temporary table `outdated_terms (terms_id)`.
    private func chooseOutdatedTerms() throws {
        let isOutdated = (["receipt_id"] + Self.sources).map { "\($0) IN \(Self.erased)" }.joined(separator: " OR ")
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS temp.outdated_terms;
                CREATE TEMP TABLE outdated_terms AS SELECT terms_id FROM purchase_terms WHERE \(isOutdated)
                """)
    }

    /// Keeps merged terms, except those that name a person and come from an erased document.
    private func keepTerms() throws {
        let persons = SignedField.stored(of: .transaction).filter { $0.person != nil }.compactMap { field in
            if let column = field.storedColumn, case .newestStating(let group) = field.merge {
                "\(column) = iif(coalesce(\(group.sourceColumn), receipt_id) IN \(Self.erased), NULL, \(column))"
            } else {
                nil
            }
        }
        try updateTerms(persons + Self.sources.map { "\($0) = iif(\($0) IN \(Self.erased), NULL, \($0))" })
        try db.execute(file: "care/keep_terms.sql")
        try updateTerms(Self.sources.map { "\($0) = nullif(\($0), receipt_id)" })
    }

    private func updateTerms(_ assignments: [String]) throws {
        try db.execute(
            sql: """
                UPDATE purchase_terms SET \(assignments.joined(separator: ", "))
                WHERE terms_id IN (SELECT terms_id FROM temp.outdated_terms)
                """)
    }
}
