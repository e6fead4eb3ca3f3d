package import MillSystem

/// A condition in a run's outcome that the pipeline file asks to be reported, such as too many rejected lines.
package struct Alarm: Sendable, Hashable {
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        case reportHasRows = "report_has_rows"
        case tooManyRejected = "too_many_rejected"
        case tooManyUntrusted = "too_many_untrusted"
        case archiveMissing = "archive_missing"
        case unexpectedEnvironment = "unexpected_environment"
        case clockJumped = "clock_jumped"
        case unknownMembers = "unknown_members"
    }

    package let cause: Cause
    /// A phrase without a full stop that states the condition.
    package let message: String
    /// Advice to the operator, who has to act on the alarm.
    package let hint: String

    /// The exit status of a run that has met nothing worse than the alarm.
    package var exitStatus: ExitStatus { cause == .archiveMissing ? .missingInput : .badData }
}
