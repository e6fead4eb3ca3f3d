internal import GRDB
internal import ReceiptVerification

/// A rejected line that was read again, within the loader's transaction. With other keys, the line's documents may be
/// numbered differently than before: a document that is a submission keeps its number, and the others get free numbers.
struct CorrectedLine {
    private let id: Int64
    /// The receipts of those documents of the line that are submissions, by the document's number.
    private var submitted: [Int: Int64] = [:]
    /// Numbers of the line's documents whose rejections are open.
    private var open: Set<Int> = []
    /// Whether a document of the line was a submission before.
    let wasLoaded: Bool
    /// Whether a document of the line has become a submission.
    private(set) var isLoaded = false

    init(_ id: Int64, _ db: Database) throws {
        self.id = id
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT document, status FROM rejection WHERE archive_id = ? AND line = ?"),
            arguments: [LineNumber.archive(of: id), LineNumber.line(of: id)])
        let rejected = Set(rows.map { $0[0] as Int })
        open = Set(rows.filter { $0[1] as String == "open" }.map { $0[0] as Int })
        // The documents of a line are numbered without gaps, so the first missing number ends the search.
        let find = try db.cachedStatement(sql: "SELECT receipt_id FROM submission WHERE submission_id = ?")
        var document = 1
        while true {
            let receipt = try Int64.fetchOne(find, arguments: [LineNumber.id(ofDocument: document, in: id)])
            if let receipt { submitted[document] = receipt }
            guard receipt != nil || rejected.contains(where: { $0 >= document }) else { break }
            document += 1
        }
        wasLoaded = !submitted.isEmpty
    }

    /// The identifier of the submission that a document becomes; nil if the line already has a submission of this
    /// receipt.
    mutating func submit(_ receipt: Int64, as document: Int) -> Int64? {
        guard !submitted.values.contains(receipt) else { return nil }
        let number = freeNumber(document, besides: [])
        submitted[number] = receipt
        isLoaded = true
        return LineNumber.id(ofDocument: number, in: id)
    }

    private func freeNumber(_ wanted: Int, besides taken: Set<Int>) -> Int {
        func isFree(_ number: Int) -> Bool { submitted[number] == nil && !taken.contains(number) }
        if isFree(wanted) { return wanted }
        var number = 1
        while !isFree(number) { number += 1 }
        return number
    }

    /// Gives an open rejection of the line the reason why its document can't be read now. A line of which a document was
    /// read, by a person's correction or before, keeps its reasons: the documents may be numbered otherwise now.
    func restate(_ fault: Rejection, _ db: Database) throws {
        guard submitted.isEmpty, open.contains(fault.document) else { return }
        try db.cachedStatement(
            sql: "UPDATE rejection SET reason = ?, detail = ? WHERE archive_id = ? AND line = ? AND document = ?"
        ).execute(
            arguments: [
                fault.cause.reason.rawValue, fault.cause.detail, LineNumber.archive(of: id), LineNumber.line(of: id),
                fault.document,
            ])
    }

    /// Clears the open rejections whose documents were read, and replaces the other open rejections by the line's
    /// present faults.
    func replaceRejections(by faults: [Rejection], _ db: Database) throws {
        let (archive, line) = (LineNumber.archive(of: id), LineNumber.line(of: id))
        for document in open {
            let isRead = submitted[document] != nil
            try db.cachedStatement(
                sql: isRead
                    ? "UPDATE rejection SET status = 'cleared' WHERE archive_id = ? AND line = ? AND document = ?"
                    : "DELETE FROM rejection WHERE archive_id = ? AND line = ? AND document = ?"
            ).execute(arguments: [archive, line, Int64(document)])
        }
        var taken: Set<Int> = []
        for fault in faults {
            let number = freeNumber(fault.document, besides: taken)
            taken.insert(number)
            try db.cachedStatement(
                sql: """
                    INSERT INTO rejection (archive_id, line, document, reason, detail) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET reason = excluded.reason, detail = excluded.detail, status = 'open'
                    """
            ).execute(
                arguments: [archive, line, number, fault.cause.reason.rawValue, fault.cause.detail])
        }
        guard faults.isEmpty else { return }
        try db.cachedStatement(sql: "DELETE FROM dead_letter WHERE letter_id = ?").execute(arguments: [id])
    }
}
