internal import MillJSON
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Throws an error about the whole line if a condition is false.
func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(InvalidJSON) {
    guard condition else { throw InvalidJSON(what: what(), offset: 0) }
}

extension DecodedLine {
    /// Throws if members of the line contradict each other.
    func checkForm() throws(InvalidJSON) {
        let known = Self.readableSchemas
        try require(
            schema.map { known.contains($0) } ?? false,
            schema.map {
                "the line is of schema \($0), and this version reads \(known.lowerBound) to \(known.upperBound)"
            } ?? "the line is not of decode's format: it has no schema")
        try first.checkForm()
        try checkOrder()
        try require((archive == nil) == (number == nil), "archive and line stand together or not at all")
        // A submission's identifier has 32 bits for its line.
        try require((1...Int64(UInt32.max)).contains(number ?? 1), "the line's number is out of range")
        try require(isLast != true || archive != nil, "a line without an archive can't be its last")
    }

    /// Throws if the numbers of documents have gaps. A notification may occur twice: as a submission, then as a
    /// rejection of an unreadable part.
    private func checkOrder() throws(InvalidJSON) {
        var (last, isRejected): (Int64, Bool) = (1, first.rejection != nil)
        for document in others {
            try document.checkForm()
            let number = document.number ?? 0
            if number == last, !isRejected, document.rejection != nil {
                isRejected = true
                continue
            }
            try require(
                number == last + 1 && last < ScannedLine.maximumDocuments,
                "the numbers of the line's documents have a gap, or are out of range")
            (last, isRejected) = (number, document.rejection != nil)
        }
    }
}

extension LineDocument {
    /// Throws if a document is neither a submission nor a rejection.
    fileprivate func checkForm() throws(InvalidJSON) {
        let members = [submission != nil, statement.receipt != nil, statement.purchases != nil]
        try require(
            rejection == nil ? !members.contains(false) : !members.contains(true),
            "the line has to hold either submission, receipt and purchases, or rejection")
        try require(
            rejection == nil || statement.payload == nil && parts.isEmpty,
            "a rejection states nothing but why")
    }
}

/// Checks lines for the conditions on which loading relies.
struct LineChecks {
    let keepsReceipts: Bool
    private let sha256: MessageDigest

    init(keepsReceipts: Bool) throws(OpenSSLError) {
        self.keepsReceipts = keepsReceipts
        sha256 = try MessageDigest()
    }

    /// Checks a whole line before any part of it is loaded.
    ///
    /// - Parameter naming: how earlier lines name persons; this line has to name them in the same way.
    func check(
        _ line: inout DecodedLine, namesArchives: Bool, _ naming: inout DecodedBatch.Naming?,
        _ contents: inout BatchContents
    ) throws(InvalidJSON) {
        try require(
            namesArchives == (line.archive != nil),
            namesArchives
                ? "the line names no archive, and the file's first line does"
                : "the line names an archive, and the file's first line does not")
        var found = naming
        try check(&line.first, &found, &contents)
        for index in line.others.indices { try check(&line.others[index], &found, &contents) }
        naming = found
    }

    private func check(
        _ document: inout LineDocument, _ naming: inout DecodedBatch.Naming?, _ contents: inout BatchContents
    ) throws(InvalidJSON) {
        guard let submission = document.submission else { return }
        let found: DecodedBatch.Naming = submission.pseudonymKey.map { .key($0.bytes) } ?? .none
        try require(naming == nil || naming == found, "devices are named by another key than on the lines before")
        naming = found
        let isNamed = found != .none
        if !document.parts.isEmpty {
            try require(document.statement.receipt?.kind == .notification, "nothing but a notification holds parts")
        }
        var statesPerson = false
        for index in document.parts.indices {
            let person = contents.statesPerson(document.parts[index].statement)
            try check(&document.parts[index].statement, isNamed: isNamed, statesPerson: person, &contents)
            try require(
                document.parts[index].statement.receipt?.kind?.isSignedData == true, "a part has to be signed data")
            if person { statesPerson = true }
        }
        statesPerson = statesPerson || contents.statesPerson(document.statement)
        try check(&document.statement, isNamed: isNamed, statesPerson: statesPerson, &contents)
    }

    private func check(
        _ statement: inout Statement, isNamed: Bool, statesPerson: Bool, _ contents: inout BatchContents
    ) throws(InvalidJSON) {
        guard let receipt = statement.verified else { return }
        try require(
            statement.receipt?.purchaseCount == Int64(receipt.purchases.count),
            "purchase_count is not the length of purchases")
        if receipt.kind == .transactionReceipt {
            try require(receipt.purchases.count == 1, "a transaction receipt has to have one purchase")
        }
        if receipt.kind.isSignedData || receipt.payload != nil { try contents.checkPayload(of: receipt) }
        statement.isReviewable = receipt.kind == .transactionReceipt && receipt.verification.isReviewable
        guard keepsReceipts || statement.isReviewable else { return }
        guard let whole = receipt.whole else {
            // With a pseudonym key, decode does not write complete signed data that names a person.
            if isNamed, receipt.kind.isSignedData { return }
            throw InvalidJSON(
                what: keepsReceipts
                    ? "the receipt is not there whole: decode with --keep-receipts"
                    : "the receipt's octets are missing",
                offset: 0)
        }
        try require(!isNamed || !statesPerson, "octets of what names a person stand beside a pseudonym_key")
        let digest = try? sha256.sha256(contents.bytes.span, in: whole.indices)
        try require(
            digest == receipt.digest && whole.count == receipt.bytes,
            "octets are not the receipt that sha256 and bytes state")
        if statement.isReviewable {
            var copy = ByteBuffer(capacity: 2 * whole.count)
            let range = copy.append(contents.bytes.span, in: whole.indices)
            try require(
                copy.holdsTransactionReceipt(range) && (try? TransactionReceiptVerifier.parse(range, &copy)) != nil,
                "octets are no transaction receipt")
        }
    }
}

extension BatchContents {
    /// Whether a document contains a field that identifies a person.
    fileprivate func statesPerson(_ statement: Statement) -> Bool {
        statement.payload.map { signedPayloads[$0].statesPerson } ?? false
    }

    /// Checks that a document has the payload and purchases of its kind.
    fileprivate func checkPayload(of receipt: VerifiedReceipt) throws(InvalidJSON) {
        guard let payload = receipt.payload else {
            throw InvalidJSON(what: "a \(receipt.kind.rawValue) without what it states", offset: 0)
        }
        try require(
            signedPayloads[payload].kind == receipt.kind,
            "the \(receipt.kind.rawValue) states what documents of another kind do")
        try require(
            receipt.purchases.count == (receipt.kind == .signedTransaction ? 1 : 0),
            "of signed data a transaction has one purchase, and others have none")
    }
}
