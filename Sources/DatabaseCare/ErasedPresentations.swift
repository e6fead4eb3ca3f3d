internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptTrust
package import ReceiptVerification
package import ReceiptWarehouse

/// Digests of erased presentations and lines. They are used to recognise and erase the same ones if they are loaded
/// again.
///
/// A presentation has a row with the digest of its receipt, and a digest over receipt, account and device. A rejected
/// line has a row with its digest and, in eight bytes, its length.
struct ErasedPresentations {
    fileprivate static let lengthBytes = 8

    private let db: Database
    private let digest: MessageDigest

    /// For use within a transaction.
    init(_ db: Database) throws(OpenSSLError) {
        self.db = db
        digest = try MessageDigest()
    }

    /// Records the presentations listed in the temporary table `erased_submission`.
    func remember() throws {
        let rows = try Row.fetchCursor(db, sql: Database.sql(ofFile: "care/erased_presentations.sql"))
        while let row = try rows.next() {
            try remember(row[0], try presentation(of: row[0], row[1], row[2]))
        }
    }

    /// Records an erased line by its digest and length.
    func remember(line: [UInt8]) throws {
        let content = ErasedLines.content(of: line.span, line.indices)
        let length = UInt64(content.count)
        let bytes = (0..<Self.lengthBytes).map {
            UInt8(truncatingIfNeeded: length >> UInt64(8 * (Self.lengthBytes - 1 - $0)))
        }
        try remember(Data(try digest.sha256(line.span, in: content).bytes), Data(bytes))
    }

    private func remember(_ content: Data, _ presentation: Data) throws {
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO erased_presentation (receipt_sha256, presentation) VALUES (?, ?)"
        ).execute(arguments: [content, presentation])
    }

    /// Adds submissions that repeat an erased presentation to the temporary table `erased_submission`.
    func chooseAgain() throws {
        let rows = try Row.fetchCursor(db, sql: Database.sql(ofFile: "care/presentations_erased_before.sql"))
        let insert = try db.makeStatement(sql: "INSERT OR IGNORE INTO temp.erased_submission VALUES (?)")
        while let row = try rows.next() {
            guard try presentation(of: row[1], row[2], row[3]) == row[4] as Data else { continue }
            try insert.execute(arguments: [row[0] as Int64])
        }
    }

    /// Deletes the records of all presentations, because their digests depend on the pseudonym key. Those of erased
    /// lines don't, and are kept.
    ///
    /// - Returns: the number of deleted records.
    func forget() throws -> Int {
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

extension ErasedLines {
    /// The rejected lines that were erased from a database.
    package init(of warehouse: Warehouse) throws(MillError) {
        self.init()
        let rows = try warehouse.rows(
            "SELECT receipt_sha256, presentation FROM erased_presentation WHERE length(presentation) = ?",
            [ErasedPresentations.lengthBytes])
        for row in rows {
            guard let digest = SHA256Digest(bytes: row[0] as Data) else { continue }
            insert(digest, bytes: (row[1] as Data).reduce(0) { $0 << 8 | Int($1) })
        }
    }
}
