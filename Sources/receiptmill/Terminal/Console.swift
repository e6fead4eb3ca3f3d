internal import Foundation
internal import ReceiptPipeline

/// Whoever reads our output has closed it, as `head` does: we are done.
struct BrokenPipe: Error {}

/// The process's standard streams, and what its terminal can show.
enum Console {
    /// Writes text to standard output, all of it.
    ///
    /// - Throws: ``BrokenPipe`` if the reader is gone, else ``MillError``.
    static func write(_ text: String) throws {
        try write(text, to: STDOUT_FILENO, named: "standard output")
    }

    /// Writes a message for the person at the terminal to standard error.
    /// Where even that fails nobody is left to be told.
    static func complain(_ message: String) {
        try? write("receiptmill: \(message)\n", to: STDERR_FILENO, named: "standard error")
    }

    /// Writes to the terminal at standard error as it stands.
    static func draw(_ text: String) {
        try? write(text, to: STDERR_FILENO, named: "standard error")
    }

    /// Whether standard output is a terminal that wants colours and bold type;
    /// see https://no-color.org.
    static var isStyled: Bool {
        guard isatty(STDOUT_FILENO) == 1 else { return false }
        let environment = ProcessInfo.processInfo.environment
        return environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// The terminal's width in columns, nil where output goes elsewhere.
    static var width: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes all of a text to an open file.
    static func write(_ text: String, to descriptor: Int32, named name: String) throws {
        var text = text
        try text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Foundation.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[written...]).baseAddress,
                    bytes.count - written)
                if count >= 0 {
                    written += count
                } else if errno == EPIPE {
                    throw BrokenPipe()
                } else if errno != EINTR {
                    throw MillError(
                        stage: .reporting, path: name, what: "writing failed: \(String(cString: strerror(errno)))",
                        hint: "check the space left on the disk", exitStatus: .ioError)
                }
            }
        }
    }
}
