internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptTrust

/// The digest by which an erased presentation is known when its archive comes again.
enum Presentation {
    /// SHA-256 over the receipt's digest, the account, a zero byte and the device, as a function of SQL.
    static func function() throws -> DatabaseFunction {
        // One context for all rows; a function runs on its connection's queue alone, and
        // SQLite calls it for one row after another.
        DatabaseFunction("presentation_digest", argumentCount: 3, pure: true) { values in
            guard let receipt = Data.fromDatabaseValue(values[0]) else { return nil }
            let account = String.fromDatabaseValue(values[1]) ?? ""
            let device = String.fromDatabaseValue(values[2]) ?? ""
            let bytes = Array(receipt) + Array(account.utf8) + [0] + Array(device.utf8)
            return Data(try MessageDigest().sha256(bytes.span, in: 0..<bytes.count).bytes)
        }
    }
}
