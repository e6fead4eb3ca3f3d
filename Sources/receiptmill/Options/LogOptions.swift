public import ArgumentParser
internal import Foundation
public import Logging

/// The level and the format of a run's log.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Least level that is logged. Unless set notice; of run off a terminal warning, in systemd's journal info.",
            valueName: "level"))
    var logLevel: Logger.Level?

    @Option(help: "How to log: text, or a JSON object a line. Unless set text, and of run off a terminal json.")
    var logFormat: LogFormat?

    var resolvedLevel: Logger.Level {
        logLevel ?? (Self.isTerminal ? .notice : JournalPriority.isWanted ? .info : .warning)
    }
    var resolvedFormat: LogFormat { logFormat ?? (Self.isTerminal ? .text : .json) }

    private static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

extension LogFormat: ExpressibleByArgument {}

extension Logger.Level: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(rawValue: argument) }
}
