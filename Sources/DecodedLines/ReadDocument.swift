internal import MillJSON
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// A document of a decoded line, as it was read.
struct ReadDocument {
    /// Which of the line's documents, from 1.
    var number: Int64 = 1
    var submission: DecodedObjects.Submission?
    var statement = ReadStatement()
    /// What it holds, in the order of the line; none twice.
    var parts: [(part: SignedPart, statement: ReadStatement)] = []
    var rejection: Unreadable?
    var rejectedLine: [UInt8]?

    /// Refuses what is neither a submission nor a rejection.
    func checkForm() throws(InvalidJSON) {
        let members = [submission != nil, statement.receipt != nil, statement.purchases != nil]
        try require(
            rejection == nil ? !members.contains(false) : !members.contains(true),
            "the line has to hold either submission, receipt and purchases, or rejection")
        try require(
            rejection == nil || statement.content == nil && parts.isEmpty,
            "a rejection states nothing but why")
    }
}

/// What a document states.
struct ReadStatement {
    var receipt: VerifiedReceipt?
    var purchases: Range<Int>?
    /// Index among the batch's contents of signed documents.
    var content: Int?
}
