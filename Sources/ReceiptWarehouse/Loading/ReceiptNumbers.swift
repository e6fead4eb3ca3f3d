internal import GRDB
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification

/// Assigns numbers to receipts, and finds the numbers of stored ones.
struct ReceiptNumbers {
    /// Receipts written since the last commit. They can't be found in any table, since only the commit writes their
    /// keys.
    private(set) var uncommitted = DigestTable()
    var next: Int64
    private let stored: LoaderStatement

    init(_ db: Database) throws {
        next = (try Int64.fetchOne(db, sql: "SELECT max(receipt_id) FROM receipt") ?? 0) + 1
        stored = try LoaderStatement(db, StoredReceiptLookup.query)
    }

    mutating func add(_ receipt: SHA256Digest, _ number: Int64) { uncommitted.update(receipt, to: number) }

    /// The number of a receipt, committed or not; nil if it is not stored.
    func find(_ receipt: SHA256Digest) throws(MillError) -> Int64? {
        if let number = uncommitted[receipt] { return number }
        return try receipt.withBytes { (digest) throws(MillError) in try stored.queryInteger(LentBlob(digest)) }
    }

    /// Removes the receipts whose keys are written.
    mutating func forgetUncommitted() { uncommitted.removeAll() }
}
