/// Something odd about a run of a report that may be intended: the answer is likely empty, or an answer to another
/// question.
package struct ReportWarning: Sendable, Hashable, CustomStringConvertible {
    /// A phrase without a full stop that states the odd thing.
    package var message: String
    /// The user's possible action.
    package var hint: String
    /// Whether the output states it, too, so that a nightly run need not repeat it.
    package var isInOutput = false

    package var description: String { "warning: \(message)\nhint: \(hint)" }
}
