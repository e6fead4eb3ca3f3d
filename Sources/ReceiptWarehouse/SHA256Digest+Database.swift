internal import Foundation
public import GRDB
public import ReceiptTrust

/// The database stores a digest as a blob of its 32 bytes.
extension SHA256Digest: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> SHA256Digest? {
        Data.fromDatabaseValue(value).flatMap { SHA256Digest(bytes: $0) }
    }
}
