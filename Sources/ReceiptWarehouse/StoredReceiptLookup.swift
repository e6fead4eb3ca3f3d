internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptTrust
internal import ReceiptVerification

/// Looks up receipts through a separate connection, so that workers read while the loader writes.
///
/// Safe to share between threads: its variables are touched only within accesses of `queue`, which are serial. A
/// look-up takes one to two microseconds, and reading the line that needs it takes several, so workers do not wait
/// here.
package final class StoredReceiptLookup: ReceiptLookup, @unchecked Sendable {
    private let queue: DatabaseQueue
    private let path: String
    private var statement: LoaderStatement?
    /// The digests to look up.
    private var asked = RowBuffer(columnCount: 1)

    /// Finds the identifier of the receipt with a digest.
    package static let query = "SELECT receipt_id FROM receipt_digest WHERE sha256 = ?"
    /// Finds the identifiers of many digests, in their order; null if a digest is not stored.
    private static let queryOfRows =
        "SELECT receipt_id FROM row_buffer(?) AS asked LEFT JOIN receipt_digest ON sha256 = asked.c0"
    /// Memory for pages, in KiB. It holds the digests of 200,000 receipts, since each look-up needs another page.
    private static let cacheKibibytes = 8 << 10

    package init(path: String) throws(MillError) {
        self.path = path
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        configuration.label = "receiptmill-lookup"
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKibibytes)")
            try RowBuffer.register(db)
        }
        do {
            queue = try DatabaseQueue(file: path, configuration: configuration)
        } catch {
            throw MillError(error, at: .verifying, path: path)
        }
    }

    package func storedReceipts(_ digests: [SHA256Digest]) throws(MillError) -> [Int64?] {
        do {
            // One statement for each batch makes a short read transaction; a long one would keep SQLite's log from
            // being emptied.
            return try queue.inDatabase { db in
                let statement = try statement ?? LoaderStatement(db, Self.queryOfRows)
                self.statement = statement
                defer { asked.removeAll() }
                for digest in digests {
                    asked.begin()
                    asked.put(digest)
                }
                return try statement.queryIntegers(asked)
            }
        } catch {
            throw MillError(error, at: .verifying, path: path)
        }
    }

    deinit {
        queue.inDatabase { _ in statement = nil }
    }
}
