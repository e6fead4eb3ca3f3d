internal import MillSystem
internal import ReceiptWarehouse

/// Leave to give archives away: of a run that has ended its load, models, reports and alarms, and that met no fault
/// of the database in any of these.
///
/// Whoever moves or deletes archives needs one, and there is one only then: what was committed to a database that
/// turns out to be damaged is not safe, whichever stage met the damage.
struct ArchiveRelease {
    let database: Warehouse
    /// Archives whose every line is in the database.
    let durable: [DurableArchive]
    /// Archives that can't be read to their end.
    let damaged: [DamagedArchive]

    /// - Parameter summary: of a run whose stages are all behind it.
    /// - Returns: nil where one of them met a fault of the database, or the run was stopped.
    init?(of summary: RunSummary, in database: Warehouse) {
        guard !summary.isStopped, summary.failures.allSatisfy({ $0.databaseFault == nil }) else {
            return nil
        }
        self.database = database
        (durable, damaged) = (summary.durable, summary.damaged)
    }
}
