internal import ArgumentParser
internal import DatabaseCare
internal import Foundation
internal import MillConfiguration
internal import MillDatabase
internal import MillRun
internal import MillSystem

/// `receiptmill backup`: copies a database that may be in use.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "backup", "Copy a database while it is in use.",
        usage: "receiptmill backup <file> [--database <file>] [<options>]",
        examples: """
            receiptmill backup copy.sqlite --database mill.sqlite
            """,
        details: """
            The copy holds what was committed when it began, is one file without a log, readable by its owner alone, \
            verified, and there whole or not at all. cp of a database in use may copy halves of two states.

            A former copy of the database is replaced, and so is an empty file. A copy of another database, one with \
            more lines, and any other file stay, unless --replace is given: exit status 73. If a run, a check or a \
            backup has found the database damaged (FILE-fault, FILE-check), it is not copied and former copies stay, \
            unless --replace is given: 74. A copy that fails SQLite's integrity check replaces no former copy: 65.
            """)

    @Argument(help: "The copy; a former one is replaced.")
    var file: String

    @Flag(
        help: ArgumentHelp(
            "Replace the file even if it is not an earlier copy of this database, or is damaged; and copy a database in "
                + "which damage was found, if SQLite's integrity check finds none in the copy."))
    var replace = false

    @Option(
        help: ArgumentHelp(
            "Keep so many copies: the last, and former ones as FILE.1, FILE.2 and so on.", valueName: "number"))
    var keep = 1

    @Option(
        help: ArgumentHelp("Write how it went for Prometheus, as ingest --metrics does.", valueName: "file"),
        completion: .file())
    var metrics: String?

    @OptionGroup var target: DatabaseOption

    func validate() throws {
        let maximum = FormerCopies.maximumGenerations
        guard (1...maximum).contains(keep) else { throw ValidationError("--keep takes 1 to \(maximum) copies") }
    }

    /// Notes beside the database that the copy was made. The copy is valid even if the note can't be written.
    private func remember(_ copy: BackupSummary, of database: String) {
        let note = BackupNote(madeAt: Int64(Date().timeIntervalSince1970 * 1000), copy, at: file)
        do { try note.write(of: database) } catch {
            Console.complain(
                "the copy is made, and receiptmill status will not know of it: "
                    + MillError(error, at: .reporting, path: database).what, as: .warning)
        }
    }

    func run() throws {
        let database = try target.path
        var files = OutputGuard(database: database)
        if let metrics {
            files.protect(file, as: "the copy")
            try files.claim(metrics, as: .metrics)
        }
        var backup = DatabaseBackup(path: database)
        (backup.replacesOthers, backup.generations) = (replace, keep)
        let begin = Date().timeIntervalSince1970
        func write(_ summary: BackupSummary?, _ status: ExitStatus?) throws {
            guard let metrics else { return }
            let end = Date().timeIntervalSince1970
            try Metrics(backup: summary, exitStatus: status?.rawValue ?? 0, seconds: end - begin, endedAt: end)
                .write(to: metrics)
        }
        do {
            if !replace { try FaultMark(of: database).refuseCopying() }
            let copy = try backup.write(to: file)
            remember(copy, of: database)
            try write(copy, nil)
        } catch {
            if let fault = error as? MillError { FaultMark(of: database).leave(for: [fault], isOurs: false) }
            try? write(nil, (error as? MillError)?.exitStatus ?? .internalFault)
            throw error
        }
    }
}
