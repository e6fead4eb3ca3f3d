internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// Begins the run's row, and compares the clock with the times of earlier runs. After the clock has jumped, corrects
/// times that were written while it was slow.
struct BeginRun: RunStep {
    /// Whether the run ends by reviewing loaded lines for alarms.
    var reviewsAlarms = false
    /// Whether a person confirms that the clock is right.
    var confirmsClock = false

    func run(in context: RunContext) throws(MillError) {
        let database = context.database
        let record = try RunRecord(database, reviewsAlarms: reviewsAlarms, confirmsClock: confirmsClock)
        context.record = record
        context.report(.began(run: record.id))
        let gap = context.configuration.maximumClockGap
        let clock = try RunClock(of: record, maximumGap: gap, database)
        context.clock = clock
        if clock.jump != nil { try clock.correctTimes(in: database, maximumGap: gap) }
    }
}

/// Renames archives that a killed run has left under hidden names back to their own names.
struct PutBackLeftovers: RunStep {
    let sources: [ArchiveSource]

    func run(in context: RunContext) {
        // Folders whose archives are not moved are searched, too, because an earlier version of the pipeline file may
        // have moved them.
        for folder in Set(sources.map { PathParts.folder(of: $0.path) }).sorted() {
            for leftover in ProcessedFile.putBackLeftovers(in: folder) {
                context.log(
                    .warning,
                    "\(leftover.aside): a killed run took it aside, and it does not get its name back: "
                        + leftover.fault.text,
                    ["archive": leftover.path],
                    hint: "load what has its name now and move that away; or rename it")
            }
        }
        // Unfinished copies are searched for once here, not again for each archive that is moved.
        for path in Set(sources.flatMap(\.foldersOfMoved)) {
            if let folder = try? OpenFolder.own(path, making: false) { OutputFile.removeLeftovers(in: folder) }
        }
        // An unfinished copy is as large as the database, and the next backup, which would remove it, may be far away.
        if let backup = BackupNote(of: context.database.path) { OutputFile.removeLeftovers(of: backup.path) }
    }
}
