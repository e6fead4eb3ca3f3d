internal import MillJSON
internal import ReceiptFormat
internal import SignedDataFormat

/// The members of an object in a signed string that are in the table of fields.
struct KnownMembers {
    private let fields: [DocumentText: SignedField]
    /// Fields by name that documents of other kinds have in the place of this object.
    private let foreign: [DocumentText: SignedField]
    /// Whether values are compared with the types and closed lists of their fields, as for payloads.
    private let hasValues: Bool
    /// The document's kind; all kinds if it is unknown.
    private let kinds: SignedKinds
    /// The field whose value is a list of objects with these members; nil if the members are those of one object.
    private var list: SignedField?

    private init(
        _ fields: [SignedField], foreign: [SignedField] = [], hasValues: Bool = true, of kinds: SignedKinds = .all
    ) {
        func byName(_ fields: [SignedField]) -> [DocumentText: SignedField] {
            Dictionary(fields.filter { !$0.type.isDerived }.map { (DocumentText($0.name), $0) }) { first, _ in first }
        }
        (self.fields, self.foreign) = (byName(fields), byName(foreign))
        (self.hasValues, self.kinds) = (hasValues, kinds)
    }

    /// The members of headers.
    static let header = KnownMembers(SignedField.header, hasValues: false)

    /// The members of payloads of one kind, or of all kinds if the kind is unknown.
    static func payload(of kind: ReceiptKind?) -> KnownMembers {
        // In kinds other than notifications, the members of a notification's subject are members of the payload itself.
        let placed = SignedField.table.filter { $0.place == .top || $0.place == .subject }
        let atTop = placed.filter { $0.place == .top || $0.kinds != .notification }
        guard let kinds = kind.flatMap(SignedDocumentKind.of)?.fields else { return KnownMembers(atTop) }
        let own = placed.filter { field in
            field.kinds.contains(kinds) && atTop.contains { DocumentText($0.name) == DocumentText(field.name) }
        }
        return KnownMembers(own, foreign: atTop, of: kinds)
    }

    /// The members of the object, or of the objects in the list, that is the field's value; nil for a field without
    /// members.
    func within(_ field: SignedField) -> KnownMembers? {
        let place: SignedField.Place
        switch field.type {
        case .subject: place = .subject
        case .structure, .list: place = .inside(field.name)
        case .tiers: place = .inside("tier")
        default: return nil
        }
        let fields = SignedField.table.filter { $0.place == place }
        let own = fields.filter { !$0.kinds.isDisjoint(with: kinds) }
        return fields.isEmpty ? nil : KnownMembers(own, foreign: fields, of: kinds)
    }

    func contains(_ name: DocumentText) -> Bool { fields[name] != nil }

    /// Compares a member with the field of the same name, or checks that an element of a list is an object. A value that
    /// is cut short or null fits every field.
    func knowledge(of member: ListedMember) -> MemberKnowledge {
        if let list {
            guard member.isWhole, member.kind != .object else { return MemberKnowledge() }
            return .unknownType(of: member, expected: .object, meaning: list.meaning)
        }
        guard let field = fields[member.name] else {
            let elsewhere = foreign[member.name].map { " in this kind of document; elsewhere: \($0.meaning)" }
            return MemberKnowledge(unknown: "member", explanation: "unknown field" + (elsewhere ?? ""))
        }
        let known = MemberKnowledge(field: field, explanation: field.meaning)
        guard hasValues, member.isWhole, member.kind != .null else { return known }
        guard member.hasType(of: field) else {
            return .unknownType(of: member, field, expected: field.type.jsonKind, meaning: field.meaning)
        }
        guard !member.isListed(in: field) else { return known }
        return MemberKnowledge(field: field, unknown: "value", mark: " = unknown value", explanation: field.meaning)
    }

    /// The possible members of the object or array that is the value of a member or element; nil if they are unknown.
    func members(within member: ListedMember, _ knowledge: MemberKnowledge) -> KnownMembers? {
        guard knowledge.unknown == nil else { return nil }
        var inner = self
        if list == nil {
            guard let field = knowledge.field, let found = within(field) else { return nil }
            inner = found
            if member.kind == .array { inner.list = field }
        } else {
            inner.list = nil
        }
        return inner
    }
}

/// The result of comparing a member of a signed string, or an element of an array, with the table of fields. A member
/// within one that is unknown or has no fields, and an object in a list, are not compared.
struct MemberKnowledge {
    /// The field; nil for a member that is unknown or not compared, and for an element of a list.
    var field: SignedField?
    /// What is unknown: the member, the type of its value, or the value, as named in machine-readable output.
    var unknown: String?
    /// The words after a value of an unknown type or an unknown value, in text.
    var mark = ""
    /// The explanation of the member, in text.
    var explanation: String?

    /// The value, or an element of a list, is not of the known type.
    static func unknownType(
        of member: ListedMember, _ field: SignedField? = nil, expected: JSONToken.Kind, meaning: String
    ) -> MemberKnowledge {
        MemberKnowledge(
            field: field, unknown: "type",
            mark: " = unknown type: \(member.kind.rawValue), where \(expected.rawValue) is known", explanation: meaning)
    }
}

extension ListedMember {
    /// Whether the value has the field's type, by the same rules as parsing payloads.
    fileprivate func hasType(of field: SignedField) -> Bool {
        guard field.type.accepts(kind) else { return false }
        switch field.type {
        case .integer, .code, .amount, .share:
            let token = JSONToken(kind: kind, range: written.indices)
            return token.number(written.span) != nil
        case .signingDate: return integer.map(ReceiptDate.range.contains) ?? false
        case .identifier:
            let digits = text.map { Array($0.utf8) } ?? []
            return digits.isEmpty || JSONNumber.integer(digits.span, in: digits.indices) != nil
        default: return true
        }
    }

    /// Whether the value is in the closed list of a field's values, if the field has one.
    fileprivate func isListed(in field: SignedField) -> Bool {
        if field.type == .code, !field.words.isEmpty { return integer.map { field.words[$0] != nil } ?? false }
        guard !field.values.isEmpty, let text, !text.isEmpty else { return true }
        return field.values.contains { DocumentText($0) == text }
    }
}
