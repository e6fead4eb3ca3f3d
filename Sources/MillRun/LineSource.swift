internal import MillSystem
internal import ReceiptArchive

/// Opens the files of a ``LineSource``. One worker at a time uses it.
protocol FileOpener {
    /// Opens the file at a path, or decides that its lines are not read.
    ///
    /// - Throws: ``MillError`` if the run can't continue.
    func open(_ path: String) throws(MillError) -> OpenedText
    /// Whether a file can be opened only after all earlier lines are loaded.
    func mustWait(_ path: String) -> Bool
}

extension FileOpener {
    func mustWait(_ path: String) -> Bool { false }
}

/// The decision on a file, and the file's text if its lines are to be read.
typealias OpenedText = (item: SourceItem<LineBatch>, archive: OpenArchive?)

/// Reads files one after another and cuts the text into batches of lines. One worker at a time uses the source.
final class LineSource: ItemSource {
    private let opener: any FileOpener
    private let stop: CancellationFlag
    /// The files after the one that was opened last.
    private var ahead: FilesAhead
    private var current: (file: OpenedFile, archive: OpenArchive)?
    private let countsLines: Bool
    /// Whether the sink was told that the next file may have to be waited for.
    private var isAwaited = false
    private var nextBatch = 0
    private var nextLine: Int64 = 0

    /// - Parameter paths: the files in the order of reading.
    init(_ paths: [String], _ opener: any FileOpener, stop: CancellationFlag, countsLines: Bool = false) {
        ahead = FilesAhead(paths)
        (self.opener, self.stop, self.countsLines) = (opener, stop, countsLines)
    }

    var mustDrain: Bool { current == nil && ahead.next.map(opener.mustWait) ?? false }

    func next() throws(MillError) -> SourceItem<LineBatch>? {
        guard let (file, archive) = current else {
            if !isAwaited, let path = ahead.next, InputFile.mayWait(path) {
                isAwaited = true
                return .waiting
            }
            isAwaited = false
            guard !stop.isCancelled, let path = ahead.popFirst() else { return nil }
            let opened = try opener.open(path)
            if case .unreadable = opened.item, stop.isCancelled { return nil }
            if case .begin(let file) = opened.item, let archive = opened.archive {
                current = (file, archive)
                nextLine = countsLines ? file.processedLines + 1 : 0
            }
            return opened.item
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
                        bytesAhead: max(Double(file.bytes) - Double(archive.consumedBytes), 0) + ahead.bytes,
                        isEndKnown: file.bytes > 0 && !ahead.holdsStreams, text: try archive.text()))
            }
            current = nil
            return .end(stop.isCancelled || file.rest.isCancelled ? .stopped : try archive.ending())
        } catch {
            current = nil
            return .end(stop.isCancelled ? .stopped : .failed(error))
        }
    }
}
