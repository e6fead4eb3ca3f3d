internal import Foundation
internal import GRDB
package import MillSystem
internal import ReceiptTrust
package import ReceiptVerification
package import ReceiptWarehouse

extension LoadDatabase {
    /// A rejected line has a row among erased presentations: its digest in the place of the receipt's, and its
    /// length, in eight bytes, in the place of the presentation's digest.
    private static let lengthBytes = 8

    /// Rejected lines that were erased.
    package func erasedLines() throws(MillError) -> ErasedLines {
        try access { db in
            var lines = ErasedLines()
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT receipt_sha256, presentation FROM erased_presentation WHERE length(presentation) = ?",
                arguments: [Self.lengthBytes])
            while let row = try rows.next() {
                guard let digest = SHA256Digest(bytes: row[0] as Data) else { continue }
                lines.insert(digest, bytes: (row[1] as Data).reduce(0) { $0 << 8 | Int($1) })
            }
            return lines
        }
    }

    /// Remembers a line that is erased, within the transaction at hand.
    static func remember(
        erasedLine line: [UInt8], _ digest: MessageDigest, _ db: Database
    ) throws {
        let content = ErasedLines.content(of: line.span, line.indices)
        let length = UInt64(content.count)
        let bytes = (0..<lengthBytes).map { UInt8(truncatingIfNeeded: length >> UInt64(8 * (lengthBytes - 1 - $0))) }
        try db.execute(
            sql: "INSERT OR IGNORE INTO erased_presentation (receipt_sha256, presentation) VALUES (?, ?)",
            arguments: [Data(try digest.sha256(line.span, in: content).bytes), Data(bytes)])
    }
}
