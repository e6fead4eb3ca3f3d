internal import DatabaseCare
internal import MillBytes
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptVerification
internal import ReceiptWarehouse

extension LineVerifier {
    /// Verifies a batch, and rejects lines that belong in a dead-letter file. They are corrections only in a file that
    /// begins with one; in other files their documents would be loaded a second time, as lines of this archive.
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
        .noReceipt, "a line of a dead-letter file among an archive's lines: give that file by itself")
}
