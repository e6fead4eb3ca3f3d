internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptSQL
package import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Checks a database against the guarantees of SQLite and the invariants of this program. The check only reads, so a
/// run may be active at the same time.
package struct DatabaseCheck: Sendable {
    package let path: String
    /// The number of stored receipts that are checked.
    package var sampleSize = 1_000
    /// The number of the last receipt that the previous check examined. The sample begins with the next receipt and
    /// starts over after the last one, so that successive checks examine every receipt.
    package var precedingReceipt: Int64 = 0
    /// The trust anchors with which the database was loaded; the receipts of the sample are verified again with them.
    /// If nil, only digests are compared.
    package var anchors: TrustAnchors?

    package init(path: String) {
        self.path = path
    }

    /// The result of checking one invariant.
    package struct Finding: Sendable, Hashable {
        /// The name of the invariant, in the form of how it would be broken.
        package let name: String
        /// The first rows that break the invariant, in words.
        package let offences: [String]
        /// The number of rows that break the invariant; may exceed the number of ``offences``.
        package let count: Int
        /// What the user can do about it; nil if the only remedy is to report a fault of this program.
        package var hint: String?

        /// - Parameters:
        ///   - offences: rows that break the invariant, of which the first are listed.
        ///   - count: the number of rows that break it; nil if `offences` has all.
        init(_ name: String, _ offences: [String], count: Int? = nil, hint: String? = nil) {
            self.name = name
            self.offences = Array(offences.prefix(DatabaseCheck.listed))
            self.count = count ?? offences.count
            self.hint = hint
        }

        /// Whether stored rows have changed. A finding that a setting or a migration corrects is not damage.
        package var showsDamage: Bool { count > 0 && (hint == nil || hint == MillError.hintOnDamage) }
    }

    package struct Examination: Sendable {
        package let findings: [Finding]
        /// The last stored receipt that the check examined; the next check continues after it.
        package let lastReceipt: Int64
    }

    /// The name of the finding of SQLite's integrity check.
    package static let damageName = "database_damaged"

    /// The number of offences that are listed for one invariant; the others are only counted.
    private static let listed = 10

    /// The number of transactions for which the models' rows are computed again.
    private static let sampledTransactions = 20

    /// - Throws: ``MillError`` if the database can't be read at all.
    package func run() throws -> [Finding] { try examine().findings }

    /// - Throws: ``MillError`` if the database can't be read at all.
    package func examine() throws -> Examination {
        do {
            return try outcome()
        } catch {
            // Damage can make any statement fail, so a failed check looks for damage before it reports its own error.
            guard FileManager.default.fileExists(atPath: path), let damage = DatabaseDamage(path: path) else {
                throw error
            }
            return outcome([Self.finding(damage)])
        }
    }

    /// The outcome of a check that examined no stored receipt.
    private func outcome(_ findings: [Finding]) -> Examination {
        Examination(findings: findings, lastReceipt: precedingReceipt)
    }

    private static func finding(_ damage: DatabaseDamage) -> Finding {
        Finding(damageName, damage.faults, hint: MillError.hintOnDamage)
    }

    private func outcome() throws -> Examination {
        let database = try ReadOnlyDatabase(path: path)
        do {
            // The checks share one transaction, so that they see the rows of an active run completely or not at all.
            return try database.queue.read { db in
                // A damaged file can't be checked any further.
                if let damage = try DatabaseDamage(db) { return outcome([Self.finding(damage)]) }
                var findings = [Finding(Self.damageName, []), try schema(db)]
                // The other checks read tables of this version's schema.
                guard findings.allSatisfy({ $0.count == 0 }) else { return outcome(findings) }
                findings.append(
                    try Self.finding("reference_leads_nowhere", db, "PRAGMA foreign_key_check") { row in
                        "row \(row[1] as Int64? ?? 0) of \(row[0] as String) refers to \(row[2] as String)"
                    })
                try Self.addFunctions(to: db)
                for file in SQLFile.files(in: "checks").sorted(by: { $0.name < $1.name }) {
                    findings.append(try Self.finding(file.name, db, file.text) { $0[0] })
                }
                let refresh = "\(ShellWords.line(["refresh", "--whole", "--database", path])) recomputes them"
                findings += [
                    try thresholds(db),
                    Finding("model_differs_from_header", try ModelCheck.offences(db), hint: refresh),
                    Finding(
                        "model_differs_from_rows",
                        try ModelCheck.differences(inSampleOf: Self.sampledTransactions, db), hint: refresh),
                    try leftOutRows(db),
                ]
                let sample = try ReceiptSample(of: sampleSize, behind: precedingReceipt, db)
                let stored = try storedDocuments(db, sample)
                findings += stored.findings
                // If a receipt is damaged, every later check begins with it until it is repaired.
                return Examination(findings: findings, lastReceipt: stored.firstDamaged.map { $0 - 1 } ?? sample.last)
            }
        } catch let error as DatabaseError {
            throw ReadOnlyDatabase.explained(error, path: path)
        }
    }

    /// Compares tables, columns, indices and triggers with those that this program would create.
    private func schema(_ db: Database) throws -> Finding {
        let found = try Schema.version(of: db) ?? 0
        guard found == Schema.version else {
            return Finding(
                "schema_older", ["schema \(found), and this is \(Schema.version)"],
                hint: "receiptmill migrate --database \(path)")
        }
        return Finding("schema_differs", try Schema.differences(db, isWhole: true), hint: MillError.hintOnDamage)
    }

    private static func finding(
        _ name: String, _ db: Database, _ sql: String, arguments: StatementArguments = [],
        offence: (Row) throws -> String?
    ) throws -> Finding {
        var offences: [String] = []
        var count = 0
        let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        while let row = try rows.next() {
            guard let text = try offence(row) else { continue }
            count += 1
            if count <= listed { offences.append(text) }
        }
        return Finding(name, offences, count: count)
    }

    /// Adds SQL functions that compute what the loader would write: keys of versions, and tags.
    private static func addFunctions(to db: Database) throws {
        try IdentifierTags(db).addFunctions(to: db)
        db.add(
            function: DatabaseFunction("version_key_of", argumentCount: 1, pure: true) { values in
                Data.fromDatabaseValue(values[0]).map { Data(VersionKey.key(DocumentText(decoding: $0)).utf8) }
            })
    }

    /// Checks thresholds of signals that were set by SQL. A misspelt name changes nothing, and a value out of range
    /// makes all receipts signals, or none.
    private func thresholds(_ db: Database) throws -> Finding {
        var finding = try Self.finding(
            "signal_setting_unfit", db, "SELECT name, value FROM signal_setting ORDER BY name"
        ) { row in SignalThresholds.offence(of: row[0], value: row[1]) }
        finding.hint = "the view signal_settings names the thresholds and what they count; fix or delete the row"
        return finding
    }

    /// Lists the rows that a refresh left out of models because they violate a key or a type.
    private func leftOutRows(_ db: Database) throws -> Finding {
        let rows = try LeftOutRows.all(db)
        return Finding(
            "model_row_left_out", rows.map(\.text), count: rows.reduce(0) { $0 + $1.count },
            hint: "reports lack these rows; report the lines above as an internal error")
    }

    /// Compares a sample of the stored documents with their digests and, if anchors are given, with their verdicts.
    ///
    /// - Returns: the findings, and the number of a receipt whose stored bytes have changed; nil if there is none.
    private func storedDocuments(
        _ db: Database, _ sample: ReceiptSample
    ) throws -> (findings: [Finding], firstDamaged: Int64?) {
        let digest = try MessageDigest()
        var firstDamaged: Int64?
        let differs = try Self.finding(
            "kept_receipt_differs", db, ReceiptSample.selection, arguments: sample.arguments
        ) { row in
            if let document = try? StoredDocument(row, path: path), try document.content(digest) != nil { return nil }
            firstDamaged = firstDamaged ?? row[0]
            return "receipt \(row[0] as Int64)"
        }
        guard let anchors else { return ([differs], firstDamaged) }
        let verifier = try ReceiptVerifier(anchors: anchors, issuers: DocumentStore.issuers(db))
        var verdicts = try Self.finding(
            "kept_receipt_verdict_differs", db, ReceiptSample.selection, arguments: sample.arguments
        ) { row in
            let receipt = "receipt \(row[0] as Int64)"
            guard let document = try? StoredDocument(row, path: path) else { return receipt }
            let verdict = try? document.verified(by: verifier, path: path).receipts.first?.verification.verdict
            guard verdict != document.verdict else { return nil }
            return receipt + ": \(document.verdict.rawValue), now \(verdict?.rawValue ?? "unreadable")"
        }
        // The stored bytes match the digest, so the verdicts differ because of other anchors or other rules.
        verdicts.hint =
            "name the anchors that the database was loaded under; receiptmill regrade verifies all stored receipts again"
        return ([differs, verdicts], firstDamaged)
    }
}
