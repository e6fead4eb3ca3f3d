internal import ArgumentParser
internal import ReceiptPipeline

/// `receiptmill backup`: a copy of a database in use.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy a database while it is in use.",
        discussion: """
            The copy holds what was committed when it began, is one file without a log, readable by its owner alone, \
            and there whole or not at all. cp of a database in use may copy halves of two states.
            """)

    @Argument(help: "The copy; one that exists is replaced.")
    var file: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The database that receiptmill ingest wrote.", valueName: "file"))
    var database: String

    func run() throws {
        try Ending.of { try DatabaseBackup(path: database).write(to: file) }
    }
}
