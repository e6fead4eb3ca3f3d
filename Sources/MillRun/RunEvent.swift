package import DatabaseCare
package import MillDatabase
package import MillSystem
package import ReceiptReports
package import ReceiptWarehouse
package import RunGuide
package import StoreLoading

/// An event of a run that is worth reporting to the user.
package enum RunEvent: Sendable {
    // MARK: The run

    /// The run's row was added to the database, under this number.
    case began(run: Int64)
    case ended(RunOutcome)
    /// The run has stopped on request.
    case stopped(StopPlace)
    /// The run waits for another run that holds the database; the holder is nil if another program holds a lock of
    /// SQLite's.
    case waiting(holder: String?)
    /// Part of the run failed, such as an archive that can't be read to its end; the rest continues.
    case failed(MillError)
    case alarm(Alarm)

    // MARK: The database

    /// An earlier run met a fault of the database. The database was checked, and is intact.
    case examined
    /// The database is of an older version, and is being migrated.
    case migration(SchemaMigration.Event)
    /// The last run's database is missing, and a new one is created, as the pipeline file allows.
    case begunAnew(database: String)
    /// The file that states how the last run left the database is empty, and is written again.
    case identityLost(path: String)
    /// Nothing could be loaded into the database that the run created, so the run removed it.
    case notMade(database: String)
    /// Readers keep SQLite from emptying its log.
    case logHeld(bytes: Int64)

    // MARK: Archives

    case progress(RunProgress)
    /// A pattern for archives matches a folder, which is not an archive.
    case passedOver(folder: String)
    case archiveBegan(path: String, bytes: Int64)
    /// The archive was read to its end, or as far as it can be read.
    case archiveEnded(path: String, lines: Int, rejected: Int)
    case resumed(path: String, line: Int64)
    /// The archive's content was loaded before, under this name.
    case alreadyLoaded(path: String, name: String)
    /// Another process is appending to the archive. Its complete lines are loaded, and a later run continues.
    case growing(path: String)
    /// An archive has nearly the same submissions as one that was loaded before under its name.
    case repeated(RepeatedArchive, path: String, database: String)
    /// Documents of an earlier run are not trusted for a reason that names an anchor of this run.
    case untrustedBelowAnchor(reason: String, areKept: Bool)
    /// A line of a dead-letter file is not loaded: it is refused, or still can't be read.
    case letter(MillError)
    /// A dead-letter file was read to its end.
    case corrected(path: String, applied: Int, passedOver: Int)
    /// Moved archives that the database does not know are loaded again.
    case reloading(archives: Int)

    // MARK: Report files of the store

    /// A new App Store report file was loaded.
    case loaded(LoadedReportFile)
    case oddReportFile(ReportFileWarning)

    // MARK: Disposal of archives and rows

    case moved(path: String, to: String)
    case deleted(path: String)
    /// A damaged archive was moved to the folder of damaged archives.
    case quarantined(path: String, to: String)
    /// An archive was not deleted, because `lines` of its rejected lines are kept nowhere else.
    case kept(path: String, lines: Int)
    /// A loaded archive was not disposed of as usual: it was moved to the folder of damaged archives, or, if the new
    /// path is nil, stays where it is.
    case refused(MillError, to: String?)
    /// Loaded archives are neither moved nor deleted, because a step met a fault of the database.
    case withheld(archives: Int)
    /// An archive that a killed run left under a hidden name can't get its name back.
    case orphaned(path: String, name: String, why: String)
    /// Rows or archives were deleted because of their age.
    case expired(ExpiredRows)

    // MARK: Reports

    /// A model is being refreshed.
    case refreshing(ModelProgress)
    case reportWritten(name: String, output: String, rows: Int)
    case dashboardWritten(output: String)
    /// The values of a report's or an alarm's parameters are likely not the intended ones.
    case odd(report: String, ReportWarning)
}

/// The position of a run in its archives.
package struct RunProgress: Sendable {
    /// Number of the archive in the order of reading, counted from 1.
    package internal(set) var archive = 0
    package internal(set) var archiveName = ""
    package internal(set) var archiveBytes: Int64 = 0
    package internal(set) var consumedBytes: Int64 = 0
    /// Bytes of this archive and of later ones that are still to be read; nil if a pipe is among them.
    package internal(set) var bytesAhead: Double?
    package internal(set) var counts = LoadCounts()

    mutating func begin(_ file: OpenedFile) {
        archive += 1
        (archiveName, archiveBytes, consumedBytes) = (file.name, file.bytes, 0)
    }

    mutating func advance(to position: ReadingPosition) {
        consumedBytes = position.consumedBytes
        bytesAhead = position.isEndKnown ? position.bytesAhead : nil
    }
}

/// Rows or archives that a run deleted because of their age.
package struct ExpiredRows: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Kept lines of rejections, by `keep_days`.
        case rejectedLines
        /// Submissions, by `retention_days`.
        case submissions
        /// Archives that were moved, by `expire_days`.
        case archives(folder: String)
    }

    package let kind: Kind
    package let count: Int
    /// The age in days from which rows or archives of the kind are deleted.
    package let days: Int
    /// The deleted rows or archives were stored before this time, in milliseconds since 1970.
    package let before: Int64
}
