internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust
internal import ReceiptVerification

/// Judges every receipt of a database again, from the bytes that were kept: under
/// other anchors, or by the rules of another version.
///
/// What receipts tell is taken back and told again in one transaction, so a run
/// that is killed changes nothing. Needs every receipt: what one tells may have
/// been overruled by another.
package struct Regrade: Sendable {
    package var database: String
    package var anchors = TrustAnchors.apple
    package var intermediates = IssuerCertificates()
    /// Receipts whose keys wait in memory; decides speed and memory alone.
    var windowSize = Loader.defaultWindowSize

    package init(database: String) {
        self.database = database
    }

    package struct Summary: Sendable, Hashable {
        package internal(set) var receipts = 0
        /// Receipts whose verdict is another, by the verdicts before and now.
        package internal(set) var changes: [Change: Int] = [:]

        package struct Change: Sendable, Hashable {
            package let former, verdict: Verdict
        }
    }

    /// Receipts that are read from the database at once.
    private static let batchSize = 256

    package func run() throws(MillError) -> Summary {
        guard FileManager.default.fileExists(atPath: database) else {
            throw MillError(
                stage: .verifying, path: database, what: "there is no such database",
                hint: "name one that receiptmill ingest wrote", exitStatus: .missingInput)
        }
        let loadDatabase = try LoadDatabase(path: database)
        try refuseIncomplete(loadDatabase)
        let issuers = try loadDatabase.save(intermediates)
        // Claims of one transaction are found by an index that a first load lacks.
        try loadDatabase.access { db in try Schema.buildIndices(db, workers: 1) }
        let loader = try Loader(loadDatabase, knownIssuers: issuers.count, known: nil, windowSize: windowSize)
        let judge = try MillError.wrapping { () throws(OpenSSLError) in
            try ReceiptVerifier(anchors: anchors, issuers: issuers)
        }
        try loader.write { db in
            for table in [
                "purchase", "claimed_purchase", "receipt_purchase", "reviewable_receipt", "receipt_digest",
                "receipt_lineage",
            ] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
        }
        var summary = Summary()
        var last: Int64 = 0
        while true {
            let rows = try loadDatabase.access { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT receipt_id, sha256, bytes, verdict, deflated FROM receipt JOIN raw_receipt USING (receipt_id)
                        WHERE receipt_id > ? ORDER BY receipt_id LIMIT ?
                        """,
                    arguments: [last, Self.batchSize])
            }
            guard let final = rows.last else { break }
            last = final[0]
            for row in rows { try regrade(row, judge, loader, &summary) }
        }
        try loader.review(anchors: anchors)
        try loader.finish()
        return summary
    }

    private func regrade(
        _ row: Row, _ judge: ReceiptVerifier, _ loader: Loader, _ summary: inout Summary
    ) throws(MillError) {
        let number: Int64 = row[0]
        guard let receipt = RawReceiptStore.inflated(row[4], bytes: row[2]),
            let digest = SHA256Digest(bytes: row[1] as Data),
            try MillError.wrapping({ () throws(OpenSSLError) in
                try MessageDigest().sha256(receipt.span, in: receipt.indices)
            }) == digest
        else { throw Self.damage(database, "receipt \(number) is not what was kept") }
        let batch = try MillError.wrapping { () throws(OpenSSLError) in try judge.verified(receipt, digest) }
        guard let verdict = batch.receipts.first?.verification.verdict else {
            let detail = batch.rejections.first?.cause.detail ?? ""
            throw Self.damage(database, "receipt \(number) can't be read any more: \(detail)")
        }
        try loader.replace(number, with: batch)
        summary.receipts += 1
        if let former = Verdict(rawValue: row[3]), former != verdict {
            summary.changes[Summary.Change(former: former, verdict: verdict), default: 0] += 1
        }
    }

    private func refuseIncomplete(_ loadDatabase: LoadDatabase) throws(MillError) {
        let missing = try loadDatabase.access { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM receipt
                    WHERE NOT EXISTS (SELECT 1 FROM raw_receipt AS kept WHERE kept.receipt_id = receipt.receipt_id)
                    """) ?? 0
        }
        guard missing > 0 else { return }
        throw MillError(
            stage: .loading, path: database, what: "\(missing) receipts were not kept, so not all can be judged again",
            hint: "load the archives into a new database, with --keep-receipts", exitStatus: .badData)
    }

    private static func damage(_ path: String, _ what: String) -> MillError {
        MillError(
            stage: .loading, path: path, what: what,
            hint: "load the archives into a new database; this one is unchanged",
            exitStatus: .badData)
    }
}
