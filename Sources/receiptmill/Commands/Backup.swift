internal import ArgumentParser
internal import ReceiptWarehouse

/// `receiptmill backup`: a copy of a database in use.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy a database while it is in use.",
        discussion: """
            The copy holds what was committed when it began, is one file without a log, readable by its owner alone, \
            and there whole or not at all. cp of a database in use may copy halves of two states.

            A former copy is replaced, and so is an empty file. Any other file stays, unless --replace is given: exit \
            status 73.
            """)

    @Argument(help: "The copy; a former one is replaced.")
    var file: String

    @Flag(help: "Replace the file even if it is no database of ReceiptMill's, or a damaged one.")
    var replace = false

    @Option(name: .shortAndLong, help: ArgumentHelp("The database that receiptmill ingest wrote.", valueName: "file"))
    var database: String

    func run() throws {
        try CommandExit.of {
            var backup = DatabaseBackup(path: database)
            backup.replacesOthers = replace
            try backup.write(to: file)
        }
    }
}
