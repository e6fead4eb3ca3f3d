internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptTrust

/// Digests by which erased presentations are known when their archive comes again.
struct Presentations {
    private let digest: MessageDigest

    init() throws(OpenSSLError) { digest = try MessageDigest() }

    /// Remembers the presentations that the temporary table `erased_submission` names.
    func remember(_ db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT sha256, account_id, device_id FROM submission JOIN receipt USING (receipt_id)
                WHERE submission_id IN (SELECT submission_id FROM temp.erased_submission)
                """)
        let insert = try db.makeStatement(
            sql: "INSERT OR IGNORE INTO erased_presentation (receipt_sha256, presentation) VALUES (?, ?)")
        while let row = try rows.next() {
            let receipt: Data = row[0]
            try insert.execute(arguments: [receipt, try presentation(of: receipt, row[1], row[2])])
        }
    }

    /// Adds submissions to the temporary table `erased_submission` whose presentations were erased before.
    func chooseAgain(_ db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT submission_id, erased.receipt_sha256, account_id, device_id, erased.presentation
                FROM erased_presentation AS erased
                CROSS JOIN receipt_digest AS known ON known.sha256 = erased.receipt_sha256
                CROSS JOIN submission ON submission.receipt_id = known.receipt_id
                """)
        let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.erased_submission VALUES (?)")
        while let row = try rows.next() {
            guard try presentation(of: row[1], row[2], row[3]) == row[4] as Data else { continue }
            try insert.execute(arguments: [row[0] as Int64])
        }
    }

    /// Forgets all presentations. Erased lines are known by what they held, and stay so.
    ///
    /// - Returns: how many.
    static func forget(_ db: Database) throws -> Int {
        try db.execute(
            sql: "DELETE FROM erased_presentation WHERE length(presentation) = ?", arguments: [SHA256Digest.count])
        return db.changesCount
    }

    /// SHA-256 over the receipt's digest, the account, a zero byte and the device.
    private func presentation(
        of receipt: Data, _ account: String?, _ device: String?
    ) throws(OpenSSLError) -> Data {
        let bytes = Array(receipt) + Array((account ?? "").utf8) + [0] + Array((device ?? "").utf8)
        return Data(try digest.sha256(bytes.span, in: bytes.indices).bytes)
    }
}
