internal import MillJSON
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// What is held to its form, because later work relies on it.
extension DecodedObjects {
    /// Checks a document, and what it holds, for what later work on it relies on.
    ///
    /// - Parameter isNamed: whether persons are named by a key.
    mutating func verify(_ document: inout ReadDocument, isNamed: Bool) throws(InvalidJSON) {
        if !document.parts.isEmpty {
            try require(document.statement.receipt?.kind == .notification, "nothing but a notification holds parts")
        }
        var statesPerson = false
        for index in document.parts.indices {
            let person = self.statesPerson(document.parts[index].statement)
            try verify(&document.parts[index].statement, isNamed: isNamed, statesPerson: person)
            try require(
                document.parts[index].statement.receipt?.kind.isSignedData == true, "a part has to be signed data")
            if person { statesPerson = true }
        }
        if document.statement.content != nil, !statesPerson { statesPerson = self.statesPerson(document.statement) }
        try verify(&document.statement, isNamed: isNamed, statesPerson: statesPerson)
    }

    private mutating func verify(
        _ statement: inout ReadStatement, isNamed: Bool, statesPerson: Bool
    ) throws(InvalidJSON) {
        guard let receipt = statement.receipt, let purchases = statement.purchases else { return }
        try require(receipt.purchases.count == purchases.count, "purchase_count is not the length of purchases")
        statement.receipt?.purchases = purchases
        if receipt.kind == .transactionReceipt {
            try require(purchases.count == 1, "a transaction receipt has to have one purchase")
        }
        if receipt.kind.isSignedData || statement.content != nil {
            try checkContent(statement, receipt, purchases)
            statement.receipt?.payload = statement.content
        }
        let isReviewable = receipt.kind == .transactionReceipt && receipt.verification.isReviewable
        guard keepsReceipts || isReviewable else { return }
        guard let whole = receipt.whole else {
            // Of signed data that names a person none is whole under a key.
            if isNamed, receipt.kind.isSignedData { return }
            throw InvalidJSON(
                what: keepsReceipts
                    ? "the receipt is not there whole: decode with --keep-receipts"
                    : "the receipt's octets are missing",
                offset: 0)
        }
        try require(!isNamed || !statesPerson, "octets of what names a person stand beside a pseudonym_key")
        let digest = try? sha256.sha256(content.span, in: whole.indices)
        try require(
            digest == receipt.digest && whole.count == receipt.bytes,
            "octets are not the receipt that sha256 and bytes state")
        if isReviewable {
            var copy = ByteBuffer(capacity: 2 * whole.count)
            let range = copy.append(content.span, in: whole.indices)
            try require(
                copy.holdsTransactionReceipt(range) && (try? TransactionReceiptVerifier.parse(range, &copy)) != nil,
                "octets are no transaction receipt")
            statement.receipt?.reviewable = whole
        }
    }
}
