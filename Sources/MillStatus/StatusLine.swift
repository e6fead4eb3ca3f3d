/// A line of the operator's screen: one thing, how the thing stands, and by rule whether a person is needed.
package struct StatusLine: Sendable, Hashable {
    /// The name of the thing, which programs read and which stays.
    package enum Subject: String, Sendable, CaseIterable {
        case database, fault = "fault_mark", run, lastRun = "last_run", lastSuccess = "last_success", archives
        case spool, damaged = "damaged_to", moved = "move_to", rejections, letters = "dead_letters", cases
        case unknownMembers = "unknown_members", storeReports = "store_reports", models, backup, check
        case aged = "deleted_by_age", clock, log, disk

        /// The name as the screen has it.
        var title: String {
            switch self {
            case .fault: "damage met"
            case .run: "at work"
            case .lastRun: "last run"
            case .lastSuccess: "last success"
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
    /// Whether a person is needed.
    package var isNeeded = false
    /// The next command to type, or where no command helps, what else to do; nil where nothing is to be done.
    package var next: String?
    /// Further lines of the screen, which belong to this one.
    package var details: [String] = []

    init(_ subject: Subject, _ text: String, isNeeded: Bool = false, next: String? = nil, details: [String] = []) {
        (self.subject, self.text, self.isNeeded, self.next, self.details) = (subject, text, isNeeded, next, details)
    }
}
