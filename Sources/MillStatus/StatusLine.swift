internal import MillSystem

/// A line of the operator's screen: a subject, its state, and, decided by rules, whether a person has to act.
package struct StatusLine: Sendable, Hashable {
    /// The name of the subject. Programs read it, so it must not change.
    package enum Subject: String, Sendable, CaseIterable {
        case database, writing, fault = "fault_mark", run, start = "failed_start", lastRun = "last_run"
        case lastSuccess = "last_success", archives, repeated = "repeated_archives", spool, damaged = "damaged_to"
        case moved = "move_to", rejections, letters = "dead_letters", cases, unknownMembers = "unknown_members"
        case storeReports = "store_reports", models, backup, check
        case aged = "deleted_by_age", clock, log, disk

        /// The name as shown on the screen.
        var title: String {
            switch self {
            case .fault: "damage met"
            case .run: "at work"
            case .start: "last start"
            case .lastRun: "last run"
            case .lastSuccess: "last success"
            case .repeated: "count twice"
            case .damaged: "damaged"
            case .moved: "moved"
            case .rejections: "rejected"
            case .letters: "dead letters"
            case .cases: "fraud cases"
            case .unknownMembers: "unknown"
            case .storeReports: "store reports"
            case .aged: "by age"
            default: rawValue
            }
        }
    }

    package let subject: Subject
    package let text: String
    /// Whether a person has to act.
    package var isNeeded = false
    /// What the person should do, as a sentence; nil if the next command is enough, or nothing has to be done.
    package var advice: String?
    /// The next command to type; nil if no command helps.
    package var next: ShellCommand?
    /// Further lines of the screen that belong to this one.
    package var details: [String] = []

    init(
        _ subject: Subject, _ text: String, isNeeded: Bool = false, advice: String? = nil, next: ShellCommand? = nil,
        details: [String] = []
    ) {
        (self.subject, self.text, self.isNeeded, self.details) = (subject, text, isNeeded, details)
        (self.advice, self.next) = (advice, next)
    }

    /// The line for an error, with the error's advice.
    init(_ subject: Subject, _ fault: MillError) {
        var text = fault
        text.hint = nil
        self.init(subject, text.description, isNeeded: true, advice: fault.hint)
    }
}

/// One command, built from its words and quoted, so that the line that a person copies contains nothing else.
package struct ShellCommand: Sendable, Hashable {
    /// The command as a line for sh(1).
    package let text: String

    /// - Parameter program: another program than this one.
    init(_ program: String, _ arguments: String...) {
        text = ([program] + arguments).map(ShellWords.quoted).joined(separator: " ")
    }

    /// A command of this program.
    init(_ arguments: [String]) { text = ShellWords.line(arguments) }
}
