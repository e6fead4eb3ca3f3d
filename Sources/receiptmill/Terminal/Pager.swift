internal import Foundation
internal import MillSystem

/// Standard output of commands that answer at length. On a terminal, a text that is longer than the screen goes through
/// the program that the variable `PAGER` names, else through less. A blank `PAGER`, or `cat`, means no pager.
enum Pager {
    /// The maximum number of bytes that a person reads. A longer text is written without a pager, and is not held.
    private static let maximumBytes = 4 << 20

    /// Does work that writes a text. The pager starts when the work is done, so that neither a time limit nor a
    /// transaction waits for the reader, and messages of the work come before the text.
    ///
    /// - Parameter isStyled: whether the text is harmless, and may have control sequences for bold type.
    static func write(isStyled: Bool, _ work: (_ sink: (String) throws -> Void) throws -> Void) throws {
        var held: String? = command == nil ? nil : ""
        let result = Result {
            try work { part in
                let text = isStyled ? part : Console.shown(part)
                // Appended in place: copying the text for each part would make the cost quadratic.
                held?.append(text)
                guard held?.utf8.count ?? .max > maximumBytes else { return }
                try Console.writeStyled(held ?? text)
                held = nil
            }
        }
        if let held { try show(held) }
        try result.get()
    }

    private static func show(_ text: String) throws {
        guard let command, !fitsScreen(text) else { return try Console.writeStyled(text) }
        // git and systemctl start less with the same options.
        setenv("LESS", "FRX", 0)
        setenv("LESSCHARSET", "utf-8", 0)
        setenv("PAGER", command, 1)
        // The shell reads the variable as it reads any command. If the command fails, cat shows the text.
        guard let pipe = popen("(eval \"$PAGER\") || exec cat", "w") else { return try Console.writeStyled(text) }
        let former = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, former) }
        // A reader who leaves early needs no more.
        do { try TextOutput.write(text, to: fileno(pipe), named: "the pager") } catch is BrokenPipe {}
        pclose(pipe)
    }

    /// Whether a text leaves a line of the screen for the prompt.
    private static func fitsScreen(_ text: String) -> Bool {
        guard let height = Console.height, let width = Console.width() else { return true }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.reduce(0) { $0 + max(1, (TerminalText.width(of: String($1)) + width - 1) / width) } < height
    }

    /// The pager's command; nil if nobody is at a terminal, or wants a pager.
    private static var command: String? {
        let environment = ProcessInfo.processInfo.environment
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, environment["TERM"] != "dumb" else { return nil }
        let command = environment["PAGER"] ?? "less -R"
        return command.allSatisfy(\.isWhitespace) || command == "cat" ? nil : command
    }
}
