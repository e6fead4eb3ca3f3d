internal import CZlib
package import Foundation
package import GRDB
package import MillSystem

/// Stores receipts whole, deflated, so that they can be judged again.
///
/// For use inside a database access only, as its statement is.
package final class RawReceiptStore {
    private let insert: LoaderStatement
    private var deflated: [UInt8] = []

    /// Most of a receipt is certificates, which no level makes much smaller.
    private static let level: Int32 = 1

    package init(_ db: Database) throws(MillError) {
        insert = try LoaderStatement(db, "INSERT INTO raw_receipt (receipt_id, deflated) VALUES (?, ?)")
    }

    package func keep(_ receipt: UnsafeBufferPointer<UInt8>, of number: Int64) throws(MillError) {
        var count = compressBound(uLong(receipt.count))
        if deflated.count < Int(count) { deflated = [UInt8](repeating: 0, count: Int(count)) }
        try deflated.withUnsafeMutableBufferPointer { (room) throws(MillError) in
            let status = compress2(room.baseAddress, &count, receipt.baseAddress, uLong(receipt.count), Self.level)
            guard status == Z_OK else {
                throw MillError(stage: .loading, what: "zlib: out of memory", exitStatus: .internalFault)
            }
            insert.bind(1, number)
            insert.bindBlob(2, UnsafeRawBufferPointer(start: room.baseAddress, count: Int(count)))
            try insert.run()
        }
    }

    /// The receipt of a row; nil where it is not what was kept.
    ///
    /// - Parameter bytes: of the receipt.
    package static func inflated(_ deflated: Data, bytes: Int) -> [UInt8]? {
        var receipt = [UInt8](repeating: 0, count: bytes)
        var count = uLong(bytes)
        let status = receipt.withUnsafeMutableBufferPointer { room in
            deflated.withUnsafeBytes { octets in
                uncompress(room.baseAddress, &count, octets.bindMemory(to: UInt8.self).baseAddress, uLong(octets.count))
            }
        }
        return status == Z_OK && Int(count) == bytes ? receipt : nil
    }
}
