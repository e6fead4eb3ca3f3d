internal import MillSystem
internal import ReceiptArchive

/// Decides which files are read, in which order.
protocol FileScheduler: AnyObject {
    /// The next file; nil after the last, or when the run is cancelled.
    func next() throws(MillError) -> ScheduledFile?
    /// Whether the next file can be chosen only after all earlier lines are loaded.
    var mustDrain: Bool { get }
    /// The files after the one that was scheduled last.
    var ahead: FilesAhead { get }
}

/// The decision on a file, and the file's text if its lines are to be read.
typealias ScheduledFile = (item: SourceItem<LineBatch>, archive: OpenArchive?)

/// Reads the files of a scheduler one after another and cuts the text into batches of lines. One worker at a time uses
/// the source.
final class LineSource: ItemSource {
    private let scheduler: any FileScheduler
    private let stop: CancellationFlag
    private var current: (file: OpenedFile, archive: OpenArchive)?
    private let countsLines: Bool
    /// Whether the sink was told that the next file may have to be waited for.
    private var isAwaited = false
    private var nextBatch = 0
    private var nextLine: Int64 = 0

    init(_ scheduler: any FileScheduler, stop: CancellationFlag, countsLines: Bool = false) {
        self.scheduler = scheduler
        self.stop = stop
        self.countsLines = countsLines
    }

    var mustDrain: Bool { current == nil && scheduler.mustDrain }

    func next() throws(MillError) -> SourceItem<LineBatch>? {
        guard let (file, archive) = current else {
            if !isAwaited, let path = scheduler.ahead.next, InputFile.mayWait(path) {
                isAwaited = true
                return .waiting
            }
            isAwaited = false
            guard let scheduled = try scheduler.next() else { return nil }
            if case .begin(let file) = scheduled.item, let archive = scheduled.archive {
                current = (file, archive)
                nextLine = countsLines ? file.processedLines + 1 : 0
            }
            return scheduled.item
        }
        do throws(MillError) {
            if !stop.isCancelled, !file.rest.isCancelled, let content = try archive.next() {
                if case .lines(let text) = content, text.isEmpty { return .waiting }
                defer {
                    nextBatch += 1
                    if countsLines { nextLine += Int64(content.lineCount) }
                }
                return .batch(
                    LineBatch(sequence: nextBatch, content: content, header: archive.header), of: file,
                    ReadingPosition(
                        firstLine: nextLine, consumedBytes: Int64(archive.consumedBytes),
                        bytesAhead: max(Double(file.bytes) - Double(archive.consumedBytes), 0) + scheduler.ahead.bytes,
                        isEndKnown: file.bytes > 0 && !scheduler.ahead.holdsStreams, text: try archive.text()))
            }
            current = nil
            return .end(stop.isCancelled || file.rest.isCancelled ? .stopped : try archive.ending())
        } catch {
            current = nil
            return .end(stop.isCancelled ? .stopped : .failed(error))
        }
    }
}
