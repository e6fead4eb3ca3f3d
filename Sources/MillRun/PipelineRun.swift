internal import DatabaseCare
package import MillConfiguration
package import MillSystem

/// The run of a pipeline file, which a timer starts every night.
package struct PipelineRun: Sendable, SteppedRun {
    package let pipeline: Pipeline
    /// A cancelled flag ends the run after the batches that are in flight.
    package var stop = CancellationFlag()
    /// How long the run waits for another run that holds the database; nil does not wait.
    package var maximumWait: Duration?
    /// Whether lines of open rejections are read again after the archives: lines that the database keeps, and further
    /// rejected lines of archives that the run finds.
    package var retriesRejectedLines = false
    /// Whether archives that were moved and that the database does not know are loaded again.
    package var reloadsMoved = false
    /// Whether a person confirms that the clock is right, so that runs delete expired rows and files again.
    package var confirmsClock = false
    /// Whether models are refreshed after the load.
    package var refreshes = true
    /// Whether disk space is checked before anything is loaded.
    package var checksDiskSpace = true

    package init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    func resolvedConfiguration() throws(MillError) -> LoadConfiguration {
        var configuration = try LoadConfiguration(pipeline)
        (configuration.stop, configuration.maximumWait) = (stop, maximumWait)
        (configuration.refreshes, configuration.checksDiskSpace) = (refreshes, checksDiskSpace)
        return configuration
    }

    var identity: IdentityFile? { IdentityFile(of: pipeline.database) }
    var journal: RunJournal { RunJournal(database: pipeline.database, metrics: pipeline.metrics, pipeline: pipeline) }

    var steps: [any RunStep] {
        let identity = IdentityFile(of: pipeline.database)
        let comparison = CompareDatabase(pipeline: pipeline, identity: identity, reloadsMoved: reloadsMoved)
        let load = LoadArchives(
            retriesRejectedLines: retriesRejectedLines, untrustedShare: pipeline.untrustedShareOfDeleted)
        return [
            PutBackLeftovers(sources: pipeline.archives + pipeline.storeReports),
            BeginRun(reviewsAlarms: true, confirmsClock: confirmsClock),
            comparison,
            SaveSettings(pipeline: pipeline),
            FindArchives(sources: pipeline.archives),
            TimedSteps(steps: load.withFollowingSteps),
            CompareReloaded(comparison: comparison),
            StoppableSteps(steps: [
                LoadStoreReports(sources: pipeline.storeReports),
                CountUntrusted(share: pipeline.alarms.untrustedShare),
                RemoveOldSubmissions(days: pipeline.retentionDays),
                RefreshModels(),
                ReportingSteps(steps: [
                    WriteReports(pipeline: pipeline), WriteDashboard(pipeline: pipeline),
                    RaiseAlarms(pipeline: pipeline),
                ]),
            ]),
            EmptyLog(),
            RememberIdentity(identity: identity),
            DisposeOfArchives(pipeline: pipeline),
        ]
    }

    /// - Throws: ``MillError`` if the run can't continue. Faults of single archives and reports are in the summary.
    package func run(onEvent: @escaping (RunEvent) -> Void = { _ in }) throws(MillError) -> RunSummary {
        try perform(onEvent)
    }

    /// Makes the checks that precede a load, and lists what a run would do. Nothing is written and no other run is
    /// disturbed.
    ///
    /// - Throws: ``MillError`` if a run could not begin.
    package func plan() throws(MillError) -> RunPlan { try examine() }
}
