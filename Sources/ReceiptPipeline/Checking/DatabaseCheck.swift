internal import Foundation
internal import GRDB
internal import ReceiptSQL
internal import ReceiptTrust

/// Holds a database to what SQLite and we promise of it; only reads, also while
/// a run is at work.
public struct DatabaseCheck: Sendable {
    public let path: String
    /// Kept receipts that are digested again; they are drawn over all of them.
    public var sampleSize = 1_000

    public init(path: String) {
        self.path = path
    }

    /// What became of one promise.
    public struct Finding: Sendable, Hashable {
        /// The promise, named after how it would be broken.
        public let name: String
        /// What breaks it, the first of it in words.
        public let offences: [String]
        /// How many there are; more than ``offences`` lists.
        public let count: Int
    }

    /// Offences that are told of one promise; the rest is counted.
    private static let listed = 10

    /// - Throws: ``MillError`` where the database can't be read at all.
    public func run() throws -> [Finding] {
        let database = try ReportDatabase(path: path)
        do {
            // One transaction: a run at work shows its rows whole or not at all.
            return try database.queue.read { db in
                let damage = try Self.finding("database_damaged", db, "PRAGMA integrity_check") { row in
                    row[0] == "ok" ? nil : row[0]
                }
                // What can't be read can't be held to anything else.
                guard damage.count == 0 else { return [damage] }
                var findings = [damage]
                findings.append(
                    try Self.finding("reference_leads_nowhere", db, "PRAGMA foreign_key_check") { row in
                        "row \(row[1] as Int64? ?? 0) of \(row[0] as String) refers to \(row[2] as String)"
                    })
                for file in SQLFile.files(in: "checks").sorted(by: { $0.name < $1.name }) {
                    findings.append(try Self.finding(file.name, db, file.text) { $0[0] })
                }
                findings.append(try versionKeys(db))
                findings.append(try keptReceipts(db))
                return findings
            }
        } catch let error as DatabaseError {
            throw ReportDatabase.explained(error, path: path)
        }
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
            VersionKey.key(row[0] as String) == row[1] ? nil : "version \(row[0] as String)"
        }
    }

    /// Receipts whose bytes are kept, against their digests: a sample drawn over
    /// all of them.
    private func keptReceipts(_ db: Database) throws -> Finding {
        let digest = try MessageDigest()
        return try Self.finding(
            "kept_receipt_differs", db,
            """
            SELECT receipt_id, sha256, octets, NULL, bytes FROM reviewable_receipt JOIN receipt USING (receipt_id)
            WHERE receipt_id % max(1, (SELECT count(*) FROM reviewable_receipt) / ?1) = 0
            UNION ALL
            SELECT receipt_id, sha256, NULL, deflated, bytes FROM kept_receipt JOIN receipt USING (receipt_id)
            WHERE receipt_id % max(1, (SELECT count(*) FROM kept_receipt) / ?1) = 0
            """,
            arguments: [sampleSize]
        ) { row in
            let deflated: Data? = row[3]
            let octets = deflated.map { ReceiptKeeper.inflated($0, bytes: row[4]) ?? [] } ?? [UInt8](row[2] as Data)
            let found = try digest.sha256(octets.span, in: octets.indices)
            return Data(found.bytes) == row[1] ? nil : "receipt \(row[0] as Int64)"
        }
    }
}
