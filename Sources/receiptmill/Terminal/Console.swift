internal import Foundation
internal import MillSystem

/// The standard streams of the process, and the properties of the terminal.
enum Console {
    /// Writes all of a text to standard output. A terminal shows control characters escaped.
    ///
    /// - Throws: ``BrokenPipe`` if the reader is gone, else ``MillError``.
    static func write(_ text: String) throws { try writeStyled(shown(text)) }

    /// The text as standard output shows it: control characters are escaped on a terminal.
    static func shown(_ text: String) -> String {
        isatty(STDOUT_FILENO) == 1 ? TerminalText.harmlessLines(text) : text
    }

    /// Writes a JSON object to standard output, as one line.
    static func writeJSON(_ object: [String: Any]) throws {
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        try write(String(decoding: data, as: UTF8.self) + "\n")
    }

    /// A number with its noun: `1 line`, `2 lines`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Writes a table to standard output, with the control sequences that style the headings.
    static func writeStyled(_ table: String) throws {
        try TextOutput.write(table, to: STDOUT_FILENO, named: "standard output")
    }

    /// Writes bytes to standard output.
    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        try TextOutput.write(bytes, to: STDOUT_FILENO, named: "standard output")
    }

    /// Writes a message for the person at the terminal to standard error. Control characters are escaped, because a
    /// message may quote an untrusted archive. A failure to write is ignored: there is no other place to report it.
    static func complain(_ message: String, as priority: JournalPriority = .error) {
        draw(priority.marked("receiptmill: \(TerminalText.harmlessLines(message))\n"))
    }

    /// Writes a record of the log to standard error. A terminal shows control characters escaped.
    static func log(_ record: String, as priority: JournalPriority) {
        draw(isatty(STDERR_FILENO) == 1 ? TerminalText.harmlessLines(record) : priority.marked(record))
    }

    /// Writes a text to standard error without escaping.
    static func draw(_ text: String) {
        try? TextOutput.write(text, to: STDERR_FILENO, named: "standard error")
    }

    /// Whether standard input is a pipe, a socket or a file. A terminal would wait for a person, and /dev/null is
    /// empty.
    static var isInputGiven: Bool {
        var status = stat()
        return fstat(STDIN_FILENO, &status) == 0 && [S_IFIFO, S_IFSOCK, S_IFREG].contains(status.st_mode & S_IFMT)
    }

    /// Whether standard output is a terminal that wants colours and bold type;
    /// see https://no-color.org.
    static var isStyled: Bool {
        guard isatty(STDOUT_FILENO) == 1 else { return false }
        let environment = ProcessInfo.processInfo.environment
        return environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// The terminal's width in columns; nil if the stream is no terminal.
    static func width(of stream: Int32 = STDOUT_FILENO) -> Int? { size(of: stream, \.ws_col) }

    /// The terminal's height in lines; nil if standard output is no terminal.
    static var height: Int? { size(of: STDOUT_FILENO, \.ws_row) }

    private static func size(of stream: Int32, _ side: KeyPath<winsize, UInt16>) -> Int? {
        var size = winsize()
        guard isatty(stream) == 1, ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size[keyPath: side] > 0 else {
            return nil
        }
        return Int(size[keyPath: side])
    }
}
