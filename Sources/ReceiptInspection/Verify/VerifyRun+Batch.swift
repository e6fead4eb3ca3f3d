internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification

/// Lines of one batch, and the number of the first.
private typealias NumberedBatch = (firstLine: Int, content: LineBatch.Content)

private typealias AnsweredBatch = (text: String, accepted: Int, refused: Int)

/// Owns the reader, which a closure can't.
private final class BatchSource {
    private var reader: ArchiveReader
    private var nextLine = 1

    init(_ path: String, limits: Limits) throws(MillError) {
        reader = try ArchiveReader(file: InputFile(path: path, isReadOnce: true), limits: limits)
    }

    var damage: String? { reader.damage }

    func next() throws(MillError) -> NumberedBatch? {
        guard let content = try reader.next() else { return nil }
        defer { nextLine += content.lineCount }
        return (nextLine, content)
    }
}

extension VerifyRun {
    /// Reads JSON lines and answers each with one JSON line that holds its number,
    /// in order, on all workers; memory stays within some batches.
    ///
    /// Lines that a pipe has brought are answered before more are awaited.
    package func runBatch(_ sink: @escaping (String) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        let now = Self.now()
        for path in inputs {
            let source: BatchSource
            do throws(MillError) {
                source = try BatchSource(path, limits: limits)
            } catch {
                outcome.failures.append(error)
                continue
            }
            try answer(source, path, now: now, sink, &outcome)
            if let damage = source.damage {
                let hint = "every whole line before the damage is answered"
                outcome.failures.append(
                    MillError(stage: .reading, path: path, what: damage, hint: hint, exitStatus: .badData))
            }
        }
        return outcome
    }

    private func answer(
        _ source: BatchSource, _ path: String, now: Int64, _ sink: @escaping (String) throws -> Void,
        _ outcome: inout Outcome
    ) throws {
        var (accepted, refused) = (0, 0)
        var sinkError: (any Error)?
        let pipeline = OrderedPipeline<NumberedBatch, AnsweredBatch>(
            capacity: 2 * max(1, jobs) + 2,
            read: { () throws(MillError) in try source.next() },
            load: { (batch) throws(MillError) in
                accepted += batch.accepted
                refused += batch.refused
                do {
                    try sink(batch.text)
                } catch {
                    sinkError = error
                    throw MillError(stage: .reporting, what: "the answer can't be written", exitStatus: .ioError)
                }
            })
        do throws(MillError) {
            try pipeline.run(workers: jobs) { () throws(MillError) in
                let worker = try BatchWorker(run: self, path: inputs.count > 1 ? path : nil, now: now)
                return { (batch) throws(MillError) in try worker.answer(batch) }
            }
        } catch {
            throw sinkError ?? error
        }
        outcome.accepted += accepted
        outcome.refused += refused
    }
}

/// Answers batches; every thread has its own.
private struct BatchWorker {
    let run: VerifyRun
    let reporter: VerificationReporter
    let decoder: LineDecoder
    /// Nil where there is one file alone.
    let path: String?
    /// Milliseconds since 1970 UTC, the same for all lines of a run.
    let now: Int64

    init(run: VerifyRun, path: String?, now: Int64) throws(MillError) {
        reporter = try VerificationReporter(
            anchors: run.anchors, issuers: run.intermediates, expectation: run.expectation)
        decoder = try MillError.wrapping { () throws(OpenSSLError) in
            try LineDecoder(keys: run.keys, limits: run.limits)
        }
        (self.run, self.path, self.now) = (run, path, now)
    }

    func answer(_ batch: NumberedBatch) throws(MillError) -> AnsweredBatch {
        var report = ReportWriter(isText: false)
        var accepted = 0
        var verified = VerifiedBatch(sequence: 0)
        var documents: [DecodedDocument] = []
        var buffer = ByteBuffer(capacity: 0)
        switch batch.content {
        case .overlongLine(let bytes):
            verified.lineCount = 1
            verified.rejections = [Rejection(line: 0, cause: decoder.overlong(bytes))]
        case .lines(let text):
            buffer = ByteBuffer(capacity: text.count)
            documents = try MillError.wrapping { () throws(OpenSSLError) in
                try decoder.decode(text, into: &buffer, counting: &verified)
            }
        }
        var lines = DocumentsByLine(documents, verified.rejections)
        for line in 0..<verified.lineCount {
            report.begin(source: path, line: batch.firstLine + line)
            var answers: [VerifyRun.Answer] = []
            for content in lines.next(line: line) {
                let answer = try content.answered { document throws(MillError) in
                    try reporter.report(on: document, in: &buffer, now: now)
                }
                answers.append(answer)
            }
            accepted += run.accepts(answers) ? 1 : 0
            run.write(answers, buffer.span, to: &report)
            report.end()
        }
        return (report.output, accepted, verified.lineCount - accepted)
    }
}
