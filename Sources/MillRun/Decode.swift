internal import DecodedLines
internal import Foundation
package import MillSystem
package import ReceiptArchive
package import ReceiptTrust
package import ReceiptVerification

/// Answers every line of archives with one line of JSON: all that a load would
/// store of it (docs/decode-format.md).
///
/// Keeps no state and no files, so that any number of runs can share the work.
package struct Decode: Sendable {
    /// Paths, "-" for standard input.
    package var archives: [String]
    package var anchors = TrustAnchors.apple
    package var intermediates = IssuerCertificates()
    package var keys = LineKeys()
    package var limits = Limits()
    /// Apps that are expected; none expects any.
    package var apps: [AppSetting] = []
    package var pseudonyms: Pseudonyms?
    /// Whether answers hold the receipts, to be stored by who loads them.
    package var keepsReceipts = false
    /// Whether answers hold the lines that they reject.
    package var keepsRejectedLines = false
    /// Workers that verify at the same time.
    package var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// Bytes of text that a worker verifies at once; decides speed and memory alone.
    package var batchSize = ArchiveReader.defaultBatchSize

    package init(archives: [String]) {
        self.archives = archives
    }

    /// What a run did.
    package struct Outcome: Sendable {
        package internal(set) var lines = 0
        /// What went wrong with single archives; the others are answered.
        package internal(set) var failures: [MillError] = []
        /// Archives that were being appended to: their complete lines are answered.
        package internal(set) var growing: [String] = []
        /// CPU time of each stage, all workers together.
        package internal(set) var cpuSeconds: [Stage: Double] = [:]
    }

    /// Runs to the end of the last archive.
    ///
    /// - Parameter sink: takes text of whole lines, in order, as soon as there is
    ///   some. What it throws ends the run.
    package func run(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Outcome {
        let scheduler = ListedFiles(archives) { (path) throws(MillError) in try open(path) }
        let source = LineSource(scheduler, stop: CancellationFlag(), countsLines: true)
        let answers = AnswerWriter(sink)
        let pseudonymKey = try MillError.wrapping { () throws(OpenSSLError) in try pseudonyms?.fingerprint() }
        let pipeline = OrderedPipeline<SourceItem<LineBatch>, SourceItem<AnsweredLines>>(
            capacity: 2 * max(1, jobs) + 2,
            read: { () throws(MillError) in try source.next() },
            lastStage: .reporting, take: { (item) throws(MillError) in try answers.take(item) })
        do throws(MillError) {
            try pipeline.run(workers: jobs) { () throws(MillError) in
                let verifier = try LineVerifier(
                    keys: keys, limits: limits, anchors: anchors, issuers: intermediates, known: nil,
                    pseudonyms: pseudonyms, keepsReceipts: keepsReceipts, keepsRejectedLines: keepsRejectedLines)
                var writer = DecodedLineWriter(apps: apps, pseudonymKey: pseudonymKey, keepsReceipts: keepsReceipts)
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

    private func open(_ path: String) throws(MillError) -> ScheduledFile {
        let file = try InputFile(path: path, isReadOnce: true)
        // A stream's lines are answered without saying where they stand.
        let identity = file.isStream ? nil : try ArchiveFingerprint(of: file)
        let opened = OpenedFile(path: path, name: file.name, bytes: 0, identity: identity, processedLines: 0)
        return (.begin(opened), try OpenArchive(file: file, identity: identity, limits: limits, batchSize: batchSize))
    }
}

/// Writes answers in the order of the lines. Used by one worker at a time.
private final class AnswerWriter {
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private var path = ""
    /// The last line of the archive at hand so far, which may turn out to be the
    /// last of all.
    private var heldLine: [UInt8] = []
    private(set) var outcome = Decode.Outcome()
    private(set) var sinkError: (any Error)?

    init(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        self.sink = sink
    }

    func take(_ item: SourceItem<AnsweredLines>) throws(MillError) {
        switch item {
        case .begin(let file): path = file.path
        case .batch(let answers, let file, _):
            outcome.lines += answers.count
            try releaseHeldLine()
            let end = file.identity != nil ? answers.lastLine : answers.text.count
            try write(answers.text[..<end])
            heldLine = Array(answers.text[end...])
        case .end(let ending):
            switch ending {
            case .whole: if !heldLine.isEmpty { AnsweredLines.markLast(&heldLine) }
            case .growing: outcome.growing.append(path)
            case .failed(let failure): outcome.failures.append(failure)
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
