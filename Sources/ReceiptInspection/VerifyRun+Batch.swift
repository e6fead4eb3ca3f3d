internal import MillJSON
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// Lines of one batch, and the number of the first.
private struct NumberedBatch: Sendable {
    let firstLine: Int
    let content: LineBatch.Content
}

private struct AnsweredBatch: Sendable {
    let text: String
    let accepted: Int
    let refused: Int
}

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
        return NumberedBatch(firstLine: nextLine, content: content)
    }
}

extension VerifyRun {
    /// Reads JSON lines and answers each with one JSON line that bears its number,
    /// in order, on all workers; memory stays within some batches.
    ///
    /// Of a pipe, what has come is answered before more is waited for.
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
            do {
                let counts = try answer(source, path, now: now, sink)
                outcome.accepted += counts.accepted
                outcome.refused += counts.refused
            }
            if let damage = source.damage {
                let hint = "every whole line before the damage is answered"
                outcome.failures.append(
                    MillError(stage: .reading, path: path, what: damage, hint: hint, exitStatus: .badData))
            }
        }
        return outcome
    }

    private func answer(
        _ source: BatchSource, _ path: String, now: Int64, _ sink: @escaping (String) throws -> Void
    ) throws -> (accepted: Int, refused: Int) {
        var counts = (accepted: 0, refused: 0)
        var sinkError: (any Error)?
        let pipeline = OrderedPipeline<NumberedBatch, AnsweredBatch>(
            capacity: 2 * max(1, jobs) + 2,
            read: { () throws(MillError) in try source.next() },
            load: { (batch) throws(MillError) in
                counts.accepted += batch.accepted
                counts.refused += batch.refused
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
        return counts
    }
}

/// Answers batches; every thread has its own.
private struct BatchWorker {
    let examiner: VerificationReporter
    let decoder: LineDecoder
    let answers: AnswerWriter
    /// Nil where there is one file alone.
    let path: String?
    /// Milliseconds since 1970 UTC, the same for all lines of a run.
    let now: Int64

    init(run: VerifyRun, path: String?, now: Int64) throws(MillError) {
        examiner = try VerificationReporter(
            anchors: run.anchors, issuers: run.intermediates, expectation: run.expectation)
        decoder = try MillError.wrapping { () throws(OpenSSLError) in
            try LineDecoder(keys: run.keys, limits: run.limits)
        }
        answers = AnswerWriter(format: run.format, expectation: run.expectation)
        self.path = path
        self.now = now
    }

    func answer(_ batch: NumberedBatch) throws(MillError) -> AnsweredBatch {
        var json = JSONWriter()
        var accepted = 0
        var verified = VerifiedBatch(sequence: 0)
        var lines: [DecodedLine] = []
        var octets = ByteBuffer(capacity: 0)
        switch batch.content {
        case .overlongLine(let bytes):
            verified.lineCount = 1
            verified.rejections = [Rejection(line: 0, cause: decoder.overlong(bytes))]
        case .lines(let text):
            octets = ByteBuffer(capacity: text.count)
            lines = try MillError.wrapping { () throws(OpenSSLError) in
                try decoder.decode(text, into: &octets, counting: &verified)
            }
        }
        // Every line stands in one of the two, each in order.
        var decoded = lines[...]
        var rejected = verified.rejections[...]
        for line in 0..<verified.lineCount {
            json.open()
            if let path { json.member("source", path) }
            json.member("line", batch.firstLine + line)
            if decoded.first?.line == line, let next = decoded.popFirst() {
                let report = try examiner.examine(next, in: &octets, now: now)
                accepted += report.isAccepted ? 1 : 0
                answers.write(report, octets.span, to: &json)
            } else if let next = rejected.popFirst() {
                answers.write(next.cause, to: &json)
            }
            json.close()
            json.endLine()
        }
        return AnsweredBatch(
            text: String(decoding: json.bytes, as: UTF8.self), accepted: accepted,
            refused: verified.lineCount - accepted)
    }
}
