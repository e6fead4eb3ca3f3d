internal import MillJSON
internal import SignedDataFormat

/// The members of a signed document that are not in the table of fields.
enum UnknownMembersMember: MemberFormat {
    private struct Member: DecodedObject {
        var path, valueType: String?

        mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
            try visitor.member("path", &path, as: StringMember.self)
            try visitor.member("value_type", &valueType, as: StringMember.self)
        }

        func fault(behind others: [Member]) -> String? {
            path == nil || valueType == nil ? "an unknown member has to have a path and a value_type" : nil
        }
    }

    static func write(_ unknown: UnknownMembers, to writer: inout MemberWriter) {
        writer.json.openArray()
        for member in unknown.members {
            ObjectMember.write(Member(path: member.path, valueType: member.valueType), to: &writer)
        }
        writer.json.closeArray()
    }

    static func read(from reader: inout MemberReader) throws(InvalidJSON) -> UnknownMembers? {
        var unknown = UnknownMembers()
        for member in try ObjectsMember<Member>.read(from: &reader) ?? [] {
            unknown.insert(path: member.path ?? "", valueType: member.valueType ?? "")
        }
        return unknown.isEmpty ? nil : unknown
    }
}
