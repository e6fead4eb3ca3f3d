internal import MillSystem
internal import ReceiptArchive
internal import ReceiptVerification

/// What a stage hands on, in the order of the archives' lines: reading with the text of
/// lines, verifying with what became of them.
enum ArchiveItem<Batch: Sendable>: Sendable {
    case begin(OpenIdentity, path: String, start: ArchiveStart)
    /// - Parameter numbers: of the lines, where they are not those that follow.
    case batch(Batch, numbers: [Int64]?, ReadingPlace)
    case end(ArchiveEnding)
    /// The archive's content was loaded before.
    case known(ArchiveFingerprint, path: String, name: String)
    /// The archive can't be opened.
    case unreadable(MillError)
}

extension ArchiveItem<LineBatch> {
    /// The same with its lines verified.
    func verified(by verifier: LineVerifier) throws(MillError) -> ArchiveItem<VerifiedBatch> {
        switch self {
        case .begin(let identity, let path, let start): .begin(identity, path: path, start: start)
        case .batch(let batch, let numbers, let place): .batch(try verifier.grade(batch), numbers: numbers, place)
        case .end(let ending): .end(ending)
        case .known(let identity, let path, let name): .known(identity, path: path, name: name)
        case .unreadable(let failure): .unreadable(failure)
        }
    }
}

extension ArchiveItem<VerifiedBatch> {
    /// Bytes of memory, about; of all but batches next to none.
    var size: Int {
        guard case .batch(let batch, let numbers, _) = self else { return 0 }
        return batch.size + (numbers?.count ?? 0) * MemoryLayout<Int64>.stride
    }
}

/// How far reading has come.
struct ReadingPlace: Sendable {
    /// Bytes of the archive that were read.
    let consumedBytes: Int64
    /// Bytes that are still to be read, of this archive and of those after it, some of
    /// which may be known; about, because files change, and of streams nobody knows.
    let bytesAhead: Double
}

/// Where the reading of an archive begins.
enum ArchiveStart: Sendable {
    /// Behind lines that earlier runs have read; zero of an archive that is new.
    case behind(lines: Int64)
    /// At its first line, for those for which no submission stands.
    case again
}
