internal import Foundation
package import GRDB

/// The differences between a database's schema and this version's.
extension Schema {
    /// Describes tables, columns, indices and triggers that a database lacks or defines differently than this version.
    /// Additional ones belong to the database's owner and are ignored.
    ///
    /// - Parameter isWhole: whether a missing secondary index counts while others exist; a killed load may leave this
    ///   state, and the next load builds the missing ones.
    package static func differences(_ db: Database, isWhole: Bool = false) throws -> [String] {
        let found = try SchemaObject.all(db)
        let (primary, secondary) = try expected.get()
        let isBuilt = isWhole && secondary.keys.contains { found[$0] != nil }
        var differences: [String] = []
        for (name, object) in (primary.merging(secondary) { own, _ in own }).sorted(by: { $0.key < $1.key }) {
            guard let other = found[name] else {
                if isBuilt || primary[name] != nil { differences.append("\(object.kind) \(name) is missing") }
                continue
            }
            differences += object.differences(to: other, named: name)
        }
        return differences
    }

    /// The objects of this version: those created with the tables, and the indices that a first load builds at its end.
    private static let expected = Result {
        try DatabaseQueue(inMemory: Configuration()).write { db in
            try createTables(db)
            let primary = try SchemaObject.all(db)
            try buildIndices(db, workers: 1)
            return (primary, secondary: try SchemaObject.all(db).filter { primary[$0.key] == nil })
        }
    }
}

/// A table, an index or a trigger, as SQLite's schema table describes it.
private struct SchemaObject {
    let kind: String
    /// The statement that creates the object, without comments and line breaks.
    let text: String
    /// Names and declarations of the columns; empty for indices and triggers.
    let columns: [Column]

    struct Column {
        let name: String
        let declaration: String
    }

    /// All objects that a statement has created, by name.
    static func all(_ db: Database) throws -> [String: SchemaObject] {
        let columns = Dictionary(grouping: try Row.fetchAll(db, sql: columns)) { $0[0] as String }
        let rows = try Row.fetchAll(
            db, sql: "SELECT name, type, sql FROM sqlite_schema WHERE type <> 'view' AND sql IS NOT NULL")
        return Dictionary(
            rows.map { row in
                let name: String = row[0]
                let members = (columns[name] ?? []).map { Column(name: $0[1], declaration: $0[2]) }
                return (name, SchemaObject(kind: row[1], text: plain(row[2]), columns: members))
            }, uniquingKeysWith: { first, _ in first })
    }

    private static let columns = """
        SELECT holder.name, member.name,
            member.type || iif(member."notnull", ' NOT NULL', '') || coalesce(' DEFAULT ' || member.dflt_value, '')
                || iif(member.pk, ' in the primary key', '') || iif(member.hidden, ' generated', '')
        FROM sqlite_schema AS holder
        JOIN pragma_table_xinfo(holder.name) AS member
        WHERE holder.type = 'table'
        """

    /// Describes how another object of this name differs from this one.
    func differences(to other: SchemaObject, named name: String) -> [String] {
        guard kind == other.kind else { return ["\(name) is a \(other.kind), not a \(kind)"] }
        guard text != other.text else { return [] }
        let found = Dictionary(other.columns.map { ($0.name, $0.declaration) }) { first, _ in first }
        var differences = columns.compactMap { column -> String? in
            guard let declaration = found[column.name] else { return "\(name) lacks the column \(column.name)" }
            guard declaration != column.declaration else { return nil }
            return "\(name).\(column.name) is \(declaration), not \(column.declaration)"
        }
        let known = Set(columns.map(\.name))
        differences += other.columns.filter { !known.contains($0.name) }.map {
            "\(name) has a column \($0.name) that it should not have"
        }
        return differences.isEmpty ? ["\(kind) \(name) is defined otherwise"] : differences
    }

    /// A statement with its words separated by one blank, and no blanks around its marks. Quoted texts stay unchanged.
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
