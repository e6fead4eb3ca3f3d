internal import MillBytes

/// The known members of one kind of object in payloads: a payload itself, or an object within payloads.
struct ObjectShape: Sendable {
    /// Where the values of an object's members are stored.
    enum Sink: Sendable {
        case document, subject, commerce, item, refund, tier
    }

    /// The path of an object's members, without their names.
    let prefix: String
    let sink: Sink
    let keys: KeyTable
    /// The fields; a field's number is that of its key.
    let fields: [ReadField]
    /// Whether documents of different kinds have different members in an object of this shape. Always false for the
    /// payload itself, which is not an object in a document.
    let differsByKind: Bool
    /// For each kind of document, the numbers of the fields that it is known to state.
    private let known: [(kind: SignedKinds, numbers: KeySet)]

    private init(_ prefix: String, _ sink: Sink, _ fields: [SignedField]) {
        let fields = fields.filter { !$0.type.isDerived }
        (self.prefix, self.sink) = (prefix, sink)
        keys = KeyTable(fields.map(\.name))
        self.fields = fields.map(ReadField.init)
        known = SignedDocumentKind.all.map(\.fields).map { kind in
            (kind, KeySet(fields.indices.filter { fields[$0].kinds.contains(kind) }))
        }
        differsByKind = !prefix.isEmpty && Set(fields.map(\.kinds)).count > 1
    }

    private init(in object: String, _ path: String, _ sink: Sink) {
        self.init(path + ".", sink, SignedField.table.filter { $0.place == .inside(object) })
    }

    /// A payload. In kinds other than notifications, the members of a notification's subject are members of the payload
    /// itself.
    static let payload = ObjectShape(
        "", .document,
        SignedField.table.filter { $0.place == .top || ($0.place == .subject && $0.kinds != .notification) })
    /// The object that a notification is about; its path begins with the object's name.
    static let subject = ObjectShape("", .subject, SignedField.table.filter { $0.place == .subject })

    private static let commitment = ObjectShape(in: "commitmentInfo", "commitmentInfo", .document)
    private static let seats = ObjectShape(in: "multiSeatInfo", "multiSeatInfo", .document)
    private static let tier = ObjectShape(in: "tier", "multiSeatInfo.priceTiers[]", .tier)
    private static let renewalTier = ObjectShape(in: "tier", "multiSeatInfo.renewalPriceTiers[]", .tier)
    private static let commerce = ObjectShape(in: "advancedCommerceInfo", "advancedCommerceInfo", .commerce)
    private static let descriptors = ObjectShape(in: "descriptors", "advancedCommerceInfo.descriptors", .commerce)
    private static let items = ObjectShape(in: "items", "advancedCommerceInfo.items[]", .item)
    private static let offer = ObjectShape(in: "offer", "advancedCommerceInfo.items[].offer", .item)
    private static let increase = ObjectShape(
        in: "priceIncreaseInfo", "advancedCommerceInfo.items[].priceIncreaseInfo", .item)
    private static let refunds = ObjectShape(in: "refunds", "advancedCommerceInfo.items[].refunds[]", .refund)

    private static func of(_ name: String) -> ObjectShape? {
        switch name {
        case "commitmentInfo": commitment
        case "multiSeatInfo": seats
        case "priceTiers": tier
        case "renewalPriceTiers": renewalTier
        case "advancedCommerceInfo": commerce
        case "descriptors": descriptors
        case "items": items
        case "offer": offer
        case "priceIncreaseInfo": increase
        case "refunds": refunds
        default: nil
        }
    }

    /// The shape of the member with a number: of the object, or of the objects in the list.
    func inner(_ number: Int) -> ObjectShape? { Self.of(String(decoding: keys.names[number], as: UTF8.self)) }

    /// The number of the field with a name.
    func number(of name: String) -> Int? { keys.names.firstIndex { $0 == Array(name.utf8) } }

    /// The numbers of the fields that documents of one kind are known to state.
    func known(of kind: SignedKinds) -> KeySet { known.first { $0.kind == kind }?.numbers ?? KeySet() }
}

/// The part of a field that reading needs; it can be copied without counting references.
struct ReadField: Sendable {
    let type: SignedFieldType
    /// The slot of the value in the record; nil for a field that is known but not stored.
    let slot: Int?
    /// The slot of a value that is computed from this one.
    let derivedSlot: Int?
    /// The kind that a member with this field indicates; empty if several kinds state the field.
    let indicatedKinds: SignedKinds
    /// The numbers in ``knownValues`` of the texts that Apple is known to write; nil if any text is allowed.
    let values: KeySet?
    /// A bit for each number that has a meaning, the lowest bit for 0; nil if any number is allowed.
    let codes: UInt64?

    init(_ field: SignedField) {
        type = field.type
        indicatedKinds = field.tellsKind ? field.kinds : []
        slot = Self.number(of: field.slot)
        let derived = SignedField.table.first {
            $0.type.isDerived && $0.name == field.name && $0.place == field.place
        }
        derivedSlot = Self.number(of: derived?.slot)
        values =
            field.values.isEmpty
            ? nil
            : KeySet(field.values.compactMap { value in Self.knownValues.names.firstIndex { $0 == Array(value.utf8) } })
        codes = field.words.isEmpty ? nil : field.words.keys.reduce(0) { $0 | 1 << UInt64($1) }
    }

    /// The distinct texts of all closed lists.
    static let knownValues = KeyTable(Set(SignedField.table.flatMap(\.values)).sorted())

    private static func number(of slot: SignedField.Slot?) -> Int? {
        switch slot {
        case .text(let number)?, .number(let number)?: number
        case nil: nil
        }
    }
}
