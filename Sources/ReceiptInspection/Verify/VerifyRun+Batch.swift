internal import MillSystem
internal import ReceiptArchive

/// The lines of one batch, and the number of the first one.
private typealias NumberedBatch = (firstLine: Int, content: LineBatch.Content, header: TableHeader?)

/// The answers about a batch, and the counts of its lines.
private typealias AnsweredBatch = (text: String, counts: LineCounts)

/// A reference to the reader of a file, which is not copyable and so can't be a closure's variable.
private final class BatchSource {
    private var reader: ArchiveReader
    private let path: String
    private var nextLine = 1

    init(_ path: String, limits: Limits) throws(MillError) {
        reader = try ArchiveReader(file: InputFile(path: path, isReadOnce: true), limits: limits)
        self.path = path
    }

    func next() throws(MillError) -> NumberedBatch? {
        guard let content = try reader.next() else { return nil }
        defer { nextLine += content.lineCount }
        return (nextLine, content, reader.header)
    }

    /// Throws if the file is damaged after the lines that were read.
    func requireUndamaged() throws(MillError) {
        guard let damage = reader.damage else { return }
        throw MillError(
            stage: .reading, path: path, what: damage, hint: "every whole line before the damage is answered",
            exitStatus: .badData)
    }
}

extension VerifyRun {
    /// Reads lines on all workers and answers each with one JSON line that has the line's number, in order. Memory is
    /// bounded by a few batches.
    ///
    /// Lines that a pipe has delivered are answered before waiting for more.
    package func runBatch(_ sink: @escaping (String) throws -> Void) throws -> LineCounts {
        var counts = LineCounts()
        for path in inputs {
            do {
                try answer(path, sink, &counts)
            } catch let failure as MillError where failure.stage == .reading {
                counts.failures.append(failure)
            }
        }
        return counts
    }

    private func answer(
        _ path: String, _ sink: @escaping (String) throws -> Void, _ counts: inout LineCounts
    ) throws {
        let source = try BatchSource(path, limits: limits)
        var answered = LineCounts()
        var sinkError: (any Error)?
        let pipeline = OrderedPipeline<NumberedBatch, AnsweredBatch>(
            capacity: 2 * max(1, jobs) + 2,
            read: { () throws(MillError) in try source.next() },
            lastStage: .reporting,
            take: { (batch) throws(MillError) in
                answered.add(batch.counts)
                do {
                    try sink(batch.text)
                } catch {
                    sinkError = error
                    throw MillError(stage: .reporting, what: "the answer can't be written", exitStatus: .ioError)
                }
            })
        defer { counts.add(answered) }
        do throws(MillError) {
            try pipeline.run(workers: jobs) { () throws(MillError) in
                let worker = try BatchWorker(self)
                return { (batch) throws(MillError) in try worker.answer(batch, of: path) }
            }
        } catch {
            throw sinkError ?? error
        }
        try source.requireUndamaged()
    }
}

/// Answers batches. Every thread has a worker of its own.
private struct BatchWorker {
    private let run: VerifyRun
    private let reporter: VerificationReporter
    private let presenter: LinePresenter

    init(_ run: VerifyRun) throws(MillError) {
        self.run = run
        reporter = try VerificationReporter(run)
        presenter = try LinePresenter(keys: run.keys, limits: run.limits, keepsCharacters: false)
    }

    func answer(_ batch: NumberedBatch, of path: String) throws(MillError) -> AnsweredBatch {
        var report = ReportWriter(isText: false)
        var counts = LineCounts()
        let lines = try presenter.lines(of: batch.content, batch.header, from: batch.firstLine, of: path)
        for line in lines {
            // Answers name the file only if there are several.
            report.begin(source: run.inputs.count > 1 ? path : nil, line: line.line)
            try run.answer(line, by: reporter, to: &report, &counts)
            report.end()
        }
        return (report.output, counts)
    }
}
