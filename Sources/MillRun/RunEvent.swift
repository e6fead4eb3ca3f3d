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
    /// Another run holds the database, and is waited for.
    case waiting(holder: String)
    /// A folder matches a pattern that archives are looked for by.
    case passedOver(folder: String)
    case archiveBegan(path: String, bytes: Int64)
    /// The archive was read to its end, or as far as it can be read.
    case archiveEnded(path: String, lines: Int, rejected: Int)
    /// The database is of an older version, and brought to this one's.
    case migration(SchemaMigration.Event)
    case resumed(path: String, line: Int64)
    /// The archive's content was loaded before, under this name.
    case alreadyLoaded(path: String, name: String)
    /// Another process appends to the archive: its complete lines are loaded, and a
    /// later run goes on.
    case growing(path: String)
    /// A letter of a dead-letter file is not loaded: it is refused, or its line still can't be read.
    case letter(MillError)
    /// A dead-letter file was read to its end.
    case corrected(path: String, applied: Int, passedOver: Int)
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
