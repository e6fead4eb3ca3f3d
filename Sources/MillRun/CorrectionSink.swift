internal import MillSystem
internal import ReceiptArchive
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Loads lines that replace rejected lines into the database. One worker at a time uses the sink.
final class CorrectionSink: ItemSink {
    private let loader: CorrectionLoader
    private let reporter: RunReporter
    /// The number of corrections of the current file that were applied.
    private var applied = 0
    private var passedOver = 0
    private var unreadable = 0
    private var refused = 0
    private var firstRefusal: MillError?

    /// The maximum number of a dead-letter file's lines that are reported singly; further ones are only counted.
    private static let reportedLetters = 100

    init(_ loader: CorrectionLoader, _ reporter: RunReporter) {
        self.loader = loader
        self.reporter = reporter
    }

    static func size(of batch: CorrectionBatch<VerifiedBatch>) -> Int { batch.lines.size }

    func take(_ batch: CorrectionBatch<VerifiedBatch>) throws(MillError) {
        if !batch.origins.isEmpty {
            applied += try loader.load(
                batch.lines, as: batch.origins.map(\.id), isAsRejected: batch.file == nil)
        }
        if let file = batch.file { take(batch, of: file) }
        if let failure = batch.failure { reporter.fail(failure) }
    }

    private func take(_ batch: CorrectionBatch<VerifiedBatch>, of file: DurableArchive) {
        passedOver += batch.passedOver
        reporter.run.summary.correctionsPassedOver += batch.passedOver
        for refusal in batch.refusals { refuse(refusal) }
        var last: Int?
        for rejection in batch.lines.rejections.sorted(by: { ($0.line, $0.document) < ($1.line, $1.document) })
        where rejection.line != last {
            last = rejection.line
            let origin = batch.origins[rejection.line]
            let cause = "\(rejection.cause.reason.rawValue): \(rejection.cause.detail)"
            let fault = MillError(
                stage: .reading, path: file.path, line: origin.line, what: "still can't be read, \(cause)",
                hint: "correct it, or give the keys and limits under which it can be read", exitStatus: .badData)
            if origin.isChanged ?? (origin.cause != cause) {
                refuse(fault)
            } else {
                unreadable += 1
                reporter.run.summary.correctionsUnreadable += 1
                report(fault)
            }
        }
        guard batch.isLast else { return }
        if let firstRefusal {
            var failure = firstRefusal
            if refused > 1 { failure.what = "\(refused) lines of it are not loaded; this one \(failure.what)" }
            reporter.fail(failure)
        }
        reporter.run.log(
            .notice,
            "\(PathParts.shown(file.path)): \(applied) correction\(applied == 1 ? "" : "s") applied, "
                + "\(passedOver) passed over",
            ["archive": file.path, "applied": applied, "passed_over": passedOver])
        if refused + unreadable == 0, batch.failure == nil { reporter.run.summary.durable.append(file) }
        (applied, passedOver, unreadable, refused, firstRefusal) = (0, 0, 0, 0, nil)
    }

    private func refuse(_ refusal: MillError) {
        refused += 1
        reporter.run.summary.correctionsRefused += 1
        if firstRefusal == nil { firstRefusal = refusal } else { report(refusal) }
    }

    private func report(_ fault: MillError) {
        guard refused + unreadable <= Self.reportedLetters else { return }
        let (path, line) = (fault.path ?? "", fault.line ?? 0)
        reporter.run.log(
            .warning, "\(PathParts.shown(path)):\(line): \(fault.what)", ["path": path, "line": line],
            hint: fault.hint ?? "")
    }
}
