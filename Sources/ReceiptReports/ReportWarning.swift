/// Something odd about a run of a report that may be intended: its answer is likely
/// empty, or not what was asked for.
package struct ReportWarning: Sendable, Hashable, CustomStringConvertible {
    /// What is odd, as a phrase without a full stop.
    package var what: String
    /// What to do about it.
    package var hint: String

    package var description: String { "warning: \(what)\nhint: \(hint)" }
}
