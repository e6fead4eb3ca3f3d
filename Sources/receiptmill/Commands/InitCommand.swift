internal import ArgumentParser
internal import Foundation
internal import MillRun
internal import MillSystem

/// `receiptmill init`: creates an empty database.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "init", "Make an empty database for a nightly run.",
        examples: """
            receiptmill init --database mill.sqlite
            """,
        details: """
            receiptmill run makes no database by itself: one that has vanished must not be mistaken for a new \
            beginning. ingest and load make one where there is none.

            Exit status: 0 made; 73 the file is there already, or can't be made.
            """)

    @Option(name: .shortAndLong, help: ArgumentHelp("The database to make.", valueName: "file"), completion: .file())
    var database: String

    func run() throws {
        try NewDatabase.make(at: database)
        // Only a person at a terminal gets a message; a script reads the exit status.
        guard isatty(STDOUT_FILENO) == 1 else { return }
        try Console.write(
            "\(database): made\nnext: \(ShellWords.line(["ingest", "--database", database])) ARCHIVE\n")
    }
}
