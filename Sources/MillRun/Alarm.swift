/// Something that the pipeline file wants somebody to be told.
public struct Alarm: Sendable, Hashable {
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        case reportHasRows = "report_has_rows"
        case tooManyRejected = "too_many_rejected"
        case archiveMissing = "archive_missing"
        case unexpectedEnvironment = "unexpected_environment"
    }

    public let cause: Cause
    /// What is wrong, as a phrase without a full stop.
    public let what: String
    /// What to do about it.
    public let hint: String

    /// What the run ends with where nothing worse has happened.
    public var exitStatus: ExitStatus { cause == .archiveMissing ? .missingInput : .badData }
}
