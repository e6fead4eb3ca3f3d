internal import Foundation
internal import GRDB
package import MillConfiguration
internal import MillDatabase
package import MillSystem
package import ReceiptReports
internal import ReceiptTrust
internal import ReceiptWarehouse

/// A night's run: what a pipeline file says, done in order.
///
/// Load, then move or delete the archives, then write the reports, then raise alarms. A report
/// that fails does not keep the others from being written.
package struct PipelineRun: Sendable {
    package let pipeline: Pipeline
    /// Ends the run after the batches at hand when it is made.
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
    /// Whether disks are asked for room before anything is loaded.
    package var checksRoom = true

    package init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    /// What happens, worth reporting.
    package enum Event: Sendable {
        case ingest(RunEvent)
        case moved(path: String, to: String)
        case deleted(path: String)
        /// An archive that is damaged was moved where those lie.
        case quarantined(path: String, to: String)
        /// An archive was not deleted: rejected lines of it would be lost.
        case kept(path: String, lines: Int)
        /// An archive is not moved or deleted as one that was loaded: it was moved where damaged ones lie, or stays.
        case refused(MillError, to: String?)
        case reportWritten(name: String, output: String, rows: Int)
        case dashboardWritten(output: String)
        /// What a report or an alarm asks for is likely not what was meant.
        case odd(report: String, ReportWarning)
        /// An archive that a killed run took aside does not get its name back.
        case orphaned(path: String, name: String, why: String)
        /// Part of the run failed; the rest goes on.
        case failed(MillError)
        case alarm(Alarm)
        /// The last run's database is gone, and a new one is made, as the pipeline file allows.
        case begunAnew(database: String)
        /// The file that says how the last run left the database is empty, and is written anew.
        case identityLost(path: String)
        /// Archives that lie where they were moved are loaded again.
        case reloading(archives: Int)
        /// So many archives that are loaded stay where they are: a stage met a fault of the database.
        case withheld(archives: Int)
        /// Things that are old were deleted.
        case aged(Aged)
        /// Readers keep SQLite from emptying its log.
        case logHeld(bytes: Int64)
    }

    /// Archives in the order of loading, with what the file says of each.
    package func archives() -> [Archive] {
        pipeline.archives.flatMap { source in
            paths(of: source).map { Archive(path: $0, source: source) }
        }
    }

    package func paths(of source: ArchiveSource) -> [String] { source.paths(outside: foldersOfMoved) }

    /// Folders that match a pattern, and are passed over.
    package func passedOver() -> [String] { pipeline.archives.flatMap { $0.folders(outside: foldersOfMoved) } }

    /// Where archives are moved, as real paths.
    private var foldersOfMoved: Set<String> {
        Set(pipeline.archives.flatMap { [$0.destination, $0.quarantine] }.compactMap(\.self).map(RealPath.of))
    }

    /// An archive, and what the file says of it.
    package struct Archive {
        package let path: String
        package let source: ArchiveSource
    }

    package func ingest(_ archives: [Archive]) throws(MillError) -> Ingest {
        var configuration = try LoadConfiguration(pipeline)
        configuration.stop = stop
        (configuration.greatestWait, configuration.checksRoom) = (greatestWait, checksRoom)
        configuration.refreshes = refreshes
        var ingest = Ingest(archives: [], configuration)
        ingest.take(archives)
        ingest.retriesRejectedLines = retriesRejectedLines
        return ingest
    }

    /// - Throws: ``MillError`` where the run can't go on. What went wrong with
    ///   single archives and reports is in the summary.
    package func run(onEvent: @escaping (Event) -> Void = { _ in }) throws(MillError) -> PipelineSummary {
        try PipelineWork(self, onEvent).run()
    }
}

extension Ingest {
    mutating func take(_ taken: [PipelineRun.Archive]) {
        archives = taken.map(\.path)
        // No one has named what a pattern has found.
        found = Set(taken.filter(\.source.isPattern).map(\.path))
    }
}
