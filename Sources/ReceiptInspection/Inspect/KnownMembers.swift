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

    /// Compares a member with the field of the same name. A value that is cut short or null fits every field.
    func knowledge(of member: ListedMember) -> MemberKnowledge {
        guard let field = fields[member.name] else { return .unknownMember(foreign: foreign[member.name]) }
        guard hasValues, member.isWhole, member.kind != .null else { return .known(field) }
        guard member.hasType(of: field) else { return .unknownType(field, expected: field.type.jsonKind) }
        return member.isListed(in: field) ? .known(field) : .unknownValue(field)
    }
}

/// An object or array in a signed string, with the fields that its members can be.
enum KnownHolder {
    case object(KnownMembers)
    /// A list of objects that have the same possible members. The list is the value of a field.
    case list(SignedField, KnownMembers)
    /// An object or array that is unknown, or whose members are not in the table of fields.
    case other

    /// Compares a member with the fields of the object, or an element with those of the list.
    func knowledge(of member: ListedMember) -> MemberKnowledge {
        switch self {
        case .object(let known): known.knowledge(of: member)
        case .list(let field, _) where member.isWhole && member.kind != .object:
            .unknownType(field, expected: .object)
        case .list, .other: .unjudged
        }
    }

    /// The object or array that is the value of a member or element.
    func holder(of member: ListedMember, _ knowledge: MemberKnowledge) -> KnownHolder {
        switch (self, knowledge) {
        case (.object(let known), .known(let field)):
            guard let inner = known.within(field) else { return .other }
            return member.kind == .array ? .list(field, inner) : .object(inner)
        case (.list(_, let known), .unjudged): return .object(known)
        default: return .other
        }
    }
}

/// The result of comparing a member of a signed string, or an element of an array, with the table of fields.
enum MemberKnowledge {
    /// The member is known, and its value fits the field's type and closed list.
    case known(SignedField)
    /// No field has the name in this place. Documents of other kinds may have a field of this name.
    case unknownMember(foreign: SignedField?)
    /// The value, or an element of a list, is not of the known type.
    case unknownType(SignedField, expected: JSONToken.Kind)
    /// The value is not in the closed list of the field's values.
    case unknownValue(SignedField)
    /// The member is within a member that is unknown or has no fields, or is an object in a list.
    case unjudged

    /// The field; nil for a member that is unknown.
    var field: SignedField? {
        switch self {
        case .known(let field), .unknownValue(let field): field
        case .unknownType(let field, let expected): expected == field.type.jsonKind ? field : nil
        case .unknownMember, .unjudged: nil
        }
    }

    /// What is unknown: the member, the type of its value, or the value, as named in machine-readable output.
    var unknown: String? {
        switch self {
        case .known, .unjudged: nil
        case .unknownMember: "member"
        case .unknownType: "type"
        case .unknownValue: "value"
        }
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
