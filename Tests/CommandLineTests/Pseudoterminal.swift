internal import Foundation
internal import TestSupport

/// A terminal of some width that a process writes to, and what it has shown.
final class Pseudoterminal {
    struct NoTerminal: Error {}

    /// The side that a process takes for a terminal.
    let side: FileHandle
    private let main: Int32
    private(set) var shown = ""

    init(columns: UInt16) throws {
        // The C library's functions for this are not visible to Swift; their requests are (ioctl_tty(2)).
        let (unlock, name): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var (isLocked, number): (Int32, Int32) = (0, 0)
        main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard main >= 0, ioctl(main, unlock, &isLocked) == 0, ioctl(main, name, &number) == 0 else {
            throw NoTerminal()
        }
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(main, UInt(TIOCSWINSZ), &size) == 0 else { throw NoTerminal() }
        side = FileHandle(fileDescriptor: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY), closeOnDealloc: true)
        guard fcntl(main, F_SETFL, O_NONBLOCK) == 0 else { throw NoTerminal() }
    }

    deinit { close(main) }

    /// Takes what was written since.
    private func read() {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = Glibc.read(main, &bytes, bytes.count), count > 0 {
            shown += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    /// Waits until a text was shown, or the process has ended.
    ///
    /// - Returns: whether it was shown.
    @discardableResult
    func wait(for text: String, of process: Process) -> Bool {
        Waiting.until {
            read()
            return shown.contains(text) || !process.isRunning
        }
        read()
        return shown.contains(text)
    }

    /// The lines of progress, as each was drawn.
    var drawn: [String] {
        shown.components(separatedBy: "\r\u{1b}[2K").dropFirst().map { String($0.prefix { !"\r\n".contains($0) }) }
            .filter { !$0.isEmpty && !$0.hasPrefix("receiptmill:") }
    }
}
