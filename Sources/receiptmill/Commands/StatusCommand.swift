internal import ArgumentParser
internal import MillConfiguration
internal import MillStatus
internal import MillSystem

/// `receiptmill status`: shows the state of a mill on one screen.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "status", "Show the state of a mill, with the next command.",
        examples: """
            receiptmill status --pipeline nightly.yaml
            receiptmill status --database mill.sqlite --json
            """,
        details: """
            Reads the database, the files beside it and the folders that the pipeline file names; changes nothing, and \
            works while a run is at work. Archives are known by name and length, and are not read. ! stands before \
            each line for which a person is needed, and → before what to type next.

            Exit status: 0 all is well; 65 a person is needed; 66 there is no database, 65 it is damaged, 73 it is of \
            another version, 74 another program holds it.
            """)

    @Option(help: ArgumentHelp("The pipeline file, which names database and folders.", valueName: "file"))
    var pipeline: String?

    @OptionGroup var target: DatabaseOption

    @Option(help: "Text to read, one JSON object, or gauges for Prometheus.")
    var format: StatusFormat = .text

    @Flag(help: .json)
    var json = false

    func validate() throws {
        guard pipeline == nil || target.named == nil else {
            throw ValidationError("Give --pipeline FILE, or --database FILE.")
        }
        if json, format == .prometheus { throw ValidationError("--json goes with no --format prometheus") }
    }

    func run() throws {
        let pipeline = try pipeline.map { try Pipeline(namedIfAny: $0) }
        let status = OperatorStatus(of: try pipeline?.database ?? target.path, pipeline)
        switch json ? .json : format {
        case .text: try Console.writeStyled(status.screen(isStyled: Console.isStyled))
        case .json: try Console.writeJSON(status.json)
        case .prometheus: try Console.write(status.gauges)
        }
        if let code = status.exitStatus { throw ExitCode(code.rawValue) }
    }
}

enum StatusFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, prometheus
}
