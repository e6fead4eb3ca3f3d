/// Something odd about a run of a report that may well be meant: its answer is
/// likely empty, or not what was asked for.
public struct ReportWarning: Sendable, Hashable, CustomStringConvertible {
    /// What is odd, as a phrase without a full stop.
    public var what: String
    /// What to do about it.
    public var hint: String

    public var description: String { "warning: \(what)\nhint: \(hint)" }
}
