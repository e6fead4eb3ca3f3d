internal import Foundation
internal import MillSystem

/// Standard output of commands with long answers. On a terminal, a text that does not fit the screen goes through the
/// program that `PAGER` names, by default less. An empty `PAGER`, or `cat`, turns paging off.
final class Pager {
    /// The text so far, while it may still fit on the screen.
    private var held = ""
    private var linesLeft: Int
    private let command: String?
    private var pipe: UnsafeMutablePointer<FILE>?

    private init() {
        command = Self.command
        linesLeft = command == nil ? 0 : Console.height ?? 0
    }

    /// Does work that writes a text.
    ///
    /// - Parameter isStyled: whether control characters in the text are escaped already, so that it may have control
    ///   sequences for bold type.
    static func write(isStyled: Bool, _ work: (_ sink: (String) throws -> Void) throws -> Void) throws {
        let pager = Pager()
        do {
            try work { try pager.write(isStyled ? $0 : Console.shown($0)) }
        } catch is BrokenPipe where pager.isRunning {
            // The reader has closed the pager and wants no more text.
        } catch {
            try? pager.end()
            throw error
        }
        try pager.end()
    }

    private var isRunning: Bool { pipe != nil }

    private func write(_ text: String) throws {
        guard let command, linesLeft > 0 else { return try pass(on: text) }
        held += text
        linesLeft -= text.utf8.count { $0 == UInt8(ascii: "\n") }
        // The screen's last line is left for the prompt.
        guard linesLeft < 1 else { return }
        // With these options less shows bold type and leaves the text on the screen when it ends; git sets them, too.
        setenv("LESS", "FRX", 0)
        let program = command.prefix { $0 != " " }
        pipe = popen("command -v \(program) >/dev/null || exec cat; exec \(command)", "w")
        // From here on, an interrupt is for the pager.
        signal(SIGINT, SIG_IGN)
        try pass(on: held)
        held = ""
    }

    private func pass(on text: String) throws {
        guard let pipe else { return try Console.writeStyled(text) }
        try TextOutput.write(text, to: fileno(pipe), named: "the pager")
    }

    /// Writes the rest of the text, and waits until the pager ends.
    private func end() throws {
        guard let pipe else { return try Console.writeStyled(held) }
        pclose(pipe)
    }

    /// The pager's command; nil if the output is no terminal, or the person wants no pager.
    private static var command: String? {
        let environment = ProcessInfo.processInfo.environment
        guard isatty(STDOUT_FILENO) == 1, environment["TERM"] != "dumb" else { return nil }
        let command = environment["PAGER"] ?? "less"
        return command.isEmpty || command == "cat" ? nil : command
    }
}
