internal import MillJSON
internal import ReceiptFormat
internal import SignedDataFormat

/// The member for the payload of one kind of signed documents: the kind's fields that have a column, in the order of
/// the table of fields.
struct SignedForm {
    let kind: ReceiptKind
    let name: StaticString
    fileprivate let fields: [(name: [UInt8], type: SignedFieldType, slot: SignedField.Slot)]

    static let all = [
        SignedForm(.signedTransaction, "terms", .transaction), SignedForm(.signedRenewal, "renewal", .renewal),
        SignedForm(.appTransaction, "app_transaction", .appTransaction),
        SignedForm(.notification, "notification", .notification),
    ]

    /// The form for a kind of document; nil for receipts, which have no payload.
    static func of(_ kind: ReceiptKind) -> SignedForm? { all.first { $0.kind == kind } }

    private init(_ kind: ReceiptKind, _ name: StaticString, _ kinds: SignedKinds) {
        (self.kind, self.name) = (kind, name)
        fields = SignedField.stored(of: kinds).compactMap { field in
            guard let name = field.decodedName, let slot = field.slot else { return nil }
            return (Array(name.utf8), field.type, slot)
        }
    }
}

/// The values of a ``SignedForm`` in one document.
struct SignedMembers: DecodedObject {
    var payload = SignedPayload()

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        for field in SignedForm.of(payload.kind)?.fields ?? [] {
            switch (field.type, field.slot) {
            case (_, .text(let slot)): try visitor.member(field.name, &payload[text: slot], as: TextMember.self)
            case (.date, .number(let slot)): try visitor.member(field.name, &payload[number: slot], as: TimeMember.self)
            case (.flag, .number(let slot)):
                try visitor.member(field.name, &payload[number: slot], as: BinaryMember.self)
            case (.share, .number(let slot)):
                try visitor.member(field.name, &payload[share: slot], as: ShareMember.self)
            case (_, .number(let slot)): try visitor.member(field.name, &payload[number: slot], as: IntegerMember.self)
            }
        }
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
    /// The members of a document of some kind, before any of them is read.
    init(of kind: ReceiptKind) { payload.kind = kind }
}

extension SignedPart {
    /// The part's position in the order in which parts are read and written.
    var rank: Int {
        switch self {
        case .transaction: 0
        case .renewal: 1
        case .appTransaction: 2
        }
    }
}
