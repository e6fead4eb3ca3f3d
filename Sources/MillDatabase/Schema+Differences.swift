internal import Foundation
package import GRDB

/// The differences between a database's schema and this version's.
extension Schema {
    /// Describes tables, columns, indices and triggers that a database lacks or defines differently than this version
    /// does. Additional ones belong to the database's owner and are ignored.
    ///
    /// - Parameter isWhole: whether a missing secondary index counts while others exist. A killed load may leave this
    ///   state, and the next load builds the missing ones.
    package static func differences(_ db: Database, isWhole: Bool = false) throws -> [String] {
        let found = try SchemaObject.all(db)
        let expected = try expected.get()
        let isBuilt = isWhole && expected.secondary.keys.contains { found[$0] != nil }
        var differences: [String] = []
        let objects = expected.primary.merging(expected.secondary) { own, _ in own }
        for (name, object) in objects.sorted(by: { $0.key < $1.key }) {
            guard let other = found[name] else {
                if isBuilt || expected.primary[name] != nil { differences.append("\(object.kind) \(name) is missing") }
                continue
            }
            if object.kind != other.kind {
                differences.append("\(name) is a \(other.kind), not a \(object.kind)")
            } else if !object.isDefined(as: other) {
                let columns = try expected.queue.read { try Self.columns(of: name, $0) }
                let others = try Self.columnDifferences(of: name, from: columns, to: Self.columns(of: name, db))
                differences += others.isEmpty ? ["\(object.kind) \(name) is defined otherwise"] : others
            }
        }
        return differences
    }

    /// A database of this version in memory, the objects that were created with its tables, and the indices that a
    /// first load builds at its end.
    private static let expected = Result {
        let queue = try DatabaseQueue(inMemory: Configuration())
        let (primary, all) = try queue.write { db in
            try createTables(db)
            let primary = try SchemaObject.all(db)
            try buildIndices(db, workers: 1)
            return (primary, try SchemaObject.all(db))
        }
        return (queue: queue, primary: primary, secondary: all.filter { primary[$0.key] == nil })
    }

    /// The columns of a table with their declarations; empty for indices and triggers.
    private static func columns(of table: String, _ db: Database) throws -> [(name: String, declaration: String)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT name,
                    type || iif("notnull", ' NOT NULL', '') || coalesce(' DEFAULT ' || dflt_value, '')
                        || iif(pk, ' in the primary key', '') || iif(hidden, ' generated', '')
                FROM pragma_table_xinfo(?)
                """, arguments: [table]
        ).map { (name: $0[0], declaration: $0[1]) }
    }

    private static func columnDifferences(
        of table: String, from columns: [(name: String, declaration: String)],
        to others: [(name: String, declaration: String)]
    ) -> [String] {
        let found = Dictionary(others.map { ($0.name, $0.declaration) }) { first, _ in first }
        let differences = columns.compactMap { column -> String? in
            guard let declaration = found[column.name] else { return "\(table) lacks the column \(column.name)" }
            guard declaration != column.declaration else { return nil }
            return "\(table).\(column.name) is \(declaration), not \(column.declaration)"
        }
        let known = Set(columns.map(\.name))
        let strangers = others.filter { !known.contains($0.name) }
        return differences + strangers.map { "\(table) has a column \($0.name) that it should not have" }
    }
}

/// A table, an index or a trigger, as described in SQLite's schema table.
private struct SchemaObject {
    let kind: String
    /// The statement that created the object.
    let statement: String

    /// All objects that a statement has created, by name.
    static func all(_ db: Database) throws -> [String: SchemaObject] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT name, type, sql FROM sqlite_schema WHERE type <> 'view' AND sql IS NOT NULL")
        return Dictionary(
            rows.map { ($0[0], SchemaObject(kind: $0[1], statement: $0[2])) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether two statements are equal, apart from comments, blanks and line breaks.
    func isDefined(as other: SchemaObject) -> Bool {
        statement == other.statement || Self.plain(statement) == Self.plain(other.statement)
    }

    /// A statement with single blanks between its words, and no blanks around punctuation. Quoted texts are unchanged.
    private static func plain(_ statement: String) -> String {
        var plain: [UInt8] = []
        var bytes = Array(statement.utf8)[...]
        var isParted = false
        while let byte = bytes.first {
            if bytes.starts(with: "--".utf8) {
                bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
            } else if [0x20, 0x09, 0x0a, 0x0d].contains(byte) {
                bytes = bytes.dropFirst()
                isParted = true
            } else {
                let isMark = marks.contains(byte)
                if isParted, !isMark, let last = plain.last, !marks.contains(last) { plain.append(0x20) }
                isParted = false
                let isQuote = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
                let length = isQuote ? 1 + bytes.dropFirst().prefix { $0 != byte }.count + 1 : 1
                plain += bytes.prefix(length)
                bytes = bytes.dropFirst(length)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static let marks = Set("(),;=<>|".utf8)
}
