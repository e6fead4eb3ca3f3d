internal import MillJSON
internal import ReceiptFormat
internal import SignedDataFormat

/// The member for the payload of one kind of signed documents. It has the kind's fields with a column, in the order of
/// the table of fields.
struct SignedForm {
    let kind: ReceiptKind
    let name: StaticString
    fileprivate let fields: [FieldMember]

    static let all = SignedDocumentKind.all.map(SignedForm.init)

    /// The form for a kind of document; nil for receipts, which have no payload.
    static func of(_ kind: ReceiptKind) -> SignedForm? { all.first { $0.kind == kind } }

    private init(_ described: SignedDocumentKind) {
        (kind, name) = (described.kind, described.member)
        fields = described.stored.compactMap(FieldMember.init)
    }
}

/// A field with a column, as a member of a record.
private struct FieldMember {
    let name: [UInt8]
    let type: SignedFieldType
    let slot: SignedField.Slot

    init?(_ field: SignedField) {
        guard let name = field.decodedName, let slot = field.slot else { return nil }
        (self.name, type, self.slot) = (Array(name.utf8), field.type, slot)
    }

    static let commerce = SignedField.stored(in: .commerce).compactMap(FieldMember.init)
    static let item = SignedField.stored(in: .item).compactMap(FieldMember.init)
    static let refund = SignedField.stored(in: .refund).compactMap(FieldMember.init)
}

extension SlotValues {
    fileprivate mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(
        _ fields: [FieldMember], with visitor: inout V
    ) throws(V.Failure) {
        for field in fields {
            switch (field.type, field.slot) {
            case (_, .text(let slot)): try visitor.member(field.name, &self[text: slot], as: TextMember.self)
            case (.date, .number(let slot)): try visitor.member(field.name, &self[number: slot], as: TimeMember.self)
            case (.flag, .number(let slot)): try visitor.member(field.name, &self[number: slot], as: BinaryMember.self)
            case (.share, .number(let slot)): try visitor.member(field.name, &self[share: slot], as: ShareMember.self)
            case (_, .number(let slot)): try visitor.member(field.name, &self[number: slot], as: IntegerMember.self)
            }
        }
    }
}

/// The values of a ``SignedForm`` in one document.
struct SignedMembers: DecodedObject {
    var payload = SignedPayload()

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        guard let form = SignedForm.of(payload.kind) else { return }
        try payload.values.visit(form.fields, with: &visitor)
        guard payload.kind == .signedTransaction || payload.kind == .signedRenewal else { return }
        try visitor.object("commerce", &payload.commerce)
    }

    func fault(behind others: [SignedMembers]) -> String? {
        switch payload.kind {
        case .signedTransaction where payload.hasUndatedRevocation:
            "a revocation has to have its date, revocation_date_ms"
        case .signedRenewal where payload[.originalTransactionID] == nil:
            "renewal has to have an original_transaction_id"
        case .notification where payload[.notificationType] == nil:
            "notification has to have a notification_type"
        default: nil
        }
    }
}

extension SignedMembers {
    /// The members of a document of the given kind, before any of them is read.
    init(of kind: ReceiptKind) { payload.kind = kind }
}

extension SignedPayload {
    fileprivate var commerce: SignedCommerce? {
        get { extras?.commerce }
        set { extras = newValue.map { SignedExtras(commerce: $0, unknown: UnknownMembers()) } }
    }
}

extension SignedCommerce: DecodedObject {
    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try values.visit(FieldMember.commerce, with: &visitor)
        try visitor.member("items", &items.stated, as: ObjectsMember<Item>.self)
    }
}

extension SignedCommerce.Item: DecodedObject {
    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try values.visit(FieldMember.item, with: &visitor)
        try visitor.member("refunds", &refunds.stated, as: ObjectsMember<SlotValues>.self)
    }
}

/// The values of a refund of an item. The values of other records are members of other objects.
extension SlotValues: DecodedObject {
    init() { self.init(of: .refund) }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visit(FieldMember.refund, with: &visitor)
    }
}
