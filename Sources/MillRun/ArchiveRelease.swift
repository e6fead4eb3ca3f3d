internal import MillSystem
internal import ReceiptWarehouse

/// Permission to move and delete archives. A run gets a release after all steps that can meet a fault of the database,
/// and only where no step has met one.
///
/// Code that moves or deletes archives takes a release as argument. Rows that were committed to a database which turns
/// out to be damaged are not safe, whichever step met the damage.
struct ArchiveRelease {
    let database: Warehouse
    /// Archives whose every line is in the database.
    let durable: [DurableArchive]
    /// Archives that can't be read to their end.
    let damaged: [DamagedArchive]
    /// Apple's report files that are damaged, or files that are not reports.
    let damagedReports: [DamagedReport]

    /// - Parameter summary: of a run that has done all steps but the disposal of archives.
    /// - Returns: nil if a step met a fault of the database, or the run was stopped.
    init?(of summary: RunSummary, in database: Warehouse) {
        guard !summary.isStopped, summary.failures.allSatisfy({ $0.databaseFault == nil }) else {
            return nil
        }
        self.database = database
        (durable, damaged, damagedReports) = (summary.durable, summary.damaged, summary.damagedReports)
    }
}
