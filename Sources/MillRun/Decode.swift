internal import DecodedLines
internal import Foundation
internal import MillJSON
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
        /// CPU time of each stage, all workers together; that of writing counts as reporting.
        package internal(set) var cpuSeconds: [Stage: Double] = [:]
    }

    /// Runs to the end of the last archive.
    ///
    /// - Parameter sink: takes text of whole lines, in order, as soon as there is
    ///   some. What it throws ends the run.
    package func run(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Outcome {
        let buffers = BufferPool()
        let scheduler = DecodeScheduler(archives: archives, limits: limits, batchSize: batchSize)
        let source = LineSource(scheduler, stop: CancellationFlag(), countsLines: true)
        let writing = DecodeSink(sink: sink, buffers: buffers)
        let pseudonymKey = try MillError.wrapping { () throws(OpenSSLError) in try pseudonyms?.fingerprint() }
        let pipeline = OrderedPipeline<SourceItem<LineBatch>, SourceItem<Answers>>(
            capacity: 2 * max(1, jobs) + 2,
            read: { () throws(MillError) in try source.next() },
            load: { (item) throws(MillError) in try writing.take(item) })
        do throws(MillError) {
            try pipeline.run(workers: jobs) { () throws(MillError) in
                let verifier = try LineVerifier(
                    keys: keys, limits: limits, anchors: anchors, issuers: intermediates, known: nil,
                    pseudonyms: pseudonyms, keepsReceipts: keepsReceipts, keepsRejectedLines: keepsRejectedLines)
                var writer = DecodedLineWriter(apps: apps, pseudonymKey: pseudonymKey, keepsReceipts: keepsReceipts)
                return { (item) throws(MillError) in
                    try item.map { (batch, file, position) throws(MillError) in
                        let verified = try verifier.verifyNamingLetters(batch)
                        let start = file.identity?.batchStart(atLine: position.firstLine)
                        let answers = buffers.take()
                        answers.lines = verified.lineCount
                        answers.lastLine = writer.write(verified, at: start, to: &answers.json)
                        return answers
                    }
                }
            }
        } catch {
            throw writing.sinkError ?? error
        }
        var outcome = writing.outcome
        outcome.cpuSeconds = pipeline.cpuSeconds
        outcome.cpuSeconds[.reporting] = outcome.cpuSeconds.removeValue(forKey: .loading)
        return outcome
    }
}

/// Schedules archives in the order given.
private final class DecodeScheduler: FileScheduler {
    private var paths: ArraySlice<String>
    private let limits: Limits
    private let batchSize: Int

    init(archives: [String], limits: Limits, batchSize: Int) {
        paths = archives[...]
        self.limits = limits
        self.batchSize = batchSize
    }

    let mustDrain = false
    let bytesAhead = 0.0
    var nextPath: String? { paths.first }

    func next() throws(MillError) -> ScheduledFile? {
        guard let path = paths.popFirst() else { return nil }
        do throws(MillError) {
            let file = try InputFile(path: path, isReadOnce: true)
            // A stream's lines are answered without saying where they stand.
            let identity: ArchiveFingerprint? = file.isStream ? nil : try ArchiveFingerprint(of: file)
            let opened = OpenedFile(path: path, name: file.name, bytes: 0, identity: identity, processedLines: 0)
            return (
                .begin(opened), try OpenArchive(file: file, identity: identity, limits: limits, batchSize: batchSize)
            )
        } catch {
            return (.unreadable(error), nil)
        }
    }
}

extension ArchiveFingerprint {
    fileprivate func batchStart(atLine line: Int64) -> DecodedLineWriter.BatchStart {
        DecodedLineWriter.BatchStart(archive: DecodedLineWriter.BatchStart.archive(id), firstLine: line)
    }
}

/// Writes answers in the order of the lines. Used by one worker at a time.
private final class DecodeSink {
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private let buffers: BufferPool
    private var path = ""
    /// The last line of the archive at hand so far, which may turn out to be the
    /// last of all.
    private var heldLine: [UInt8] = []
    private(set) var outcome = Decode.Outcome()
    private(set) var sinkError: (any Error)?

    init(sink: @escaping (UnsafeRawBufferPointer) throws -> Void, buffers: BufferPool) {
        self.sink = sink
        self.buffers = buffers
    }

    func take(_ item: SourceItem<Answers>) throws(MillError) {
        switch item {
        case .begin(let file): path = file.path
        case .batch(let answers, let file, _):
            outcome.lines += answers.lines
            try release()
            let end = file.identity != nil ? answers.lastLine : answers.json.count
            try answers.json.withBytes { (bytes) throws(MillError) in
                try write(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
                heldLine.append(contentsOf: bytes[end...])
            }
            buffers.give(answers)
        case .end(let ending):
            switch ending {
            case .whole: if !heldLine.isEmpty { DecodedLineWriter.markLast(&heldLine) }
            case .growing: outcome.growing.append(path)
            case .failed(let failure): outcome.failures.append(failure)
            case .stopped: break
            }
            try release()
        case .unreadable(let failure): outcome.failures.append(failure)
        case .known, .letters, .waiting: break
        }
    }

    private func release() throws(MillError) {
        try heldLine.withUnsafeBufferPointer { (line) throws(MillError) in try write(UnsafeRawBufferPointer(line)) }
        heldLine.removeAll(keepingCapacity: true)
    }

    private func write(_ text: UnsafeRawBufferPointer) throws(MillError) {
        guard !text.isEmpty else { return }
        do {
            try sink(text)
        } catch {
            sinkError = error
            throw MillError(stage: .reporting, what: "the answers can't be written", exitStatus: .ioError)
        }
    }
}

/// Answers for a batch, and the memory that they are written into.
///
/// Safe to send: it has one owner at a time, the worker that writes it, the sink,
/// and then the pool, which gives it to one worker.
private final class Answers: @unchecked Sendable {
    var json = JSONWriter()
    var lines = 0
    /// Offset of the last line.
    var lastLine = 0
}

/// Memory for answers, used again and again.
///
/// Safe to share between threads: `texts` is touched under `lock` alone.
private final class BufferPool: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [Answers] = []

    /// Memory that one huge line has grown beyond this is freed.
    private static let greatestCapacity = 4 << 20

    func take() -> Answers {
        lock.withLock { texts.popLast() } ?? Answers()
    }

    func give(_ text: Answers) {
        guard text.json.capacity <= Self.greatestCapacity else { return }
        text.json.removeAll()
        lock.withLock { texts.append(text) }
    }
}
