internal import GRDB
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification

/// The loader's numbers for sets of attribute types. A set that is new becomes a
/// row, and a row for each of its types.
struct AttributeSets {
    private var known = [RecentValues<UInt64, Int64>(), RecentValues<UInt64, Int64>()]
    /// Numbers of sets with types beyond those that stores write, by their text.
    private var odd = InternTable()
    private let statements: Statements

    private struct Statements {
        let find, add, addMember: LoaderStatement
    }

    init(_ db: Database) throws(MillError) {
        statements = Statements(
            find: try LoaderStatement(db, "SELECT attribute_set_id FROM attribute_set WHERE types = ?"),
            add: try LoaderStatement(db, "INSERT INTO attribute_set (types) VALUES (?)"),
            addMember: try LoaderStatement(
                db, "INSERT INTO attribute_set_member (attribute_set_id, attribute_type) VALUES (?, ?)"))
    }

    /// The number of a set; nil of the empty one.
    mutating func number(of set: UndocumentedTypes) throws(MillError) -> Int64? {
        guard !set.isEmpty else { return nil }
        let statements = statements
        guard set.others == nil else {
            var text = set.list
            var result: Result<Int64, MillError> = .success(0)
            text.withUTF8 { text in
                result = Result { () throws(MillError) in
                    try odd.number(of: text) { () throws(MillError) in try Self.stored(set, statements) }
                }
            }
            return try result.get()
        }
        return try known[set.level == .app ? 0 : 1].value(for: set.bits) { () throws(MillError) in
            try Self.stored(set, statements)
        }
    }

    private static func stored(_ set: UndocumentedTypes, _ statements: Statements) throws(MillError) -> Int64 {
        let text = set.list
        statements.find.bindCopy(1, text)
        if let known = try statements.find.queryInteger() { return known }
        statements.add.bindCopy(1, text)
        try statements.add.run()
        let number = statements.add.lastInsertedRow
        for type in set.types {
            statements.addMember.bind(1, number)
            statements.addMember.bind(2, type)
            try statements.addMember.run()
        }
        return number
    }
}
