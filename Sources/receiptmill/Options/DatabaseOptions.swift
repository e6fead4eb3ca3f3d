internal import ArgumentParser

/// The options of the commands that change a database outside of runs.
struct DatabaseOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The database that receiptmill ingest wrote.", valueName: "file"),
        completion: .file())
    var database: String

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false
}
