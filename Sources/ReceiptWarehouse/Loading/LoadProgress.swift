internal import Foundation
package import GRDB
package import ReceiptArchive
package import ReceiptTrust

/// The progress of a load: the current archive, the counts, and the run's row.
package struct LoadProgress {
    /// The archive whose lines are being loaded; nil between two archives.
    package var archive: LoadingArchive?
    package var counts = LoadCounts()
    /// The run's row, which each commit updates.
    package var record: RunRecord?
    /// The identifier of the first receipt that this run writes.
    private let firstReceipt: Int64

    init(firstReceipt: Int64) {
        self.firstReceipt = firstReceipt
    }

    /// Begins an archive, or continues one at which an earlier run stopped.
    ///
    /// - Parameter prefix: the content that an earlier run has loaded, if lines were appended to it since.
    package mutating func begin(_ archive: ArchiveID, appendedTo prefix: SHA256Digest?, _ db: Database) throws {
        if let prefix { try ArchiveStore.extend(prefix, to: archive, db) }
        self.archive = try ArchiveStore.begin(archive, db)
    }

    /// Removes the row of the current archive, from which nothing was loaded.
    mutating func takeBack(_ db: Database) throws {
        if let archive { try ArchiveStore.remove(archive, db) }
        archive = nil
    }

    /// Saves the progress of the current archive, and the run's counts.
    package func save(_ db: Database) throws {
        if let archive { try ArchiveStore.save(archive, db) }
        try record?.save(counts, db)
    }

    /// Ends the current archive; a damaged one stays incomplete.
    package mutating func end(isComplete: Bool, _ db: Database) throws {
        guard let archive else { return }
        try ArchiveStore.save(archive, db)
        if isComplete { try ArchiveStore.complete(archive, db) }
        self.archive = nil
    }

    /// Counts a receipt under its new verdict, if this run has written it.
    mutating func recount(_ receipt: Int64, from former: Verdict, to verdict: Verdict) {
        guard receipt >= firstReceipt, let count = counts.verdicts[former] else { return }
        counts.verdicts[former] = count > 1 ? count - 1 : nil
        counts.verdicts[verdict, default: 0] += 1
    }

    /// The present, in milliseconds since 1970.
    package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
