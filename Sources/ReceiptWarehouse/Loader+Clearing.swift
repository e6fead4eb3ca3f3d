internal import GRDB
internal import MillSystem
internal import ReceiptVerification

/// Lines that stand in the place of rejected ones.
extension Loader {
    /// Clears the rejection that a submission stands in the place of. Only a line
    /// whose rejection is open is taken: so nothing is loaded twice, however often
    /// a line is mended or read again.
    ///
    /// - Returns: whether it was loaded before, and is to be passed over.
    func settle(
        _ submission: VerifiedSubmission, receipt: Int64, of archive: LoadingArchive,
        _ octets: UnsafeBufferPointer<UInt8>, _ db: Database
    ) throws -> Bool {
        let line = archive.line(submission.line)
        if archive.isReadAgain, line <= archive.lines {
            if try LoadDatabase.clear(line: line, archive: archive.number, db) {
                counts.cleared += 1
                return false
            }
            guard case .rejection? = archive.origins?[line] else { throw Self.clearedMeanwhile(line) }
            try LoadDatabase.unrepeatLine(line, archive: archive.number, db)
        }
        switch archive.origins?[line] {
        case nil: return false
        case .rejection(let number, let now, _)?:
            let wasLoaded = try LoadDatabase.wasLoadedForRejection(
                receipt: receipt, device: octets.text(submission.device), account: octets.text(submission.account),
                at: submission.submittedAt, besides: archive.number, db)
            if !wasLoaded {
                let submission = archive.submissionNumber(line: submission.line)
                guard try LoadDatabase.clear(number, by: submission, as: now, db) else {
                    throw Self.clearedMeanwhile(line)
                }
                counts.cleared += 1
                return false
            }
        case .settled?: break
        }
        try LoadDatabase.repeatLine(line, archive: archive.number, db)
        counts.repeated += 1
        return true
    }

    /// The receipt of such a line is written already, so the window is taken back;
    /// the next run knows whose line it is.
    private static func clearedMeanwhile(_ line: Int64) -> MillError {
        MillError(
            stage: .loading, line: Int(line), what: "was mended by another archive of this run",
            hint: "run again; what was committed is kept", exitStatus: .tryLater)
    }
}
