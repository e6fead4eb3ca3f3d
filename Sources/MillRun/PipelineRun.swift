package import MillConfiguration
package import MillSystem

/// A night's run: what a pipeline file says, done in order.
package struct PipelineRun: Sendable, SteppedRun {
    package let pipeline: Pipeline
    /// Ends the run after the batches at hand when it is cancelled.
    package var stop = CancellationFlag()
    /// How long another run is waited for that holds the database; nil does not wait.
    package var greatestWait: Duration?
    /// Whether rejected lines are read again behind the archives: those that are kept, and others
    /// of the archives that are there.
    package var retriesRejectedLines = false
    /// Whether archives are loaded that were moved and that the database does not know.
    package var reloadsMoved = false
    /// Whether models are worked out behind the load.
    package var refreshes = true
    /// Whether disk space is checked before anything is loaded.
    package var checksDiskSpace = true

    package init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    func resolvedConfiguration() throws(MillError) -> LoadConfiguration {
        var configuration = try LoadConfiguration(pipeline)
        (configuration.stop, configuration.greatestWait) = (stop, greatestWait)
        (configuration.refreshes, configuration.checksDiskSpace) = (refreshes, checksDiskSpace)
        return configuration
    }

    var identity: IdentityFile? { IdentityFile(of: pipeline.database) }
    var journal: RunJournal { RunJournal(database: pipeline.database, metrics: pipeline.metrics) }

    var steps: [any RunStep] {
        let identity = IdentityFile(of: pipeline.database)
        let comparison = CompareDatabase(pipeline: pipeline, identity: identity, reloadsMoved: reloadsMoved)
        let load = LoadArchives(
            retriesRejectedLines: retriesRejectedLines, untrustedShare: pipeline.untrustedShareOfDeleted)
        return [
            PutBackLeftovers(sources: pipeline.archives),
            BeginRun(reviewsAlarms: true),
            comparison,
            SaveSettings(pipeline: pipeline),
            FindArchives(sources: pipeline.archives),
            TimedSteps(steps: load.withWhatFollows),
            CompareReloaded(comparison: comparison),
            StoppableSteps(steps: [
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

    /// - Throws: ``MillError`` where the run can't go on. What went wrong with single archives and reports is in the
    ///   summary.
    package func run(onEvent: @escaping (RunEvent) -> Void = { _ in }) throws(MillError) -> RunSummary {
        try perform(onEvent)
    }

    /// Checks what a run would check before it loads; nothing is written and no other run is disturbed.
    ///
    /// - Throws: ``MillError`` where a run could not begin.
    package func plan() throws(MillError) -> RunPlan { try examine() }
}
