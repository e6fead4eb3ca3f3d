internal import DatabaseCare
internal import MillBytes
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptVerification
internal import ReceiptWarehouse

extension LineVerifier {
    /// Verifies a batch, and rejects dead letters among its lines: letters are loaded as corrections only from a file
    /// whose first line is a letter. Their documents would be those of another archive's lines.
    func verifyNamingLetters(_ batch: LineBatch) throws(MillError) -> VerifiedBatch {
        guard case .lines(let text) = batch.content, ByteSearch.contains(text[...], Self.letterKey) else {
            return try verify(batch)
        }
        var letters: [Int: Unreadable] = [:]
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where ByteSearch.contains(line, Self.letterKey) {
            guard (try? DeadLetter(parsing: text.span, in: line.indices)) != nil else { continue }
            letters[index] = Self.misplacedLetter
        }
        return try verify(batch, rejecting: letters)
    }

    private static let letterKey = Array("\"rejected\"".utf8)
    private static let misplacedLetter = Unreadable(
        .noReceipt, "a dead letter among an archive's lines: put letters into a file of their own")
}
