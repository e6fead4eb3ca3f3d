/// The unknown members of one document: members that are not in the table of fields, known members whose values have
/// another type, and values that are not in the closed list of their field.
package struct UnknownMembers: Sendable, Hashable {
    package struct Member: Sendable, Hashable, Comparable {
        /// The path in the document's JSON, such as `commitmentInfo.billingDay` or
        /// `advancedCommerceInfo.items[].partner`.
        package let path: String
        /// The JSON type of the value. For a value that is not in a closed list, also the value, such as
        /// `string "LEASED"`.
        package let valueType: String

        package static func < (one: Member, other: Member) -> Bool {
            (one.path, one.valueType) < (other.path, other.valueType)
        }
    }

    /// The distinct members, in ascending order.
    package private(set) var members: [Member] = []

    /// The maximum number of members of one document; if there are more, the first in order are kept.
    package static let maximumCount = 32
    /// The maximum number of characters of a path, and of a type with its value. The rest is cut off.
    package static let maximumPathLength = 100
    package static let maximumTypeLength = 60

    package init() {}

    /// The set for documents with unknown members after the maximum number of sets is reached.
    package static let others = {
        var others = UnknownMembers()
        others.insert(path: "…", valueType: "…")
        return others
    }()

    /// The members as one text, with a line for each: path, a tab, and the type.
    package var list: String { members.map { "\($0.path)\t\($0.valueType)" }.joined(separator: "\n") }

    package var isEmpty: Bool { members.isEmpty }

    /// Adds a member, without control characters and cut to the maximum length.
    package mutating func insert(path: String, valueType: String) {
        // An empty name is a valid name, but as an empty text it would count as absent in decoded lines.
        let member = Member(
            path: path.isEmpty ? "\"\"" : Self.plain(path, Self.maximumPathLength),
            valueType: Self.plain(valueType, Self.maximumTypeLength))
        guard let index = members.firstIndex(where: { $0 >= member }) else {
            if members.count < Self.maximumCount { members.append(member) }
            return
        }
        guard members[index] != member else { return }
        if members.count == Self.maximumCount { members.removeLast() }
        members.insert(member, at: index)
    }

    package mutating func formUnion(_ other: UnknownMembers) {
        for member in other.members { insert(path: member.path, valueType: member.valueType) }
    }

    private static func plain(_ text: String, _ length: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalars.count < length else {
                scalars.append("…")
                break
            }
            scalars.append(scalar.properties.generalCategory == .control ? "?" : scalar)
        }
        return String(scalars)
    }
}
