internal import Foundation
internal import Logging

/// The urgency of a record for systemd's journal, which reads the priority at the beginning of each line
/// (sd-daemon(3)).
enum JournalPriority: Int {
    case error = 3
    case warning, notice, info, debug

    /// Whether standard error is the journal. JOURNAL_STREAM contains the journal's device and inode (systemd.exec(5)).
    static let isWanted: Bool = {
        var status = stat()
        guard let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0
        else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }()

    /// If standard error is the journal, whole lines with the priority before each; else the text unchanged.
    func marked(_ text: String) -> String {
        guard Self.isWanted else { return text }
        return text.split(separator: "\n").map { "<\(rawValue)>\($0)\n" }.joined()
    }
}

extension Logger.Level {
    var priority: JournalPriority {
        self >= .error ? .error : [.info: .info, .notice: .notice, .warning: .warning][self] ?? .debug
    }
}
