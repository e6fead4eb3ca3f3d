package import MillJSON
package import ReceiptArchive
internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification

/// The result of reading decoded lines.
package struct DecodedBatch: Sendable {
    /// The number of lines of the file that were read, up to the fault.
    package var lineCount = 0
    /// Runs of lines of one archive, in order.
    package var runs: [Run] = []
    /// Issuers that earlier batches of the same worker did not contain.
    package var issuers = CertificatePool()
    /// The reason why the next line can't be loaded; nil if all lines were read.
    package var fault: InvalidJSON?
    /// The key of the pseudonyms of devices and accounts; nil if no line states it.
    package var naming: Naming?

    /// Consecutive lines of one archive.
    package struct Run: Sendable {
        /// The lines' archive; nil if the file of decoded lines is itself the archive.
        package let archive: ArchiveID?
        /// The first line's number in the archive, from 1; 1 if the file is the archive.
        package let firstLine: Int64
        package var verified: VerifiedBatch
        /// Whether the run's last line is also the archive's last.
        package var isLast = false

        package var nextLine: Int64 { firstLine + Int64(verified.lineCount) }
    }

    /// The approximate size in bytes, as of ``measure()``.
    package private(set) var size = 0

    /// Computes ``size``. The runs share their arrays, which are counted once.
    mutating func measure() {
        size = runs.reduce(runs.first?.verified.sizeOfContent ?? 0) { $0 + $1.verified.sizeOfRows }
    }

    package enum Naming: Sendable, Hashable {
        /// Devices and accounts are in clear, as in the archives.
        case none
        /// Devices and accounts are pseudonyms by the key with this fingerprint.
        case key([UInt8])
    }
}

extension VerifiedBatch {
    /// The batch without its first lines, which were already processed. The receipts of these lines are kept, because
    /// later lines may present the same receipts.
    package func dropping(lines count: Int) -> VerifiedBatch {
        var rest = self
        rest.lineCount -= count
        rest.submissions.removeAll { $0.line < count }
        for index in rest.submissions.indices { rest.submissions[index].line -= count }
        rest.rejections.removeAll { $0.line < count }
        for index in rest.rejections.indices { rest.rejections[index].line -= count }
        return rest
    }
}
