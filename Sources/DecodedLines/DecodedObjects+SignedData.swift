internal import MillJSON
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// What signed documents state beside what receipts do.
extension DecodedObjects {
    /// Reads the object of one kind of documents.
    mutating func readSigned(
        _ object: SignedObject, _ cursor: inout JSONCursor, into statement: inout ReadStatement
    ) throws(InvalidJSON) {
        var payload = SignedPayload()
        payload.kind = object.kind
        var isFirst = true
        while let (type, slot) = try signedKeys[object.kind].nextKey(of: &cursor, &isFirst, depth: 2) {
            switch (type, slot) {
            case (_, .text(let slot)): payload[text: slot] = try text(&cursor)
            case (.date, .number(let slot)): payload[number: slot] = try time(&cursor)
            case (.flag, .number(let slot)): payload[number: slot] = try binary(&cursor)
            case (.share, .number(let slot)): payload[number: slot] = try share(&cursor)
            case (_, .number(let slot)): payload[number: slot] = try cursor.readInteger()
            }
        }
        switch object.kind {
        case .signedTransaction where payload.hasUndatedRevocation:
            throw cursor.failure("a revocation has to have its date, revocation_date_ms")
        case .signedRenewal where payload[.originalTransactionID] == nil:
            throw cursor.failure("renewal has to have an original_transaction_id")
        case .notification where payload[.notificationType] == nil:
            throw cursor.failure("notification has to have a notification_type")
        default: break
        }
        guard statement.content == nil else {
            throw cursor.failure("a document states one of terms, renewal, app_transaction and notification")
        }
        statement.content = signedPayloads.count
        signedPayloads.append(payload)
    }

    /// Checks that a document states what its kind does.
    func checkContent(
        _ statement: ReadStatement, _ receipt: VerifiedReceipt, _ purchases: Range<Int>
    ) throws(InvalidJSON) {
        guard let content = statement.content else {
            throw InvalidJSON(what: "a \(receipt.kind.rawValue) without what it states", offset: 0)
        }
        try require(
            signedPayloads[content].kind == receipt.kind,
            "the \(receipt.kind.rawValue) states what documents of another kind do")
        try require(
            purchases.count == (receipt.kind == .signedTransaction ? 1 : 0),
            "of signed data a transaction has one purchase, and others have none")
    }

    /// Whether a document states what identifies a person.
    func statesPerson(_ statement: ReadStatement) -> Bool {
        statement.content.map { signedPayloads[$0].statesPerson } ?? false
    }

    /// 0 or 1.
    private func binary(_ cursor: inout JSONCursor) throws(InvalidJSON) -> Int64? {
        guard let number = try cursor.readInteger() else { return nil }
        guard number == 0 || number == 1 else { throw cursor.failure("expected 0 or 1") }
        return number
    }

    /// The bits of a number from 0 to 1.
    private func share(_ cursor: inout JSONCursor) throws(InvalidJSON) -> Int64? {
        let token = try cursor.readValue(depth: 2)
        if token.kind == .null { return nil }
        guard token.kind == .number, let share = JSONNumber.double(cursor.bytes, in: token.range),
            (0...1).contains(share)
        else { throw cursor.failure("expected a number from 0 to 1") }
        return Int64(bitPattern: share.bitPattern)
    }
}
