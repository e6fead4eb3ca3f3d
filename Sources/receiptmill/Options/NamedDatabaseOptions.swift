internal import ArgumentParser

/// The options of commands that remove or rename what a database holds, which must be named explicitly.
struct NamedDatabaseOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The database that receiptmill ingest wrote.", valueName: "file"),
        completion: .file())
    var database: String

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false
}
