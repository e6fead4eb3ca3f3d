internal import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptTrust
package import ReceiptWarehouse

/// A file in a folder of moved archives, with the digest that its content had when a run moved or read it.
package struct MovedFile: Sendable, Hashable {
    package let path: String
    package let bytes: Int64
    package let writtenSeconds: Int
    package let sha256: SHA256Digest
    /// Whether the file need not be reported, because it is a dead-letter file and none of its lines is still rejected.
    package let isSettled: Bool

    package init(path: String, _ stamp: FileStamp, _ sha256: SHA256Digest, isSettled: Bool) {
        (self.path, self.sha256, self.isSettled) = (path, sha256, isSettled)
        (bytes, writtenSeconds) = (stamp.bytes, stamp.writtenSeconds)
    }

    package func isOf(_ stamp: FileStamp) -> Bool { stamp.bytes == bytes && stamp.writtenSeconds == writtenSeconds }
}

/// The files in the folders of moved archives. A run records each file that it moves, because the file may no longer
/// have the name and length of a stored archive: the archive had another name, or has grown since. Any other file is
/// read once, and reported once if the database does not contain its content.
///
/// The files are stored in a table outside the schema, which is created for the first such file. A database that was
/// restored from an older copy thus reports the archives that it lacks, since their files are not recorded in it.
package struct MovedFileStore {
    package static let table = "moved_file"
    private let warehouse: Warehouse

    package init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// The recorded files, by path.
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

    /// Replaces all recorded files by those that exist now.
    package func remember(_ files: [MovedFile]) throws(MillError) {
        let former = try self.files()
        let new = files.filter { former[$0.path] != $0 }
        let gone = Set(former.keys).subtracting(files.map(\.path))
        guard !new.isEmpty || !gone.isEmpty else { return }
        try warehouse.transaction { db in
            for file in new { try Self.save(file, db) }
            for path in gone { try db.execute(sql: "DELETE FROM \(Self.table) WHERE path = ?", arguments: [path]) }
        }
    }

    /// Records a file that a run is about to move.
    package func add(_ file: MovedFile) throws(MillError) {
        try warehouse.transaction { db in try Self.save(file, db) }
    }

    private static func save(_ file: MovedFile, _ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(table) (
                    path       TEXT    PRIMARY KEY NOT NULL,
                    bytes      INTEGER NOT NULL,
                    written_at INTEGER NOT NULL,
                    sha256     BLOB    NOT NULL,
                    is_settled INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID
                """)
        try db.execute(
            sql: "INSERT OR REPLACE INTO \(table) VALUES (?, ?, ?, ?, ?)",
            arguments: [file.path, file.bytes, file.writtenSeconds, Data(file.sha256.bytes), file.isSettled])
    }
}

extension MovedFile {
    fileprivate init(path: String, bytes: Int64, written: Int, _ sha256: SHA256Digest, isSettled: Bool) {
        (self.path, self.bytes, self.sha256, self.isSettled) = (path, bytes, sha256, isSettled)
        writtenSeconds = written
    }
}
