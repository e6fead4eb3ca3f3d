internal import Foundation
package import GRDB
internal import MillSystem

/// The faults of a database file that SQLite's integrity check reports: damaged pages, and the tables and indices to
/// which the pages belong.
package struct DatabaseDamage {
    package let faults: [String]

    /// Runs the complete integrity check; nil if the file is sound.
    package init?(_ db: Database) throws { try self.init(db, "PRAGMA integrity_check") }

    private init?(_ db: Database, _ check: String) throws {
        var faults: [String] = []
        do {
            let rows = try String.fetchCursor(db, sql: check)
            while let text = try rows.next() {
                faults += text.split(separator: "\n").filter { $0 != "ok" && !$0.hasPrefix("***") }.map(String.init)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT && !faults.isEmpty {
            // The integrity check fails at a damaged page that it can't skip; the faults found before are reported.
        }
        guard !faults.isEmpty else { return nil }
        let owners = (try? Self.owners(db)) ?? [:]
        self.faults = faults.map { Self.naming(owners, in: $0) }
    }

    /// Runs the quick check on a file whose schema may be unreadable. Nil if the file is sound or not an SQLite
    /// database.
    package init?(path: String) {
        var faults = [Self.missingPages(path)].compactMap(\.self)
        var configuration = Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(file: path, configuration: configuration)
            // The check runs outside a transaction, since a transaction that has met damage can't be ended. The
            // complete integrity check would fail if an index can't be read.
            if let damage = try queue.unsafeRead({ try DatabaseDamage($0, "PRAGMA quick_check") }) {
                faults += damage.faults
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            faults.append(error.message ?? "the file is damaged")
        } catch {}
        guard !faults.isEmpty else { return nil }
        self.faults = faults
    }

    /// Names of tables and indices by their root page.
    private static func owners(_ db: Database) throws -> [Int: String] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT rootpage, type || ' ' || name FROM sqlite_schema WHERE rootpage > 0")
        return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// Adds the name of the table or index to a fault, in which SQLite identifies a tree by its root page.
    private static func naming(_ owners: [Int: String], in text: String) -> String {
        guard text.hasPrefix("Tree "), let root = Int(text.dropFirst(5).prefix { $0.isNumber }),
            let owner = owners[root]
        else { return text }
        return "\(owner): \(text)"
    }

    /// Compares the file's size with the number of pages that the first page states (SQLite's file format, 1.3, offsets
    /// 16 and 28): a truncated file has fewer.
    private static func missingPages(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let header = try? file.read(upToCount: 32),
            header.count == 32, header.starts(with: Data("SQLite format 3\0".utf8)), let size = FileStamp(path: path)
        else { return nil }
        func number(_ range: Range<Int>) -> Int64 { header[range].reduce(0) { $0 << 8 | Int64($1) } }
        let page = number(16..<18) == 1 ? 65_536 : number(16..<18)
        let pages = number(28..<32)
        guard page > 0, size.bytes < page * pages else { return nil }
        return "the file is cut: \(size.bytes) bytes where \(pages) pages of \(page) bytes are stated"
    }
}
