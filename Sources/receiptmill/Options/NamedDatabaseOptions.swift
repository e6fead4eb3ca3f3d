internal import ArgumentParser

/// The options of commands that remove or rename what a database holds, which must be named explicitly.
struct NamedDatabaseOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: .loadedDatabase, completion: .file())
    var database: String

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false
}
