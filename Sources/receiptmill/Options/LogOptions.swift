public import ArgumentParser
internal import Foundation
public import Logging

/// How much a run tells, and in which form.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Least level that is logged: trace, debug, info, notice, warning, error or critical. On a terminal notice "
                + "unless set, else warning.",
            valueName: "level"))
    var logLevel: Logger.Level?

    @Option(help: "How to log: text, or a JSON object a line. Text on a terminal, else json, unless set.")
    var logFormat: LogOutput.Format?

    var resolvedLevel: Logger.Level { logLevel ?? (Self.isTerminal ? .notice : .warning) }
    var resolvedFormat: LogOutput.Format { logFormat ?? (Self.isTerminal ? .text : .json) }

    private static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

extension LogOutput.Format: ExpressibleByArgument {}

extension Logger.Level: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(rawValue: argument) }
}
