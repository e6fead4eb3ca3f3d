internal import DecodedLines
package import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptVerification
internal import ReceiptWarehouse

/// Answers every line of archives with one line of JSON that contains all that a load would store for the line
/// (docs/decode-format.md).
///
/// A decode keeps no state and no files, so that any number of processes can share the work.
package struct Decode: Sendable {
    /// Paths of archives; "-" means standard input.
    package var archives: [String]
    /// The settings of a load that decide the answers. A decode opens no database.
    package var configuration: LoadConfiguration
    /// Whether the answer to a rejected line contains the line, which a load needs to keep rejected lines.
    package var keepsRejectedLines = false

    package init(archives: [String], _ configuration: LoadConfiguration = LoadConfiguration(database: "")) {
        (self.archives, self.configuration) = (archives, configuration)
    }

    /// Counts and faults of a decode.
    package struct Summary: Sendable {
        package internal(set) var lines = 0
        /// Faults of single archives; the lines of other archives are still answered.
        package internal(set) var failures: [MillError] = []
        /// Paths of archives to which another process was appending lines; their complete lines are answered.
        package internal(set) var growing: [String] = []
        /// CPU seconds of each stage, summed over all workers.
        package internal(set) var cpuSeconds: [Stage: Double] = [:]
    }

    /// Runs to the end of the last archive.
    ///
    /// - Parameters:
    ///   - onProgress: called after each batch.
    ///   - sink: takes the text of whole lines, in order, as soon as it is ready. An error that the sink throws ends
    ///     the run.
    package func run(
        onProgress: @escaping (RunProgress) -> Void = { _ in },
        _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Summary {
        let source = LineSource(archives, self, stop: CancellationFlag(), countsLines: true)
        let answers = AnswerWriter(onProgress, sink)
        let pseudonymKey = try MillError.wrapping { () throws(OpenSSLError) in
            try configuration.pseudonyms?.fingerprint()
        }
        let pipeline = OrderedPipeline<SourceItem<LineBatch>, SourceItem<AnsweredLines>>(
            capacity: 2 * max(1, configuration.jobs) + 2,
            read: { () throws(MillError) in try source.next() },
            lastStage: .reporting, take: { (item) throws(MillError) in try answers.take(item) })
        do throws(MillError) {
            try pipeline.run(workers: configuration.jobs) { () throws(MillError) in
                let verifier = try configuration.verifier(
                    issuers: configuration.intermediates, known: nil, keepsRejectedLines: keepsRejectedLines)
                var writer = DecodedLineWriter(
                    apps: configuration.apps, pseudonymKey: pseudonymKey, keepsReceipts: configuration.keepsReceipts)
                return { (item) throws(MillError) in
                    try item.map { (batch, file, position) throws(MillError) in
                        writer.write(
                            try verifier.verifyNamingLetters(batch), of: file.identity?.id,
                            atLine: position.firstLine)
                    }
                }
            }
        } catch {
            throw answers.sinkError ?? error
        }
        var outcome = answers.outcome
        outcome.cpuSeconds = pipeline.cpuSeconds
        return outcome
    }

    private func openReadable(_ path: String) throws(MillError) -> OpenedText {
        let file = try InputFile(path: path, isReadOnce: true)
        // Answers to a stream's lines name no archive, because an archive is identified by its digest, which is known
        // only at the stream's end.
        let identity = file.isStream ? nil : try ArchiveFingerprint(of: file)
        let opened = OpenedFile(
            path: path, name: file.name, bytes: identity?.bytes ?? 0, identity: identity, processedLines: 0)
        let archive = try OpenArchive(
            file: file, identity: identity, limits: configuration.limits, batchSize: configuration.batchSize)
        return (.begin(opened), archive)
    }
}

extension Decode: FileOpener {
    func open(_ path: String) -> OpenedText {
        do throws(MillError) { return try openReadable(path) } catch { return (.unreadable(error), nil) }
    }
}

/// Writes answers in the order of the lines. One worker at a time uses the writer.
private final class AnswerWriter {
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private let onProgress: (RunProgress) -> Void
    private var progress = RunProgress()
    private var path = ""
    /// The answer to the latest line of the current archive. It is held back because an archive's last answer is marked
    /// as the last.
    private var heldLine: [UInt8] = []
    private(set) var outcome = Decode.Summary()
    private(set) var sinkError: (any Error)?

    init(
        _ onProgress: @escaping (RunProgress) -> Void, _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) {
        (self.onProgress, self.sink) = (onProgress, sink)
    }

    func take(_ item: SourceItem<AnsweredLines>) throws(MillError) {
        switch item {
        case .begin(let file):
            path = file.path
            progress.begin(file)
        case .batch(let answers, let file, let position):
            outcome.lines += answers.count
            progress.counts.lines = outcome.lines
            progress.advance(to: position)
            onProgress(progress)
            try releaseHeldLine()
            let end = file.identity != nil ? answers.lastLine : answers.text.count
            try write(answers.text[..<end])
            heldLine = Array(answers.text[end...])
        case .end(let ending):
            switch ending {
            case .whole: if !heldLine.isEmpty { AnsweredLines.markLast(&heldLine) }
            case .growing: outcome.growing.append(path)
            case .failed(let failure), .damaged(let failure, _): outcome.failures.append(failure)
            case .stopped: break
            }
            try releaseHeldLine()
        case .unreadable(let failure): outcome.failures.append(failure)
        case .known, .letters, .waiting: break
        }
    }

    private func releaseHeldLine() throws(MillError) {
        try write(heldLine[...])
        heldLine = []
    }

    private func write(_ text: ArraySlice<UInt8>) throws(MillError) {
        guard !text.isEmpty else { return }
        do {
            try text.withUnsafeBytes { try sink($0) }
        } catch {
            sinkError = error
            throw MillError(stage: .reporting, what: "the answers can't be written", exitStatus: .ioError)
        }
    }
}
