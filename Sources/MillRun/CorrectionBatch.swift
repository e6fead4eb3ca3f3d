internal import MillSystem
internal import ReceiptArchive

/// Lines that replace rejected lines: `Lines` is text when the source hands a batch out, and verified lines after a
/// worker has verified the batch.
struct CorrectionBatch<Lines: Sendable>: Sendable {
    /// The rejection in whose place a line stands.
    struct Origin: Sendable {
        /// Archive and line in one integer, as a submission's identifier is.
        let id: Int64
        /// Number of the letter's line in the dead-letter file; 0 where the line is of no letter.
        var line = 0
        /// Whether the line differs from the rejected line; nil if the database does not keep the rejected line.
        var isChanged: Bool?
        /// Why the line was rejected.
        var cause = ""
    }

    var lines: Lines
    /// The rejection of each line, in the order of the lines.
    var origins: [CorrectionBatch<[UInt8]>.Origin] = []
    /// Number of letters whose rejection is not open any more.
    var passedOver = 0
    /// Faults of letters that are refused.
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
    /// The maximum number of letters in a batch.
    private static var maximumCount: Int { 10_000 }

    /// Bytes that further lines may take.
    var room: Int { max(ArchiveReader.defaultBatchSize - lines.count, 0) }
    var isFull: Bool { room == 0 || origins.count + passedOver + refusals.count >= Self.maximumCount }

    mutating func add(_ line: some Sequence<UInt8>, _ origin: Origin) {
        lines += line
        lines.append(UInt8(ascii: "\n"))
        origins.append(origin)
    }
}
