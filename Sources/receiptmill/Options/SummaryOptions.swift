internal import ArgumentParser

/// `--format json`, or `--json`: the form of the summary that a command writes at its end.
struct SummaryOptions: ParsableArguments {
    @Option(help: "What to end with on standard output: text to read, or one JSON object.")
    var format: SummaryFormat?

    @Flag(help: .json)
    var json = false

    func validate() throws {
        if json, format == .text { throw ValidationError("--json goes with no --format text") }
    }

    /// The format that the options name; nil if they name none.
    var resolved: SummaryFormat? { json ? .json : format }
    var isJSON: Bool { resolved == .json }
}

enum SummaryFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
