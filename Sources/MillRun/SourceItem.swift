internal import MillSystem
internal import ReceiptArchive

/// What passes from the source of a run's lines over the workers to its sink, in the order of
/// the lines: a batch is text behind the source, and what became of it behind the workers.
enum SourceItem<Batch: Sendable>: Sendable {
    case begin(OpenedFile)
    case batch(Batch, of: OpenedFile, ReadingPosition)
    case end(ArchiveEnding)
    /// What comes next may be long in coming: a stream's writer is silent, or has not begun.
    case waiting
    /// The file's content was loaded before, under this name.
    case known(ArchiveFingerprint, path: String, name: String)
    /// The file is a dead-letter file, which is read after all archives.
    case letters
    /// The file can't be opened.
    case unreadable(MillError)

    /// The item with the result of some work in the place of its batch.
    func map<Other>(
        _ work: (Batch, OpenedFile, ReadingPosition) throws(MillError) -> Other
    ) throws(MillError) -> SourceItem<Other> {
        switch self {
        case .begin(let file): .begin(file)
        case .batch(let batch, let file, let position): .batch(try work(batch, file, position), of: file, position)
        case .end(let ending): .end(ending)
        case .waiting: .waiting
        case .known(let fingerprint, let path, let name): .known(fingerprint, path: path, name: name)
        case .letters: .letters
        case .unreadable(let failure): .unreadable(failure)
        }
    }
}

/// A file whose lines follow.
struct OpenedFile: Sendable {
    let path: String
    /// The name under which the file is loaded.
    let name: String
    let bytes: Int64
    /// What the file is known by as an archive; nil where its lines name their archives.
    let identity: ArchiveFingerprint?
    /// Lines that earlier runs have processed, and that are not read again.
    let processedLines: Int64
    /// Cancelled by the sink when a line can't be taken: the rest is not read.
    let rest = CancellationFlag()
}

/// How far reading has come.
struct ReadingPosition: Sendable {
    /// The batch's first line of the file, from 1; 0 where lines are not counted.
    let firstLine: Int64
    /// Bytes of the file that were read.
    let consumedBytes: Int64
    /// Bytes that are still to be read, of this file and of those after it, some of
    /// which may be known: about, because files change and the length of streams is not known.
    let bytesAhead: Double
}
