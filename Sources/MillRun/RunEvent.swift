package import DatabaseCare
package import MillSystem
package import ReceiptWarehouse

/// What happens while a database is loaded, worth reporting to the user.
package enum RunEvent: Sendable {
    case progress(RunProgress)
    /// The run has its row in the database.
    case began(run: Int64)
    case ended(RunOutcome)
    /// The run was asked to stop, and did, within an archive or between two.
    case stopped(IngestSummary.Place?)
    /// A folder matches a pattern that archives are looked for by.
    case passedOver(folder: String)
    /// Another run holds the database, and is waited for; nil is a program that is no run, and holds a lock of
    /// SQLite's.
    case waiting(holder: String?)
    case archiveBegan(path: String, bytes: Int64)
    /// The archive was read to its end, or as far as it can be read.
    case archiveEnded(path: String, lines: Int, rejected: Int)
    /// An earlier run has met a fault of the database, which was checked and is whole.
    case examined
    /// The database is of an older version, and brought to this one's.
    case migration(SchemaMigration.Event)
    case resumed(path: String, line: Int64)
    /// The archive's content was loaded before, under this name.
    case alreadyLoaded(path: String, name: String)
    /// Another process appends to the archive: its complete lines are loaded, and a
    /// later run goes on.
    case growing(path: String)
    /// An archive has nearly the same submissions as one that was loaded before under its name.
    case repeated(RepeatedArchive, path: String, database: String)
    /// A letter of a dead-letter file is not loaded: it is refused, or its line still can't be read.
    case letter(MillError)
    /// A dead-letter file was read to its end.
    case corrected(path: String, applied: Int, passedOver: Int)
    /// Rejected lines that were kept so many days were removed: those kept before a time, in milliseconds since 1970.
    case expired(lines: Int, days: Int, before: Int64)
    /// The archive could not be read, or not to its end; the run goes on.
    case failed(MillError)
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
