package import GRDB

/// A table of the schema, and the owner of its rows: the archive, document or other thing with which they are deleted.
///
/// Erasure, retraction, deletion by age, regrading and slices of models use this description to find an owner's rows.
/// The exception is that SQL in `sql/care` decides which purchases and terms remain. A test compares the description
/// with the schema: every table is described, and every required reference to an owner is a key.
package struct LoaderTable: Sendable {
    /// The owner of a row. The row is deleted with it.
    package struct Owner: Sendable, Hashable {
        /// The table that has a row for each owner.
        let table: String
        /// The columns that identify an owner.
        let identifier: [String]

        package static let archive = Owner(table: "archive", identifier: ["archive_id"])
        package static let submission = Owner(table: "submission", identifier: ["submission_id"])
        package static let receipt = Owner(table: "receipt", identifier: ["receipt_id"])
        package static let purchase = Owner(table: "purchase", identifier: ["purchase_id"])
        /// An App Store report file.
        package static let reportFile = Owner(table: "store_file", identifier: ["file_id"])
        /// A person, an installation or a receipt, by the name under which a fraud team records decisions.
        package static let subject = Owner(table: "decision", identifier: ["subject_kind", "subject"])
        /// The owner of rows that are kept when archives and documents are deleted: shared texts, settings, and records
        /// of what was done.
        package static let database = Owner(table: "identity", identifier: [])
    }

    /// The columns that together identify the owner, each with its value as SQL over the owner's row, which is named
    /// `held`.
    typealias Key = KeyValuePairs<String, String>

    package let name: String
    package let owner: Owner
    /// A row belongs to an owner if one of these keys matches; nil if the table has the columns of the owner's
    /// identifier. Slices use only the first key: a part of a document has a second one, for its own document.
    let keys: [Key]?

    /// Every table of the schema. The tables of one owner are in the order of deletion.
    package static let all: [LoaderTable] =
        tables(of: .archive, ["rejection", "dead_letter", "archive_place", "archive_prefix", "archive"])
        + tables(of: .submission, ["signal_sighting", "late_submission", "submission"])
        + tables(
            of: .receipt,
            [
                "receipt_part", "receipt_digest", "receipt_lineage", "receipt_purchase", "raw_receipt",
                "reviewable_receipt", "renewal", "notification", "app_transaction", "realtime_request", "revocation",
                "seat_revocation", "commerce", "commerce_item", "commerce_refund", "receipt",
            ])
        + tables(of: .purchase, ["purchase_terms", "claimed_purchase", "consumption_answer", "purchase"])
        + tables(of: .reportFile, ["store_sale", "store_row", "store_rejection", "store_period", "store_file"])
        + tables(of: .subject, ["decision_signal", "allowed_subject", "decision"])
        + tables(
            of: .database,
            [
                "app", "version", "product", "signer", "attribute_set", "attribute_set_member", "unknown_set",
                "unknown_set_member", "store_product", "issuer_certificate",
                "run", "run_archive", "retraction", "erasure", "erased_presentation", "erased_store_row",
                "identity", "tag_seed", "pseudonym_key", "change_count", "setting", "signal_setting", "app_setting",
                "app_expected_version", "listed_price", "exchange_rate", "rate_rule", "rate_currency",
            ])

    /// The keys of tables that lack the columns of the owner's identifier, or that have no index which begins with
    /// them.
    private static let keys: [String: [Key]] = [
        "receipt_part": [["receipt_id": "held.receipt_id"], ["part_receipt_id": "held.receipt_id"]],
        "receipt_digest": [["sha256": "held.sha256"]],
        "receipt_lineage": [["hash_prefix": "substr(held.device_hash, 1, 6)", "receipt_id": "held.receipt_id"]],
        "purchase_terms": [["transaction_id": "held.transaction_id", "app_id": "held.app_id"]],
        "claimed_purchase": [["transaction_id": "held.transaction_id", "app_id": "held.app_id"]],
        "consumption_answer": [
            [
                "environment": "(SELECT app.environment FROM app WHERE app.app_id = held.app_id)",
                "transaction_id": "held.transaction_id",
            ]
        ],
        "decision_signal": [["decision_id": "held.decision_id"]],
    ]

    /// The tables whose rows repeat what documents state. When all documents are verified again, these rows are written
    /// again.
    package static let stated: [String] = {
        let kept: Set = ["receipt", "receipt_part", "raw_receipt", "consumption_answer"]
        return all.filter { [.receipt, .purchase].contains($0.owner) && !kept.contains($0.name) }.map(\.name)
    }()

    /// The tables with the columns `subject_kind` and `subject`.
    package static let namingSubjects = all.filter { $0.owner == .subject && $0.keys == nil }.map(\.name)

    private static func tables(of owner: Owner, _ names: [String]) -> [LoaderTable] {
        names.map { LoaderTable(name: $0, owner: owner, keys: keys[$0]) }
    }

    static func named(_ name: String) -> LoaderTable? { all.first { $0.name == name } }

    // MARK: Rows of owners

    /// Deletes all rows of some owners. For use within a transaction.
    ///
    /// - Parameter chosen: a table, or a SELECT in brackets, with the identifiers of the owners.
    /// - Returns: the number of deleted rows for each table.
    @discardableResult
    package static func deleteRows(of owner: Owner, in chosen: String, _ db: Database) throws -> [String: Int] {
        let identifier = list(owner.identifier)
        let isChosen = "(\(identifier)) IN (SELECT \(identifier) FROM \(chosen))"
        var counts: [String: Int] = [:]
        for table in all where table.owner == owner {
            let conditions =
                table.keys?.map { key in
                    let values = "SELECT \(list(key.map(\.value))) FROM \(owner.table) AS held WHERE \(isChosen)"
                    return "(\(list(key.map(\.key)))) IN (\(values))"
                } ?? [isChosen]
            for condition in conditions {
                try db.execute(sql: "DELETE FROM \(table.name) WHERE \(condition)")
                counts[table.name, default: 0] += db.changesCount
            }
        }
        return counts
    }

    /// SQL that selects the rows, named `own`, that belong to owners.
    ///
    /// - Parameter chosen: a table with the identifiers of the owners, which is given the alias `slice`.
    func rows(ofOwnersIn chosen: String) -> String {
        let isOwner = owner.identifier.map { "\(keys == nil ? "own" : "held").\($0) = slice.\($0)" }
        guard let key = keys?.first else {
            return "\(chosen) AS slice CROSS JOIN main.\(name) AS own ON \(Self.all(isOwner))"
        }
        return """
            \(chosen) AS slice CROSS JOIN main.\(owner.table) AS held ON \(Self.all(isOwner))
            CROSS JOIN main.\(name) AS own ON \(Self.all(key.map { "own.\($0.key) = \($0.value)" }))
            """
    }

    private static func all(_ conditions: [String]) -> String { conditions.joined(separator: " AND ") }
    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
