internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptSQL
package import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Checks a database against what SQLite and this program promise of it; only reads, also
/// while a run is at work.
package struct DatabaseCheck: Sendable {
    package let path: String
    /// Stored receipts that are checked; the sample is drawn over all of them.
    package var sampleSize = 1_000
    /// What the database was loaded under: with it, the receipts of the sample are
    /// verified again. Nil compares digests only.
    package var anchors: TrustAnchors?

    package init(path: String) {
        self.path = path
    }

    /// What became of one promise.
    package struct Finding: Sendable, Hashable {
        /// The promise, named after how it would be broken.
        package let name: String
        /// What breaks it, the first of it in words.
        package let offences: [String]
        /// How many there are; more than ``offences`` lists.
        package let count: Int
        /// What to do about it, where more than reporting a fault of this program.
        package var hint: String?
    }

    /// Offences that are listed of one promise; the rest is counted.
    private static let listed = 10

    /// - Throws: ``MillError`` where the database can't be read at all.
    package func run() throws -> [Finding] {
        do {
            return try findings()
        } catch {
            // Damage is reported, whatever SQLite failed on.
            guard FileManager.default.fileExists(atPath: path), let damage = DatabaseDamage(path: path) else {
                throw error
            }
            return [Self.finding(damage)]
        }
    }

    private static func finding(_ damage: DatabaseDamage) -> Finding {
        Finding(
            name: "database_damaged", offences: Array(damage.faults.prefix(listed)), count: damage.faults.count,
            hint: MillError.hintOnDamage)
    }

    private func findings() throws -> [Finding] {
        let database = try ReadOnlyDatabase(path: path)
        do {
            // One transaction: a run at work shows its rows whole or not at all.
            return try database.queue.read { db in
                // What can't be read can't be held to anything else.
                if let damage = try DatabaseDamage(db) { return [Self.finding(damage)] }
                var findings = [Finding(name: "database_damaged", offences: [], count: 0)]
                findings.append(try schema(db))
                // What is promised of tables is asked of those of this version alone.
                guard findings.allSatisfy({ $0.count == 0 }) else { return findings }
                findings.append(
                    try Self.finding("reference_leads_nowhere", db, "PRAGMA foreign_key_check") { row in
                        "row \(row[1] as Int64? ?? 0) of \(row[0] as String) refers to \(row[2] as String)"
                    })
                for file in SQLFile.files(in: "checks").sorted(by: { $0.name < $1.name }) {
                    findings.append(try Self.finding(file.name, db, file.text) { $0[0] })
                }
                findings.append(try versionKeys(db))
                findings.append(try identifierTags(db))
                findings.append(try thresholds(db))
                let offences = try ModelCheck.offences(db)
                findings.append(
                    Finding(
                        name: "model_differs_from_header", offences: Array(offences.prefix(Self.listed)),
                        count: offences.count))
                findings += try storedDocuments(db)
                return findings
            }
        } catch let error as DatabaseError {
            throw ReadOnlyDatabase.explained(error, path: path)
        }
    }

    /// Tables, columns, indices and triggers, against those that this program would make.
    private func schema(_ db: Database) throws -> Finding {
        let found = try Schema.version(of: db) ?? 0
        guard found == Schema.version else {
            return Finding(
                name: "schema_older", offences: ["schema \(found), and this is \(Schema.version)"], count: 1,
                hint: "receiptmill migrate --database \(path)")
        }
        let differences = try Schema.differences(db, isWhole: true)
        return Finding(
            name: "schema_differs", offences: Array(differences.prefix(Self.listed)), count: differences.count,
            hint: MillError.hintOnDamage)
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
        return Finding(name: name, offences: offences, count: count)
    }

    /// Keys by which versions sort, against those that this program would write.
    private func versionKeys(_ db: Database) throws -> Finding {
        try Self.finding("version_key_differs", db, "SELECT version, version_key FROM version") { row in
            VersionKey.key(DocumentText(row[0] as String)) == DocumentText(row[1] as String)
                ? nil : "version \(row[0] as String)"
        }
    }

    /// Tags of devices and accounts, against those that the loader
    /// would write.
    private func identifierTags(_ db: Database) throws -> Finding {
        let tags = try IdentifierTags(db)
        return try Self.finding(
            "identifier_tag_differs", db,
            """
            SELECT archive_id, line, device_tag, CAST(device_id AS BLOB), account_tag, CAST(account_id AS BLOB)
            FROM submission
            """
        ) { row in
            let isSame =
                (row[3] as Data?).map { tags.tag(ofDevice: $0) } == row[2]
                && (row[5] as Data?).map { tags.tag(ofAccount: $0) } == row[4]
            return isSame ? nil : "archive \(row[0] as Int64), line \(row[1] as Int64)"
        }
    }

    /// Thresholds of signals that were set by SQL: one that is misspelt changes
    /// nothing, and one out of range makes every receipt a signal or none.
    private func thresholds(_ db: Database) throws -> Finding {
        var finding = try Self.finding(
            "signal_setting_unfit", db, "SELECT name, value FROM signal_setting ORDER BY name"
        ) { row in SignalThresholds.offence(of: row[0], value: row[1]) }
        finding.hint = "the view signal_settings names the thresholds and what they count; fix or delete the row"
        return finding
    }

    /// Documents that are stored whole, against their digests, and where anchors are
    /// given against their verdicts: a sample drawn over all of them.
    private func storedDocuments(_ db: Database) throws -> [Finding] {
        let digest = try MessageDigest()
        func finding(_ name: String, _ offence: (StoredDocument) throws -> String?) throws -> Finding {
            try Self.finding(name, db, Self.sample, arguments: [sampleSize]) { row in
                let receipt = "receipt \(row[0] as Int64)"
                guard let document = try? StoredDocument(row, path: path) else { return receipt }
                return try offence(document).map { receipt + $0 }
            }
        }
        let differs = try finding("kept_receipt_differs") { try $0.content(digest) == nil ? "" : nil }
        guard let anchors else { return [differs] }
        let verifier = try ReceiptVerifier(anchors: anchors, issuers: DocumentStore.issuers(db))
        let verdicts = try finding("kept_receipt_verdict_differs") { document in
            let verdict = try? document.verified(by: verifier, path: path).receipts.first?.verification.verdict
            guard verdict != document.verdict else { return nil }
            return ": \(document.verdict.rawValue), now \(verdict?.rawValue ?? "unreadable")"
        }
        return [differs, verdicts]
    }

    private static let sample = ["raw_receipt", "reviewable_receipt"].map { table in
        """
        \(StoredDocument.selection) WHERE receipt_id IN (
            SELECT receipt_id FROM \(table)
            WHERE receipt_id % max(1, (SELECT count(*) FROM \(table)) / ?1) = 0)
        """
    }.joined(separator: " UNION ")
}
