internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptTrust
package import ReceiptWarehouse

/// A file in a folder to which archives are moved, as a run has read the file.
package struct MovedFile: Sendable {
    package let path: String
    package let bytes: Int64
    package let writtenSeconds: Int
    package let sha256: SHA256Digest
    /// Whether the file needs no report: a dead-letter file whose letters are all settled.
    package let isSettled: Bool

    package init(path: String, _ stamp: FileStamp, _ sha256: SHA256Digest, isSettled: Bool) {
        (self.path, self.sha256, self.isSettled) = (path, sha256, isSettled)
        (bytes, writtenSeconds) = (stamp.bytes, stamp.writtenSeconds)
    }

    package func isOf(_ stamp: FileStamp) -> Bool { stamp.bytes == bytes && stamp.writtenSeconds == writtenSeconds }
}

/// Files in the folders to which archives are moved whose name and length match no archive of the database. Each is
/// read once, and reported once if the database does not know its content.
///
/// The files are stored in a table outside the schema, which is created for the first such file. A database that was
/// replaced by an older copy thus reports the archives that this copy lacks, by the files that it has not read.
package struct MovedFileStore {
    package static let table = "moved_file"
    private let warehouse: Warehouse

    package init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// The files that were read before, by path.
    package func files() throws(MillError) -> [String: MovedFile] {
        try warehouse.access { db in
            guard try db.has(Self.table) else { return [:] }
            let files = try Row.fetchAll(
                db, sql: "SELECT path, bytes, written_at, sha256, is_settled FROM \(Self.table)")
            return Dictionary(
                files.compactMap { row in
                    SHA256Digest(bytes: row[3] as Data).map { sha256 in
                        (row[0], MovedFile(path: row[0], bytes: row[1], written: row[2], sha256, isSettled: row[4]))
                    }
                }, uniquingKeysWith: { $1 })
        }
    }

    /// Stores the files that were read, in place of all stored before.
    package func remember(_ files: [MovedFile]) throws(MillError) {
        try warehouse.access { db in
            guard try !files.isEmpty || db.has(Self.table) else { return }
            try db.inTransaction(.immediate) {
                try db.execute(
                    sql: """
                        CREATE TABLE IF NOT EXISTS \(Self.table) (
                            path       TEXT    PRIMARY KEY NOT NULL,
                            bytes      INTEGER NOT NULL,
                            written_at INTEGER NOT NULL,
                            sha256     BLOB    NOT NULL,
                            is_settled INTEGER NOT NULL
                        ) STRICT, WITHOUT ROWID;
                        DELETE FROM \(Self.table);
                        """)
                for file in files {
                    try db.execute(
                        sql: "INSERT INTO \(Self.table) VALUES (?, ?, ?, ?, ?)",
                        arguments: [
                            file.path, file.bytes, file.writtenSeconds, Data(file.sha256.bytes), file.isSettled,
                        ])
                }
                return .commit
            }
        }
    }
}

extension MovedFile {
    fileprivate init(path: String, bytes: Int64, written: Int, _ sha256: SHA256Digest, isSettled: Bool) {
        (self.path, self.bytes, self.sha256, self.isSettled) = (path, bytes, sha256, isSettled)
        writtenSeconds = written
    }
}
