internal import ArgumentParser

/// The options of the commands that change a database outside of runs.
struct DatabaseOptions: ParsableArguments {
    @OptionGroup var choice: DatabaseOption

    var database: String { get throws { try choice.path } }

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false
}
