internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Damage as by a failing disk, in a database without a log.
enum DamagedFile {
    /// Flips one bit in the last byte of an index's root page: the page stays well-formed, but one entry no longer
    /// matches its row. (SQLite's file format, 1.6: cells are at the end of a page, the first one last.)
    static func flipBit(in index: String, of database: String) throws {
        let (root, size) = try place(of: index, in: database)
        try change(database, at: root * size - 1) { $0 ^ 1 }
    }

    /// Overwrites the beginning of a table's or an index's root page.
    static func overwrite(_ name: String, of database: String) throws {
        let (root, size) = try place(of: name, in: database)
        for offset in 0..<64 { try change(database, at: (root - 1) * size + offset) { _ in 0xa5 } }
    }

    private static func place(of name: String, in database: String) throws -> (root: Int, size: Int) {
        let queue = try DatabaseQueue(path: database)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { db in
            // Rows in the log would hide the file's pages.
            try db.execute(sql: "PRAGMA journal_mode = DELETE")
            return (
                try #require(
                    try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])),
                try #require(try Int.fetchOne(db, sql: "PRAGMA page_size"))
            )
        }
    }

    private static func change(_ path: String, at offset: Int, _ change: (UInt8) -> UInt8) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data([change(byte)]))
    }
}
