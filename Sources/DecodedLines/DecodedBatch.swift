package import MillJSON
package import ReceiptArchive
internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptVerification

/// Decoded lines, read back.
package struct DecodedBatch: Sendable {
    /// Lines of the file that were read: those before the fault.
    package var lineCount = 0
    /// Runs of lines of one archive, in order.
    package var runs: [Run] = []
    /// Issuers that no batch before, of the same worker, has brought.
    package var issuers = IssuerCertificates()
    /// Why the line after the first `lineCount` can't be loaded.
    package var fault: InvalidJSON?
    /// The key by which devices and accounts are named; nil where no line states it.
    package var naming: Naming?

    /// Consecutive lines of one archive.
    package struct Run: Sendable {
        /// Nil where the file of the decoded lines is the archive.
        package let archive: ArchiveID?
        /// The first line's number in the archive, from 1; 1 where the file is the archive.
        package let firstLine: Int64
        package var verified: VerifiedBatch
        /// Whether the archive ends with the last of these lines.
        package var isLast = false

        package var nextLine: Int64 { firstLine + Int64(verified.lineCount) }
    }

    /// Bytes of memory, about, as ``measure()`` found them.
    package private(set) var size = 0

    /// Adds up the memory of all runs, whose lines point into shared arrays.
    mutating func measure() {
        size = runs.reduce(runs.first?.verified.sizeOfContent ?? 0) { $0 + $1.verified.sizeOfRows }
    }

    package enum Naming: Sendable, Hashable {
        /// Devices and accounts stand as the archives write them.
        case none
        /// Devices and accounts are named by the key of this fingerprint.
        case key([UInt8])
    }
}

extension VerifiedBatch {
    /// The batch without its first lines, which were processed before. Receipts of those lines
    /// stay, because later lines may present the same ones.
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
