internal import MillSystem
internal import ReceiptArchive

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
        // Answers name the file only if there are several.
        let source = inputs.count > 1 ? path : nil
        let batches = try NumberedBatches(of: InputFile(path: path, isReadOnce: true), limits: limits)
        var answered = LineCounts()
        var sinkError: (any Error)?
        let pipeline = OrderedPipeline<NumberedBatch, (text: String, counts: LineCounts)>(
            capacity: 2 * max(1, jobs) + 2,
            read: { () throws(MillError) in try batches.next() },
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
                let reporter = try VerificationReporter(self)
                let presenter = try LinePresenter(keys: keys, limits: limits)
                return { (batch) throws(MillError) in
                    var report = ReportWriter(isText: false)
                    var counts = LineCounts()
                    for line in try presenter.lines(of: batch, of: path) {
                        try answer(line, source: source, number: line.line, by: reporter, to: &report, &counts)
                    }
                    return (report.output, counts)
                }
            }
        } catch {
            throw sinkError ?? error
        }
        try batches.requireUndamaged(hint: "every whole line before the damage is answered")
    }
}
