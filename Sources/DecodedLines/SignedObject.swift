internal import MillJSON
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// The object of a decoded line that says what signed documents of one kind state beside what receipts do: the fields
/// that have a column, in the order of the table of fields.
struct SignedObject {
    let kind: ReceiptKind
    /// The object's key in a line.
    let name: StaticString
    private let keys: [[UInt8]]
    private let slots: [(type: SignedFieldType, slot: SignedField.Slot)]

    static let terms = SignedObject(.signedTransaction, DecodedKeys.Part.terms.name, of: .transaction)
    static let renewal = SignedObject(.signedRenewal, DecodedKeys.Part.renewal.name, of: .renewal)
    static let appTransaction = SignedObject(.appTransaction, DecodedKeys.Part.appTransaction.name, of: .appTransaction)
    static let notification = SignedObject(.notification, DecodedKeys.Part.notification.name, of: .notification)

    private init(_ kind: ReceiptKind, _ name: StaticString, of fields: SignedKinds) {
        (self.kind, self.name) = (kind, name)
        let stored = SignedField.stored(of: fields)
        keys = stored.compactMap { $0.decodedName.map { Array($0.utf8) } }
        slots = stored.compactMap { field in field.slot.map { (field.type, $0) } }
    }

    /// The object of a document; nil of receipts, which state no more.
    static func of(_ kind: ReceiptKind) -> SignedObject? {
        switch kind {
        case .signedTransaction: terms
        case .signedRenewal: renewal
        case .appTransaction: appTransaction
        case .notification: notification
        case .appReceipt, .transactionReceipt: nil
        }
    }

    /// Tables that find members by their keys.
    struct Tables {
        private var terms = SignedObject.terms.table
        private var renewal = SignedObject.renewal.table
        private var appTransaction = SignedObject.appTransaction.table
        private var notification = SignedObject.notification.table

        subscript(kind: ReceiptKind) -> Table {
            _read {
                switch kind {
                case .signedRenewal: yield renewal
                case .appTransaction: yield appTransaction
                case .notification: yield notification
                case .signedTransaction, .appReceipt, .transactionReceipt: yield terms
                }
            }
            _modify {
                switch kind {
                case .signedRenewal: yield &renewal
                case .appTransaction: yield &appTransaction
                case .notification: yield &notification
                case .signedTransaction, .appReceipt, .transactionReceipt: yield &terms
                }
            }
        }
    }

    typealias Table = KnownTexts<(type: SignedFieldType, slot: SignedField.Slot)>

    private var table: Table { KnownTexts(Array(zip(keys, slots))) }

    /// Writes the object; nothing of a member that the document doesn't state.
    func write(_ payload: SignedPayload, _ bytes: UnsafeBufferPointer<UInt8>, to json: inout JSONWriter) {
        json.open(name)
        for index in slots.indices where payload.has(slots[index].slot) {
            switch slots[index] {
            case (_, .text(let slot)):
                guard let text = bytes.part(payload[text: slot]) else { continue }
                json.key(keys[index])
                json.string { $0.appendEscaped(text) }
            case (.share, .number(let slot)):
                guard let share = payload[share: slot] else { continue }
                json.key(keys[index])
                // The shortest text that reads back as the same number.
                json.written(Array("\(share)".utf8))
            case (_, .number(let slot)):
                guard let number = payload[number: slot] else { continue }
                json.key(keys[index])
                json.value(number)
            }
        }
        json.close()
    }
}
