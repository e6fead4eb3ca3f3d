package import GRDB
package import MillSystem

/// Stores whole receipts, deflated, so that they can be verified again.
///
/// For use inside a database access only, since the prepared statement belongs to the connection.
package final class RawReceiptStore {
    private let insert: LoaderStatement
    private var deflate = Deflate()

    package init(_ db: Database) throws(MillError) {
        insert = try LoaderStatement(db, "INSERT INTO raw_receipt (receipt_id, deflated) VALUES (?, ?)")
    }

    package func store(_ receipt: UnsafeBufferPointer<UInt8>, of id: Int64) throws(MillError) {
        try deflate.compress(receipt) { (deflated) throws(MillError) in
            try insert.run(id, LentBlob(deflated))
        }
    }
}
