internal import SignedDataFormat

/// A table with additional rows of signed documents, beside their rows in `receipt`.
package struct SignedTable: Sendable {
    package let name: String
    /// The fields that have a column, in the order of the columns.
    private let fields: [SignedField]
    /// The columns before those of the fields; their values do not come from the payload's fields.
    private let documentColumns: [String]

    init?(of described: SignedDocumentKind) {
        guard let columns = described.documentColumns else { return nil }
        self.init(described.member.description, described.stored, columns.map(\.rawValue))
    }

    private init(_ name: String, _ fields: [SignedField], _ documentColumns: [String] = []) {
        (self.name, self.fields, self.documentColumns) = (name, fields, ["receipt_id"] + documentColumns)
    }

    static let revocation = SignedTable(
        "revocation", SignedField.stored(of: .transaction).filter { $0.merge == .withRevocation })
    static let seatRevocation = SignedTable(
        "seat_revocation",
        SignedField.stored(of: .transaction).filter { $0.name == SignedField.revokedSeats.name })
    static let commerce = SignedTable("commerce", SignedField.stored(in: .commerce))
    static let commerceItem = SignedTable("commerce_item", SignedField.stored(in: .item), ["item"])
    static let commerceRefund = SignedTable("commerce_refund", SignedField.stored(in: .refund), ["item", "refund"])

    static let all =
        SignedDocumentKind.all.compactMap(SignedTable.init) + [
            revocation, seatRevocation, commerce, commerceItem, commerceRefund,
        ]

    /// The columns that identify persons, in these tables and in `purchase_terms`, where terms are merged.
    package static let columnsOfPersons: [(table: String, column: String)] =
        (all.map { ($0.name, $0.fields) } + [("purchase_terms", SignedField.stored(of: .transaction))])
        .flatMap { table, fields in
            fields.filter { $0.person != nil }.compactMap(\.storedColumn).map { (table, $0) }
        }

    /// All columns, in the order of a row's cells. A test compares the schema with this list.
    var columns: [String] { documentColumns + fields.compactMap(\.storedColumn) }

    /// The slots of a record that hold the values of ``fields``.
    var slots: [(type: SignedFieldType, slot: SignedField.Slot)] {
        fields.compactMap { field in field.slot.map { (field.type, $0) } }
    }
}
