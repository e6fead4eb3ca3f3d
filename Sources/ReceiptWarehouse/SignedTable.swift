internal import SignedDataFormat

/// A table with additional rows of signed documents, beside their rows in `receipt`. The raw values are the tables'
/// names.
package enum SignedTable: String, CaseIterable {
    case renewal, notification, revocation
    case appTransaction = "app_transaction"
    case realtimeRequest = "realtime_request"
    case seatRevocation = "seat_revocation"
    case commerce
    case commerceItem = "commerce_item"
    case commerceRefund = "commerce_refund"

    /// The columns that identify persons, in these tables and in `purchase_terms`, where terms are merged.
    package static let columnsOfPersons: [(table: String, column: String)] =
        (allCases.map { ($0.rawValue, $0.fields) } + [("purchase_terms", SignedField.stored(of: .transaction))])
        .flatMap { table, fields in
            fields.filter { $0.person != nil }.compactMap(\.storedColumn).map { (table, $0) }
        }

    /// The fields that have a column, in the order of the columns.
    private var fields: [SignedField] {
        switch self {
        case .renewal: SignedField.stored(of: .renewal)
        case .notification: SignedField.stored(of: .notification)
        case .appTransaction: SignedField.stored(of: .appTransaction)
        case .realtimeRequest: SignedField.stored(of: .realtimeRequest)
        case .revocation: SignedField.stored(of: .transaction).filter { $0.merge == .withRevocation }
        case .seatRevocation:
            SignedField.stored(of: .transaction).filter { $0.name == SignedField.revokedSeats.name }
        case .commerce: SignedField.stored(in: .commerce)
        case .commerceItem: SignedField.stored(in: .item)
        case .commerceRefund: SignedField.stored(in: .refund)
        }
    }

    /// The columns before those of the fields; their values do not come from the payload's fields.
    private var documentColumns: [String] {
        switch self {
        case .renewal: ["receipt_id", "environment", "signed_at"]
        case .notification, .realtimeRequest: ["receipt_id", "environment"]
        case .appTransaction, .revocation, .seatRevocation, .commerce: ["receipt_id"]
        case .commerceItem: ["receipt_id", "item"]
        case .commerceRefund: ["receipt_id", "item", "refund"]
        }
    }

    /// All columns, in the order of a row's cells. A test compares the schema with this list.
    var columns: [String] { documentColumns + fields.compactMap(\.storedColumn) }

    /// The slots of a record that hold the values of ``fields``.
    var slots: [(type: SignedFieldType, slot: SignedField.Slot)] {
        fields.compactMap { field in field.slot.map { (field.type, $0) } }
    }
}
