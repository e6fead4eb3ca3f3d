package import DatabaseCare
package import MillSystem
package import ReceiptReports
package import ReceiptWarehouse

/// What happens during a run, worth reporting to the user.
package enum RunEvent: Sendable {
    // MARK: The run

    /// The run has its row in the database.
    case began(run: Int64)
    case ended(RunOutcome)
    /// The run was asked to stop, and did, within an archive or between two.
    case stopped(RunSummary.Place?)
    /// Another run holds the database, and is waited for; nil is a program that is no run, and holds a lock of
    /// SQLite's.
    case waiting(holder: String?)
    /// Part of the run failed, such as an archive that can't be read to its end; the rest goes on.
    case failed(MillError)
    case alarm(Alarm)

    // MARK: The database

    /// An earlier run has met a fault of the database, which was checked and is whole.
    case examined
    /// The database is of an older version, and brought to this one's.
    case migration(SchemaMigration.Event)
    /// The last run's database is gone, and a new one is made, as the pipeline file allows.
    case begunAnew(database: String)
    /// The file that says how the last run left the database is empty, and is written anew.
    case identityLost(path: String)
    /// Readers keep SQLite from emptying its log.
    case logHeld(bytes: Int64)

    // MARK: Archives

    case progress(RunProgress)
    /// A folder matches a pattern that archives are looked for by.
    case passedOver(folder: String)
    case archiveBegan(path: String, bytes: Int64)
    /// The archive was read to its end, or as far as it can be read.
    case archiveEnded(path: String, lines: Int, rejected: Int)
    case resumed(path: String, line: Int64)
    /// The archive's content was loaded before, under this name.
    case alreadyLoaded(path: String, name: String)
    /// Another process appends to the archive: its complete lines are loaded, and a later run goes on.
    case growing(path: String)
    /// An archive has nearly the same submissions as one that was loaded before under its name.
    case repeated(RepeatedArchive, path: String, database: String)
    /// A letter of a dead-letter file is not loaded: it is refused, or its line still can't be read.
    case letter(MillError)
    /// A dead-letter file was read to its end.
    case corrected(path: String, applied: Int, passedOver: Int)
    /// Archives that lie where they were moved are loaded again.
    case reloading(archives: Int)

    // MARK: What becomes of archives and rows

    case moved(path: String, to: String)
    case deleted(path: String)
    /// An archive that is damaged was moved where those lie.
    case quarantined(path: String, to: String)
    /// An archive was not deleted: rejected lines of it would be lost.
    case kept(path: String, lines: Int)
    /// An archive is not moved or deleted as one that was loaded: it was moved where damaged ones lie, or stays.
    case refused(MillError, to: String?)
    /// So many archives that are loaded stay where they are: a step met a fault of the database.
    case withheld(archives: Int)
    /// An archive that a killed run took aside does not get its name back.
    case orphaned(path: String, name: String, why: String)
    /// Things that are old were deleted.
    case aged(AgedThings)

    // MARK: Reports

    case reportWritten(name: String, output: String, rows: Int)
    case dashboardWritten(output: String)
    /// What a report or an alarm asks for is likely not what was meant.
    case odd(report: String, ReportWarning)
}

/// How far a run is.
package struct RunProgress: Sendable {
    /// Index of the archive among those given, from 1.
    package internal(set) var archive = 0
    package internal(set) var archiveName = ""
    package internal(set) var archiveBytes: Int64 = 0
    package internal(set) var consumedBytes: Int64 = 0
    package internal(set) var lines = 0
}

/// What a run deleted because it was old.
package struct AgedThings: Sendable, Hashable {
    package enum Things: Sendable, Hashable {
        /// Rejected lines that were kept, by `keep_days`.
        case rejectedLines
        /// Submissions, by `retention_days`.
        case submissions
        /// Archives that were moved, by `expire_days`.
        case archives(folder: String)
    }

    package let things: Things
    package let count: Int
    /// Days after which such a thing is old.
    package let days: Int
    /// The time before which each is from, in milliseconds since 1970.
    package let before: Int64
}
