internal import GRDB
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// Writes the additional rows that signed documents have beside their rows in `receipt`, under the identifiers of the
/// documents.
///
/// For use inside a database access only, since the prepared statements belong to the connection.
struct SignedRows {
    /// The rows of a batch for one table, and the statement that inserts them.
    private struct Waiting {
        var rows: RowBuffer
        private let insertion: LoaderStatement
        private let slots: [(type: SignedFieldType, slot: SignedField.Slot)]
        private let documentColumns: [SignedDocumentKind.DocumentColumn]

        init(_ db: Database, _ name: String, _ columns: [String], _ clause: String = "") throws(MillError) {
            rows = RowBuffer(columnCount: columns.count)
            insertion = try LoaderStatement(db, "\(RowWriter.insert(into: name, columns)) \(clause)")
            (slots, documentColumns) = ([], [])
        }

        init(
            _ db: Database, _ table: SignedTable, _ documentColumns: [SignedDocumentKind.DocumentColumn] = []
        ) throws(MillError) {
            rows = RowBuffer(columnCount: table.columns.count)
            insertion = try LoaderStatement(db, RowWriter.insert(into: table.name, table.columns))
            (slots, self.documentColumns) = (table.slots, documentColumns)
        }

        /// Begins a row of a document's record.
        ///
        /// - Parameter places: the positions of the record in the document's lists.
        mutating func begin(_ receipt: Int64, _ places: Int...) {
            rows.begin()
            rows.put(receipt)
            for place in places { rows.put(Int64(place)) }
        }

        /// Adds a row of a document of the kind whose table this is.
        mutating func put(
            _ payload: SignedPayload, of receipt: Int64, _ app: AppReceipt, _ bytes: UnsafeBufferPointer<UInt8>,
            _ dimensions: inout DimensionKeys
        ) throws(MillError) {
            begin(receipt)
            for column in documentColumns {
                switch column {
                case .environment: rows.putText(orEmpty: bytes.part(app.environment))
                case .signedAt: rows.put(app.receiptCreationDate)
                }
            }
            try put(payload.values, bytes, &dimensions)
        }

        /// Adds the cells of the fields' columns.
        mutating func put(
            _ values: SlotValues, _ bytes: UnsafeBufferPointer<UInt8>, _ dimensions: inout DimensionKeys
        ) throws(MillError) {
            for (type, slot) in slots {
                switch slot {
                case .number(let slot): rows.put(values[number: slot])
                case .text(let slot):
                    let text = bytes.part(values[text: slot])
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

    private var parts: Waiting
    /// The rows of the kinds that have a table of their own.
    private var ofKinds: [ReceiptKind: Waiting] = [:]
    private var seatRevocations, commerces, commerceItems, commerceRefunds: Waiting
    /// Inserts single rows, since few documents have a revocation.
    private let revocation: LoaderStatement
    private let revocationSlots = SignedTable.revocation.slots

    init(_ db: Database) throws(MillError) {
        // A document's parts are written for every line that contains the document, so they may be stored already.
        parts = try Waiting(db, "receipt_part", ["receipt_id", "part", "part_receipt_id"], "ON CONFLICT DO NOTHING")
        for described in SignedDocumentKind.all {
            guard let columns = described.documentColumns, let table = SignedTable(of: described) else { continue }
            ofKinds[described.kind] = try Waiting(db, table, columns)
        }
        seatRevocations = try Waiting(db, .seatRevocation)
        commerces = try Waiting(db, .commerce)
        commerceItems = try Waiting(db, .commerceItem)
        commerceRefunds = try Waiting(db, .commerceRefund)
        let columns = SignedTable.revocation.columns
        revocation = try LoaderStatement(
            db,
            """
            INSERT INTO \(SignedTable.revocation.name) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """)
    }

    mutating func put(_ name: SignedPart, of holder: Int64, receipt: Int64) {
        parts.rows.begin()
        parts.rows.put(holder)
        parts.rows.putText(name.rawValue)
        parts.rows.put(receipt)
    }

    /// Writes the rows of a trusted document. A renewal info without a signing date is skipped, because it could not be
    /// ordered among others.
    mutating func put(
        _ payload: SignedPayload, of receipt: Int64, _ app: AppReceipt, _ bytes: UnsafeBufferPointer<UInt8>,
        _ dimensions: inout DimensionKeys
    ) throws(MillError) {
        if payload.kind == .signedRenewal, app.receiptCreationDate == nil { return }
        try ofKinds[payload.kind]?.put(payload, of: receipt, app, bytes, &dimensions)
        if payload.kind == .signedTransaction, let revokedSeats = Self.revokedSeats, payload.has(revokedSeats) {
            seatRevocations.begin(receipt)
            try seatRevocations.put(payload.values, bytes, &dimensions)
        }
        if let commerce = payload.extras?.commerce { try put(commerce, of: receipt, bytes, &dimensions) }
    }

    private static let revokedSeats = SignedField.revokedSeats.slot

    private mutating func put(
        _ commerce: SignedCommerce, of receipt: Int64, _ bytes: UnsafeBufferPointer<UInt8>,
        _ dimensions: inout DimensionKeys
    ) throws(MillError) {
        commerces.begin(receipt)
        try commerces.put(commerce.values, bytes, &dimensions)
        for (item, content) in commerce.items.enumerated() {
            commerceItems.begin(receipt, item + 1)
            try commerceItems.put(content.values, bytes, &dimensions)
            for (refund, values) in content.refunds.enumerated() {
                commerceRefunds.begin(receipt, item + 1, refund + 1)
                try commerceRefunds.put(values, bytes, &dimensions)
            }
        }
    }

    /// Inserts the revocation that a transaction states. A transaction without a revocation date has none.
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
        for described in SignedDocumentKind.all { try ofKinds[described.kind]?.insert() }
        try seatRevocations.insert()
        try commerces.insert()
        try commerceItems.insert()
        try commerceRefunds.insert()
    }
}
