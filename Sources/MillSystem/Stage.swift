/// A step on the way from an archive to an answer. Errors, progress and
/// summaries name the step that they speak of.
package enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Archive to lines.
    case reading
    /// Line to receipt, verdict and checks.
    case verifying
    /// Verified lines to rows.
    case loading
    /// Rows to models: tables that reports read.
    case deriving
    /// Rows to answers.
    case reporting
    /// A pipeline file to what a run does.
    case configuring
}
