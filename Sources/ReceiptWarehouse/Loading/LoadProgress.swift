internal import Foundation
package import GRDB
package import ReceiptArchive
package import ReceiptTrust

/// How far a load has come: the archive at hand, what was counted, and the run's row.
package struct LoadProgress {
    /// The archive that the lines at hand are of; nil between two archives.
    package var archive: LoadingArchive?
    package var counts = LoadCounts()
    /// The run's row, which each commit brings up to date.
    package var record: RunRecord?
    /// Identifier of the first receipt of this run.
    private let firstReceipt: Int64

    init(firstReceipt: Int64) {
        self.firstReceipt = firstReceipt
    }

    /// Begins an archive, or goes on with it where an earlier run stopped.
    ///
    /// - Parameter prefix: the content that an earlier run has loaded, and to which the rest
    ///   of this one was appended.
    package mutating func begin(_ archive: ArchiveID, appendedTo prefix: SHA256Digest?, _ db: Database) throws {
        if let prefix { try ArchiveStore.extend(prefix, to: archive, db) }
        self.archive = try ArchiveStore.begin(archive, db)
    }

    /// Forgets the archive at hand, of which nothing was loaded.
    mutating func takeBack(_ db: Database) throws {
        if let archive { try ArchiveStore.remove(archive, db) }
        archive = nil
    }

    /// Saves how far the archive at hand is loaded, and what the run has counted.
    package func save(_ db: Database) throws {
        if let archive { try ArchiveStore.save(archive, db) }
        try record?.save(counts, db)
    }

    /// Ends the archive at hand; one that was damaged stays incomplete.
    package mutating func end(isComplete: Bool, _ db: Database) throws {
        guard let archive else { return }
        try ArchiveStore.save(archive, db)
        if isComplete { try ArchiveStore.complete(archive, db) }
        self.archive = nil
    }

    /// Counts a receipt of this run under its new verdict.
    mutating func recount(_ receipt: Int64, from former: Verdict, to verdict: Verdict) {
        guard receipt >= firstReceipt, let count = counts.verdicts[former] else { return }
        counts.verdicts[former] = count > 1 ? count - 1 : nil
        counts.verdicts[verdict, default: 0] += 1
    }

    /// Milliseconds since 1970.
    package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
