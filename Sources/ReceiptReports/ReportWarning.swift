/// Something about a report's run that is odd but may be intended: the answer is likely empty, or answers another
/// question.
package struct ReportWarning: Sendable, Hashable, CustomStringConvertible {
    /// A phrase without a full stop that states what is odd.
    package var message: String
    /// What the user can do about it.
    package var hint: String
    /// Whether the report's output contains the warning, too, so that a nightly run need not repeat it.
    package var isInOutput = false

    package var description: String { "warning: \(message)\nhint: \(hint)" }
}
