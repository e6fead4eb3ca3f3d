internal import ArgumentParser
internal import ReceiptReports

/// A command's help in two lengths: `--help` has examples and everyday options and fits on a screen, `--help-all` has
/// everything.
enum HelpText {
    static let option = "--help-all"

    /// Whether the command line has `--help-all`.
    static let isWhole = CommandLine.arguments.contains(option)

    /// The arguments with the parser's names: `--help-hidden` shows rare options, but `help` does not take it. The help
    /// of one report is its description.
    static func parsed(_ arguments: [String]) -> [String] {
        let words = arguments.filter { $0 != "help" && $0 != "-h" && $0 != "--help" }
        if words.count == 2, words.count < arguments.count, words[0] == ReportCommand.configuration.commandName,
            (try? ReportCatalog().report(named: words[1])) != nil
        {
            return words + ["--describe"]
        }
        guard arguments.contains(option) else { return arguments }
        let isHelpCommand = arguments.first == "help"
        return arguments.dropFirst(isHelpCommand ? 1 : 0).map { $0 == option ? "--help-hidden" : $0 }
    }

    /// The text before a command's usage.
    ///
    /// - Parameters:
    ///   - command: the command's name.
    ///   - examples: command lines of at most 78 characters, at most three.
    ///   - details: paragraphs that only `--help-all` shows.
    static func of(_ command: String, examples: String, details: String) -> String {
        let start = "Examples:\n" + examples.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
        return isWhole ? "\(start)\n\n\(details)" : "\(start)\n\nAll options: receiptmill \(command) \(option)"
    }
}

extension CommandConfiguration {
    /// The configuration of a command whose help has two lengths; see ``HelpText/of(_:examples:details:)``.
    init(_ name: String, _ abstract: String, usage: String? = nil, examples: String, details: String) {
        self.init(
            commandName: name, abstract: abstract, usage: usage,
            discussion: HelpText.of(name, examples: examples, details: details))
    }
}

extension ArgumentHelp {
    /// Help of an option that only `--help-all` shows.
    static func rare(_ text: String, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp(text, valueName: valueName, visibility: .hidden)
    }

    /// Help of an option that `--help` shows in short.
    static func everyday(_ text: String, details: String, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp("\(text)\(HelpText.isWhole ? " " + details : "")", valueName: valueName)
    }
}
