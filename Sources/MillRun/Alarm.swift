package import MillSystem

/// Something that the pipeline file asks to be reported.
package struct Alarm: Sendable, Hashable {
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        case reportHasRows = "report_has_rows"
        case tooManyRejected = "too_many_rejected"
        case tooManyUntrusted = "too_many_untrusted"
        case archiveMissing = "archive_missing"
        case unexpectedEnvironment = "unexpected_environment"
        case clockJumped = "clock_jumped"
    }

    package let cause: Cause
    /// What is wrong, as a phrase without a full stop.
    package let what: String
    /// What to do about it.
    package let hint: String

    /// What the run ends with where nothing worse has happened.
    package var exitStatus: ExitStatus { cause == .archiveMissing ? .missingInput : .badData }
}
