/// A step between an archive and an answer. Errors, progress and summaries name the step.
package enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Reading converts archives into lines.
    case reading
    /// Verifying converts lines into documents, verdicts and checks.
    case verifying
    /// Loading converts verified lines into rows.
    case loading
    /// Refreshing computes models, the tables that reports read, from rows.
    case refreshing
    /// Reporting computes answers from rows.
    case reporting
    /// Configuring converts a pipeline file into the settings of a run.
    case configuring
}
