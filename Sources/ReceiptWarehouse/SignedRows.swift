internal import GRDB
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// A table with a row for each signed document that states its kind of data. The raw values are the tables' names.
enum SignedTable: String, CaseIterable {
    case renewal, notification, revocation
    case appTransaction = "app_transaction"

    /// The fields that have a column, in the order of the columns.
    private var fields: [SignedField] {
        switch self {
        case .renewal: SignedField.stored(of: .renewal)
        case .notification: SignedField.stored(of: .notification)
        case .appTransaction: SignedField.stored(of: .appTransaction)
        case .revocation: SignedField.stored(of: .transaction).filter { $0.merge == .withRevocation }
        }
    }

    /// The columns before those of the fields, whose values do not come from the payload's fields.
    private var documentColumns: [String] {
        switch self {
        case .renewal: ["receipt_id", "environment", "signed_at"]
        case .notification: ["receipt_id", "environment"]
        case .appTransaction, .revocation: ["receipt_id"]
        }
    }

    /// All columns, in the order of a row's cells. A test compares the schema with this list.
    var columns: [String] { documentColumns + fields.compactMap(\.storedColumn) }

    /// The slots of a payload that hold the values of ``fields``.
    var slots: [(type: SignedFieldType, slot: SignedField.Slot)] {
        fields.compactMap { field in field.slot.map { (field.type, $0) } }
    }
}

/// Writes the rows that signed documents state beside receipts' rows: one row for each document, under the document's
/// identifier.
///
/// For use inside a database access only, since the prepared statements belong to the connection.
struct SignedRows {
    /// The rows of a batch for one table, and the statement that inserts them.
    private struct Waiting {
        var rows: RowBuffer
        private let insertion: LoaderStatement
        private let slots: [(type: SignedFieldType, slot: SignedField.Slot)]

        init(_ db: Database, _ name: String, _ columns: [String], _ clause: String = "") throws(MillError) {
            rows = RowBuffer(columnCount: columns.count)
            insertion = try LoaderStatement(db, "\(Rows.insert(into: name, columns)) \(clause)")
            slots = []
        }

        init(_ db: Database, _ table: SignedTable) throws(MillError) {
            rows = RowBuffer(columnCount: table.columns.count)
            insertion = try LoaderStatement(db, Rows.insert(into: table.rawValue, table.columns))
            slots = table.slots
        }

        /// Puts the cells of the fields' columns.
        mutating func put(
            _ payload: SignedPayload, _ bytes: UnsafeBufferPointer<UInt8>, _ dimensions: inout DimensionKeys
        ) throws(MillError) {
            for (type, slot) in slots {
                switch slot {
                case .number(let slot): rows.put(payload[number: slot])
                case .text(let slot):
                    let text = bytes.part(payload[text: slot])
                    switch type {
                    case .product: rows.put(try dimensions.product(text))
                    case .transaction:
                        guard let text else { rows.putNull(); continue }
                        var texts = TextTable()
                        TransactionIdentifier(text, texts: &texts).put(into: &rows, texts: texts)
                    default: rows.putText(text)
                    }
                }
            }
        }

        mutating func insert() throws(MillError) {
            try insertion.run(rows)
            rows.removeAll()
        }
    }

    private var parts, renewals, appTransactions, notifications: Waiting
    /// Inserts single rows, since few documents have a revocation.
    private let revocation: LoaderStatement
    private let revocationSlots = SignedTable.revocation.slots

    init(_ db: Database) throws(MillError) {
        // A document's parts are put for every line that holds the document, so they may be stored already.
        parts = try Waiting(db, "receipt_part", ["receipt_id", "part", "part_receipt_id"], "ON CONFLICT DO NOTHING")
        renewals = try Waiting(db, .renewal)
        appTransactions = try Waiting(db, .appTransaction)
        notifications = try Waiting(db, .notification)
        let columns = SignedTable.revocation.columns
        revocation = try LoaderStatement(
            db,
            """
            INSERT INTO \(SignedTable.revocation.rawValue) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """)
    }

    mutating func put(_ name: SignedPart, of holder: Int64, receipt: Int64) {
        parts.rows.begin()
        parts.rows.put(holder)
        parts.rows.putText(name.rawValue)
        parts.rows.put(receipt)
    }

    /// Puts the row of a document that is no transaction. A renewal info without a signing date is skipped, because it
    /// could not be ordered among others.
    mutating func put(
        _ payload: SignedPayload, of receipt: Int64, _ app: AppReceipt, _ bytes: UnsafeBufferPointer<UInt8>,
        _ dimensions: inout DimensionKeys
    ) throws(MillError) {
        switch payload.kind {
        case .signedRenewal:
            guard let signedAt = app.receiptCreationDate else { return }
            renewals.rows.begin()
            renewals.rows.put(receipt)
            renewals.rows.putText(orEmpty: bytes.part(app.environment))
            renewals.rows.put(signedAt)
            try renewals.put(payload, bytes, &dimensions)
        case .appTransaction:
            appTransactions.rows.begin()
            appTransactions.rows.put(receipt)
            try appTransactions.put(payload, bytes, &dimensions)
        case .notification:
            notifications.rows.begin()
            notifications.rows.put(receipt)
            notifications.rows.putText(orEmpty: bytes.part(app.environment))
            try notifications.put(payload, bytes, &dimensions)
        case .signedTransaction, .appReceipt, .transactionReceipt: break
        }
    }

    /// Inserts the revocation that a transaction states; a transaction without a revocation date has none.
    func insertRevocation(
        _ payload: SignedPayload, of receipt: Int64, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(MillError) {
        guard payload[.revocationDate] != nil else { return }
        var values: [any StatementValue] = [receipt]
        for (type, slot) in revocationSlots {
            switch slot {
            case .text(let slot): values.append(bytes.part(payload[text: slot]).map(LentText.init))
            case .number(let slot) where type == .share: values.append(payload[share: slot])
            case .number(let slot): values.append(payload[number: slot])
            }
        }
        try revocation.run(values)
    }

    /// Inserts the batch's rows.
    mutating func insertBatch() throws(MillError) {
        try parts.insert()
        try renewals.insert()
        try appTransactions.insert()
        try notifications.insert()
    }
}
