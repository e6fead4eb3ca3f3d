internal import GRDB
internal import MillSystem
internal import ReceiptVerification
internal import SignedDataFormat

/// The loader's identifiers of sets of members that are not in the table of fields. A new set becomes a row, and so
/// does each of its members.
struct UnknownSets {
    private var known = RecentValues<UnknownMembers, Int64>()
    private let find, count, add, addMember: LoaderStatement

    /// The maximum number of sets in a database. Apple adds a few new members a year; documents with further sets share
    /// the set ``UnknownMembers/others``.
    private static let maximumCount: Int64 = 10_000

    init(_ db: Database) throws(MillError) {
        find = try LoaderStatement(db, "SELECT unknown_set_id FROM unknown_set WHERE members = ?")
        count = try LoaderStatement(db, "SELECT count(*) FROM unknown_set")
        add = try LoaderStatement(db, "INSERT INTO unknown_set (members) VALUES (?)")
        addMember = try LoaderStatement(
            db, "INSERT INTO unknown_set_member (unknown_set_id, path, value_type) VALUES (?, ?, ?)")
    }

    /// The identifier of a set; nil for the empty set.
    mutating func id(of set: UnknownMembers?) throws(MillError) -> Int64? {
        guard let set, !set.isEmpty else { return nil }
        let (find, count, add, addMember) = (find, count, add, addMember)
        func stored(_ set: UnknownMembers) throws(MillError) -> Int64 {
            let text = set.list
            if let known = try find.queryInteger(text) { return known }
            if set != .others, try count.queryInteger() ?? 0 >= Self.maximumCount { return try stored(.others) }
            try add.run(text)
            let id = add.lastInsertedRow
            for member in set.members { try addMember.run(id, member.path, member.valueType) }
            return id
        }
        return try known.value(for: set) { () throws(MillError) in try stored(set) }
    }
}
