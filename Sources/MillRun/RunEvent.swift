package import MillDatabase
package import MillSystem
internal import ReceiptReports
package import ReceiptWarehouse
internal import RunGuide
package import StoreLoading

/// An event of a run that is worth reporting to the user.
package enum RunEvent: Sendable {
    /// A fact that one line of the log states.
    case line(LogLine)
    /// The run's row was added to the database, under this number.
    case began(run: Int64)
    /// Part of the run failed, such as an archive that can't be read to its end; the rest continues.
    case failed(MillError)
    /// The database is of an older version, and is being migrated.
    case migration(SchemaMigration.Event)
    case progress(RunProgress)
    /// A model is being refreshed.
    case refreshing(ModelProgress)
    /// A new App Store report file was loaded.
    case loaded(LoadedReportFile)
    case oddReportFile(ReportFileWarning)
}

/// A line of a run's log.
package struct LogLine: Sendable {
    /// `error`: an operator has to act. `warning`: something is odd, but nothing is lost. `notice`: a result that a person
    /// at the terminal expects. `info` and `debug`: single steps.
    package enum Level: String, Sendable {
        case debug, info, notice, warning, error
    }

    /// The facts of a message for programs: texts and whole numbers.
    package typealias Fields = [String: any CustomStringConvertible & Sendable]

    package let level: Level
    package let message: String
    package let fields: Fields
    package let hint: String?
}

// Facts that several steps report.
extension RunEvent {
    static func log(
        _ level: LogLine.Level, _ message: String, _ fields: LogLine.Fields = [:], hint: String? = nil
    ) -> RunEvent {
        .line(LogLine(level: level, message: message, fields: fields, hint: hint))
    }

    static func ended(_ outcome: RunOutcome) -> RunEvent {
        .log(.info, "the run ends: \(outcome.rawValue)", ["outcome": outcome.rawValue])
    }

    /// The run has stopped on request.
    static func stopped(at place: StopPlace) -> RunEvent {
        var fields: LogLine.Fields = [:]
        let words: String
        switch place {
        case .line(let line, let path):
            words = "behind line \(line) of \(PathParts.shown(path)); that line and all that came before are kept"
            fields = ["archive": path, "line": line]
        case .betweenArchives: words = "between two archives; all that came before is kept"
        case .behindArchives:
            words = "after all archives; all of them are kept, and the work on models and reports is left"
        }
        return .log(
            .warning, "stopped as asked, \(words)", fields, hint: "run the same command again: it goes on from there")
    }

    /// A pattern for archives matches a folder, which is not an archive.
    package static func passedOver(folder: String) -> RunEvent {
        .log(
            .warning, "\(PathParts.shown(folder)): is a folder, and what lies in it is not loaded", ["path": folder],
            hint: "give \(folder)/* to load what lies in it, or a pattern that only archives match")
    }

    static func resumed(path: String, line: Int64) -> RunEvent {
        .log(
            .notice, "\(PathParts.shown(path)): going on after line \(line)", ["archive": path, "line": line])
    }

    /// Another process is appending to the archive. Its complete lines are loaded, and a later run continues.
    static func growing(path: String) -> RunEvent {
        .log(
            .notice, "\(PathParts.shown(path)): is being written; its complete lines are loaded, the rest next time",
            ["archive": path])
    }

    /// The values of a report's or an alarm's parameters are likely not the intended ones.
    static func odd(report: String, _ warning: ReportWarning) -> RunEvent {
        .log(.warning, "report \(report): \(warning.message)", ["report": report], hint: warning.hint)
    }
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
