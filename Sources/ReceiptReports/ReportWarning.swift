/// Something odd about a run of a report that may be intended: its answer is likely
/// empty, or not what was asked for.
package struct ReportWarning: Sendable, Hashable, CustomStringConvertible {
    /// A phrase without a full stop.
    package var message: String
    /// What a user can do about the odd thing.
    package var hint: String

    package var description: String { "warning: \(message)\nhint: \(hint)" }
}
