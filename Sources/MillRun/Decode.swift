internal import DecodedLines
internal import Foundation
internal import MillJSON
package import MillSystem
internal import ReceiptArchive
package import ReceiptTrust
internal import ReceiptVerification

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
    /// Whether answers hold the receipts, to be kept by who loads them.
    package var keepsReceipts = false
    /// Whether answers hold the lines that they reject.
    package var keepsRejectedLines = false
    /// Workers that grade at the same time.
    package var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// Bytes of text that a worker grades at once; decides speed and memory alone.
    package var batchSize = ArchiveReader.defaultBatchSize

    package init(archives: [String]) {
        self.archives = archives
    }

    /// What a run did.
    package struct Outcome: Sendable {
        package internal(set) var lines = 0
        /// What went wrong with single archives; the others are answered.
        package internal(set) var failures: [MillError] = []
        /// Archives that somebody was appending to: their complete lines are
        /// answered.
        package internal(set) var growing: [String] = []
        /// CPU time of each stage, all workers together; that of writing is reporting's.
        package internal(set) var cpuSeconds: [Stage: Double] = [:]
    }

    /// Runs to the end of the last archive.
    ///
    /// - Parameter sink: takes text of whole lines, in order, as soon as there is
    ///   some. What it throws ends the run.
    package func run(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Outcome {
        let buffers = BufferPool()
        let reading = DecodeReading(archives: archives, limits: limits, batchSize: batchSize)
        let writing = DecodeWriting(sink: sink, buffers: buffers)
        let pseudonymKey = try MillError.wrapping { () throws(OpenSSLError) in try pseudonyms?.fingerprint() }
        let pipeline = OrderedPipeline<DecodeItem, DecodedItem>(
            capacity: 2 * max(1, jobs) + 2,
            read: { () throws(MillError) in try reading.next() },
            load: { (item) throws(MillError) in try writing.take(item) })
        do throws(MillError) {
            try pipeline.run(workers: jobs) { () throws(MillError) in
                let verifier = try LineVerifier(
                    keys: keys, limits: limits, anchors: anchors, issuers: intermediates, known: nil,
                    pseudonyms: pseudonyms, keepsReceipts: keepsReceipts, keepsRejectedLines: keepsRejectedLines)
                var writer = DecodedLineWriter(apps: apps, pseudonymKey: pseudonymKey, keepsReceipts: keepsReceipts)
                return { (item) throws(MillError) in
                    switch item {
                    case .end(let ending, let path): return .end(ending, path: path)
                    case .unreadable(let failure): return .unreadable(failure)
                    case .lines(let batch, let place):
                        let verified = try verifier.verify(batch)
                        let text = buffers.take()
                        text.lastLine = writer.write(verified, at: place, to: &text.json)
                        return .answers(text, lines: verified.lineCount, isOfArchive: place != nil)
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

/// What the reading stage hands on.
private enum DecodeItem: Sendable {
    /// Lines, and where they stand; nil of what is read once.
    case lines(LineBatch, DecodedLineWriter.Place?)
    case end(ArchiveEnding, path: String)
    case unreadable(MillError)
}

/// What the writing stage takes.
private enum DecodedItem: Sendable {
    case answers(AnswerText, lines: Int, isOfArchive: Bool)
    case end(ArchiveEnding, path: String)
    case unreadable(MillError)
}

/// Reads archives one after another and cuts them into batches. Used by one
/// worker at a time.
private final class DecodeReading {
    private var paths: ArraySlice<String>
    private let limits: Limits
    private let batchSize: Int
    private var current: (archive: OpenArchive, tag: [UInt8]?, nextLine: Int64)?
    private var nextBatch = 0

    init(archives: [String], limits: Limits, batchSize: Int) {
        paths = archives[...]
        self.limits = limits
        self.batchSize = batchSize
    }

    func next() throws(MillError) -> DecodeItem? {
        if current == nil {
            guard let path = paths.popFirst() else { return nil }
            do throws(MillError) {
                current = try open(path)
            } catch {
                return .unreadable(error)
            }
        }
        guard let (archive, tag, line) = current else { return nil }
        do throws(MillError) {
            if let content = try archive.next() {
                defer { nextBatch += 1 }
                var place: DecodedLineWriter.Place?
                if let tag {
                    place = DecodedLineWriter.Place(archive: tag, firstLine: line)
                    current?.nextLine += Int64(content.lineCount)
                }
                return .lines(LineBatch(sequence: nextBatch, content: content), place)
            }
            current = nil
            return .end(try archive.ending(), path: archive.file.path)
        } catch {
            current = nil
            return .end(.failed(error), path: archive.file.path)
        }
    }

    private func open(_ path: String) throws(MillError) -> (OpenArchive, tag: [UInt8]?, nextLine: Int64) {
        let file = try InputFile(path: path, isReadOnce: true)
        let identity = file.isStream ? nil : try ArchiveFingerprint(of: file)
        let archive = try OpenArchive(
            file: file, identity: identity.map { .found($0) }, limits: limits, batchSize: batchSize)
        return (archive, identity.map { DecodedLineWriter.Place.archive($0.id) }, 1)
    }
}

/// Hands text on in the order of the lines. Used by one worker at a time.
private final class DecodeWriting {
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private let buffers: BufferPool
    /// The last line of the archive at hand so far, which may turn out to be the
    /// last of all.
    private var heldLine: [UInt8] = []
    private(set) var outcome = Decode.Outcome()
    private(set) var sinkError: (any Error)?

    init(sink: @escaping (UnsafeRawBufferPointer) throws -> Void, buffers: BufferPool) {
        self.sink = sink
        self.buffers = buffers
    }

    func take(_ item: DecodedItem) throws(MillError) {
        switch item {
        case .answers(let text, let lines, let isOfArchive):
            outcome.lines += lines
            try release()
            let end = isOfArchive ? text.lastLine : text.json.count
            try text.json.withBytes { (bytes) throws(MillError) in
                try write(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
                heldLine.append(contentsOf: bytes[end...])
            }
            buffers.give(text)
        case .end(let ending, let path):
            switch ending {
            case .whole: if !heldLine.isEmpty { DecodedLineWriter.markLast(&heldLine) }
            case .growing: outcome.growing.append(path)
            case .failed(let failure): outcome.failures.append(failure)
            case .stopped: break
            }
            try release()
        case .unreadable(let failure): outcome.failures.append(failure)
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
/// Safe to send: whoever has it is the only one, the worker that writes it, the
/// stage that hands it on, and then the pool, which gives it to one worker.
private final class AnswerText: @unchecked Sendable {
    var json = JSONWriter()
    /// Where the last line begins.
    var lastLine = 0
}

/// Memory for answers, used again and again.
///
/// Safe to share between threads: `texts` is touched under `lock` alone.
private final class BufferPool: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [AnswerText] = []

    /// What one huge line has grown is let go.
    private static let greatestCapacity = 4 << 20

    func take() -> AnswerText {
        lock.withLock { texts.popLast() } ?? AnswerText()
    }

    func give(_ text: AnswerText) {
        guard text.json.capacity <= Self.greatestCapacity else { return }
        text.json.removeAll()
        lock.withLock { texts.append(text) }
    }
}
