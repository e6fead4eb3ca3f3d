package import MillSystem

/// Loads archives into a database: `ingest`, and `retry`, which reads only rejected lines.
package struct Ingest: Sendable, SteppedRun, LoadingRun {
    /// Paths of archives; "-" means standard input.
    package var archives: [String]
    /// Whether lines of open rejections are read again after the archives: lines that the database keeps, and further
    /// rejected lines of ``archives``.
    package var retriesRejectedLines = false
    /// Paths of archives that were loaded before. Their rejected lines are read again, unless the database keeps the
    /// lines.
    package var retriedArchives: [String] = []
    package var configuration: LoadConfiguration

    package init(archives: [String], _ configuration: LoadConfiguration) {
        self.archives = archives
        self.configuration = configuration
    }

    package func run(onEvent: @escaping (RunEvent) -> Void = { _ in }) throws(MillError) -> RunSummary {
        try perform(onEvent)
    }

    var leavesNoEmptyDatabase: Bool { true }

    var steps: [any RunStep] {
        let load = LoadArchives(
            retriesRejectedLines: retriesRejectedLines, retriedArchives: retriedArchives)
        return [
            BeginRun(), NameArchives(paths: archives),
            TimedSteps(steps: load.withFollowingSteps + [StoppableSteps(steps: [RefreshModels()])]),
        ]
    }
}
