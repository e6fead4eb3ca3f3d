internal import Foundation
internal import GRDB
package import MillSystem

/// Stores rejected lines in the database, compressed, within the loader's transaction.
///
/// For use inside a database access only, since the prepared statement belongs to the connection.
package final class DeadLetterStore {
    private let insertion: LoaderStatement
    private var deflate = Deflate()
    /// The number of bytes that are left for kept lines.
    private var free: Int
    private let now = Int64(Date().timeIntervalSince1970 * 1000)
    /// The number of rejected lines that were not kept, because they were too long to be read or exceeded the capacity.
    package private(set) var notKept = 0

    /// - Parameter capacity: the maximum size of all kept lines, compressed, in bytes.
    /// - Throws: ``MillError`` if the database has a pseudonym key, since kept lines contain identifiers in clear.
    package init(_ database: Warehouse, capacity: Int) throws(MillError) {
        (insertion, free) = try database.access { db in
            if try Row.fetchOne(db, sql: "SELECT 1 FROM pseudonym_key") != nil {
                throw Self.refusalUnderKey(database.path)
            }
            let kept = try Int.fetchOne(db, sql: "SELECT sum(length(deflated)) FROM dead_letter") ?? 0
            return (
                try LoaderStatement(
                    db, "INSERT INTO dead_letter (letter_id, bytes, kept_at, deflated) VALUES (?, ?, ?, ?)"),
                capacity - kept
            )
        }
    }

    package func insert(_ line: [UInt8]?, as id: Int64) throws(MillError) {
        guard let line else { return notKept += 1 }
        try line.span.withUnsafeBufferPointer { (bytes) throws(MillError) in
            try deflate.compress(bytes) { (deflated) throws(MillError) in
                guard deflated.count <= free else { return notKept += 1 }
                free -= deflated.count
                try insertion.run(id, Int64(bytes.count), now, LentBlob(deflated))
            }
        }
    }

    package static func refusalUnderKey(_ path: String?) -> MillError {
        MillError(
            stage: .loading, path: path,
            what: "rejected lines hold devices and accounts as they are, which a pseudonym key is to hide",
            hint: "keep no dead letters (--dead-letters, dead_letters) where there is a pseudonym key",
            exitStatus: .configuration)
    }
}
