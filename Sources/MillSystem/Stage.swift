/// A step on the way from an archive to an answer. Errors, progress and summaries name the step in
/// question.
package enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Reading turns archives into lines.
    case reading
    /// Verifying turns lines into documents, verdicts and checks.
    case verifying
    /// Loading turns verified lines into rows.
    case loading
    /// Refreshing turns rows into models, the tables that reports read.
    case refreshing
    /// Reporting turns rows into answers.
    case reporting
    /// Configuring turns a pipeline file into the settings of a run.
    case configuring
}
