internal import MillSystem
internal import ReceiptArchive

/// An item that passes from the source of a run's lines through the workers to the sink, in the order of the lines. A
/// batch is text when the source hands it out, and the result of a worker's work when the sink takes it.
enum SourceItem<Batch: Sendable>: Sendable {
    case begin(OpenedFile)
    case batch(Batch, of: OpenedFile, ReadingPosition)
    case end(ArchiveEnding)
    /// The next item may have to be waited for: a stream's writer is silent, or has not begun.
    case waiting
    /// The file's content was loaded before, under this name.
    case known(ArchiveFingerprint, path: String, name: String)
    /// The file is a dead-letter file, which is read after all archives.
    case letters
    /// The file can't be opened.
    case unreadable(MillError)

    /// The item with its batch replaced by the result of some work.
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
    /// The fingerprint by which the database knows the file as an archive; nil if the file's lines name their
    /// archives.
    let identity: ArchiveFingerprint?
    /// Number of lines that earlier runs have processed; they are not read again.
    let processedLines: Int64
    /// If a line can't be loaded, the sink cancels this flag, and the rest of the file is not read.
    let rest = CancellationFlag()
}

/// The position of a batch in its file and among all files.
struct ReadingPosition: Sendable {
    /// The number of the batch's first line in the file, from 1; 0 if lines are not counted.
    let firstLine: Int64
    /// Bytes of the file that were read.
    let consumedBytes: Int64
    /// Approximate bytes that are still to be read, of this file and of later files. Later files may turn out to be
    /// loaded already, and files change. Streams of unknown length count as nothing.
    let bytesAhead: Double
    /// Whether the length of every file that is still to be read is known.
    let isEndKnown: Bool
    /// The file's text up to the end of the batch, if the file is compressed.
    var text: ArchiveText?
}
