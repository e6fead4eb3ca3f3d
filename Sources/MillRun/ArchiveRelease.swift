internal import MillSystem
internal import ReceiptWarehouse

/// Permission to move and delete archives. A run gets it after all steps that can meet a fault of the database, and
/// only if no step has met one.
///
/// Functions that move or delete archives take a release as an argument. If the database turns out to be damaged,
/// committed rows are not safe, whichever step met the damage.
struct ArchiveRelease {
    let database: Warehouse
    /// Archives whose every line is in the database.
    let durable: [DurableArchive]
    /// Archives that can't be read to their end.
    let damaged: [DamagedArchive]
    /// Apple's report files that are damaged, or files that are not reports.
    let damagedReports: [DamagedReport]

    /// - Parameter summary: the summary of a run that has done all steps except the disposal of archives.
    /// - Returns: nil if a step met a fault of the database, or the run was stopped.
    init?(of summary: RunSummary, in database: Warehouse) {
        guard !summary.isStopped, summary.failures.allSatisfy({ $0.databaseFault == nil }) else {
            return nil
        }
        self.database = database
        (durable, damaged, damagedReports) = (summary.durable, summary.damaged, summary.damagedReports)
    }
}
