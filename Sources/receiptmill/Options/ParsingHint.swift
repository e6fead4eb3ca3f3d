internal import ArgumentParser
internal import MillSystem
internal import ReceiptReports

/// Suggestions for a command line that the parser rejects without suggesting a correction itself.
enum ParsingHint {
    /// - Returns: the suggestion; nil if no command or parameter is similar.
    static func hint(for error: any Error, _ arguments: [String]) -> String? {
        guard let command = arguments.first else { return nil }
        let names = ReceiptMill.configuration.subcommands.compactMap { $0.configuration.commandName }
        if !command.hasPrefix("-"), !names.contains(command) {
            return nearestNames(to: command, among: names, limit: 1).first.map { "did you mean receiptmill \($0)?" }
        }
        guard command == "report" else { return nil }
        let (message, parameters) = (ReceiptMill.message(for: error), ReportCatalog().parameterNames)
        let refused = parameters.first { name in
            [name, name.replacing("_", with: "-")].contains { message.contains("'--\($0)'") }
        }
        return refused.map { "\($0) is a parameter: write \($0)=VALUE, without hyphens" }
    }
}
