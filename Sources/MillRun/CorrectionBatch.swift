internal import MillSystem
internal import ReceiptArchive

/// Lines that replace rejected lines. `Lines` is text when the source hands out the batch, and verified lines after a
/// worker has verified it.
struct CorrectionBatch<Lines: Sendable>: Sendable {
    /// The rejection that a line corrects.
    struct Origin: Sendable {
        /// Archive and line in one integer, in the form of a submission's identifier.
        let id: Int64
        /// The line's number in the dead-letter file; 0 if the line is from elsewhere.
        var line = 0
        /// Whether the line differs from the rejected line; nil if the database does not keep the rejected line.
        var isChanged: Bool?
        /// Why the line was rejected.
        var cause = ""
    }

    var lines: Lines
    /// The rejection of each line, in the order of the lines.
    var origins: [CorrectionBatch<[UInt8]>.Origin] = []
    /// The number of lines of a dead-letter file whose rejection is no longer open.
    var passedOver = 0
    /// Faults of lines of a dead-letter file that are refused.
    var refusals: [MillError] = []
    /// The dead-letter file that holds the lines; nil if lines of archives are read again.
    var file: DurableArchive?
    /// The fault that ended the reading of the file.
    var failure: MillError?
    /// Whether the file ends with the lines of the batch.
    var isLast = false

    func map<Other>(_ work: (Lines) throws(MillError) -> Other) throws(MillError) -> CorrectionBatch<Other> {
        CorrectionBatch<Other>(
            lines: try work(lines), origins: origins, passedOver: passedOver, refusals: refusals, file: file,
            failure: failure, isLast: isLast)
    }
}

extension CorrectionBatch<[UInt8]> {
    /// The maximum number of lines of a dead-letter file in a batch.
    private static var maximumCount: Int { 10_000 }

    /// The number of bytes that can still be added.
    var room: Int { max(ArchiveReader.defaultBatchSize - lines.count, 0) }
    var isFull: Bool { room == 0 || origins.count + passedOver + refusals.count >= Self.maximumCount }

    mutating func add(_ line: some Sequence<UInt8>, _ origin: Origin) {
        lines += line
        lines.append(UInt8(ascii: "\n"))
        origins.append(origin)
    }
}
