internal import DatabaseCare
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptVerification
internal import ReceiptWarehouse

extension LineVerifier {
    /// Verifies a batch, and names dead letters among its lines in their rejections: letters are loaded as corrections
    /// only from a file whose first line is a letter.
    func verifyNamingLetters(_ batch: LineBatch) throws(MillError) -> VerifiedBatch {
        var verified = try verify(batch)
        let suspects = verified.rejections.indices.filter {
            verified.rejections[$0].cause.reason == .noReceipt && !verified.rejections[$0].isSettled
        }
        guard !suspects.isEmpty, case .lines(let text) = batch.content else { return verified }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for index in suspects {
            let rejection = verified.rejections[index]
            guard (try? DeadLetter(parsing: text.span, in: lines[rejection.line].indices)) != nil else { continue }
            verified.rejections[index] = Rejection(
                line: rejection.line, cause: Self.misplacedLetter, content: rejection.content)
        }
        return verified
    }

    private static let misplacedLetter = Unreadable(
        .noReceipt, "a dead letter among an archive's lines: put letters into a file of their own")
}
