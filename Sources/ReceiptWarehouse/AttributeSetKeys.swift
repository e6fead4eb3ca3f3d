internal import GRDB
internal import MillBytes
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification

/// The loader's identifiers of sets of attribute types. A new set becomes a row, and so does each of its types.
struct AttributeSetKeys {
    private var known = [RecentValues<UInt64, Int64>(), RecentValues<UInt64, Int64>()]
    /// Identifiers of sets with types that Apple is not known to write, by the text of the set.
    private var odd = InternTable()
    private let find, add, addMember: LoaderStatement

    init(_ db: Database) throws(MillError) {
        find = try LoaderStatement(db, "SELECT attribute_set_id FROM attribute_set WHERE types = ?")
        add = try LoaderStatement(db, "INSERT INTO attribute_set (types) VALUES (?)")
        addMember = try LoaderStatement(
            db, "INSERT INTO attribute_set_member (attribute_set_id, attribute_type) VALUES (?, ?)")
    }

    /// The identifier of a set; nil for the empty set.
    mutating func id(of set: UndocumentedTypes) throws(MillError) -> Int64? {
        guard !set.isEmpty else { return nil }
        let (find, add, addMember) = (find, add, addMember)
        func stored() throws(MillError) -> Int64 {
            let text = set.list
            if let known = try find.queryInteger(text) { return known }
            try add.run(text)
            let id = add.lastInsertedRow
            for type in set.types {
                try addMember.run(id, type)
            }
            return id
        }
        guard set.others != nil else {
            return try known[set.level == .app ? 0 : 1].value(for: set.bits) { () throws(MillError) in try stored() }
        }
        return try Array(set.list.utf8).withUnsafeBufferPointer { (text) throws(MillError) in
            try odd.number(of: text) { () throws(MillError) in try stored() }
        }
    }
}
