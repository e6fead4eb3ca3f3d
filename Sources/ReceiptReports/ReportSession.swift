package import GRDB
internal import MillDatabase
internal import Synchronization

/// A database opened for one report or for many, which then all see one state; a
/// newer one from where a failure of SQLite's has ended it.
package final class ReportSession: Sendable {
    package let path: String
    /// The one on which reports run comes first; a second is there for shared
    /// views, which are looked for on both.
    private let databases: [ReadOnlyDatabase]
    /// For shared views, where reports read them.
    package let twins: SnapshotConnections?
    /// Views that are worth finding once, and have not been yet.
    private let unfound: Mutex<Set<SharedView>>

    /// A session for any reports.
    ///
    /// - Parameter path: the database, opened for reading only.
    /// - Throws: ``MillError`` if the database can't be read.
    package init(database path: String) throws {
        self.path = path
        let twins = try SnapshotConnections(path: path)
        (self.twins, databases) = (twins, twins.databases)
        unfound = Mutex(Set(SharedView.allCases))
    }

    /// A session for one run of a report and nothing else.
    ///
    /// - Throws: ``MillError``, that the report took too long among others.
    package init(database path: String, for run: ReportRun) throws {
        self.path = path
        let surroundings = run.surroundings
        if surroundings == nil, run.report.sharedViews.contains(.signals) {
            let twins = try SnapshotConnections(path: path)
            (self.twins, databases) = (twins, twins.databases)
            unfound = Mutex(run.report.sharedViews)
        } else {
            (twins, databases) = (nil, [try ReadOnlyDatabase(path: path)])
            unfound = Mutex([])
        }
        guard let surroundings else { return }
        try query(on: [queue], for: run.report, timeoutSeconds: run.timeoutSeconds) {
            try queue.inDatabase(surroundings.narrow)
        }
    }

    package var queue: DatabaseQueue { databases[0].queue }

    /// Finds shared views that a report reads, those that were not found yet.
    package func prepare(for report: Report, timeoutSeconds: Double?) throws {
        try find(report.sharedViews, for: report, timeoutSeconds: timeoutSeconds)
    }

    /// Finds shared views, those that were not found yet.
    ///
    /// - Parameters:
    ///   - report: one that reads them, for messages.
    ///   - timeoutSeconds: how long it may take; nil for as long as it takes.
    /// - Throws: ``MillError``, that it took too long among others.
    package func find(_ views: Set<SharedView>, for report: Report, timeoutSeconds: Double?) throws {
        try resume()
        guard let twins else { return }
        let wanted = unfound.withLock { $0.intersection(views) }
        guard !wanted.isEmpty else { return }
        try query(on: databases.map(\.queue), for: report, timeoutSeconds: timeoutSeconds) {
            try ViewMaterializer(connections: twins, views: wanted).run()
        }
        unfound.withLock { $0.subtract(wanted) }
    }

    /// Sees one state again, where SQLite has ended a transaction: a write that is
    /// interrupted takes it along, as does a query that runs out of disk or memory.
    /// What was found within it is gone.
    package func resume() throws {
        guard let twins, !twins.isWhole else { return }
        unfound.withLock { $0 = Set(SharedView.allCases) }
        do { try twins.resume() } catch let error as DatabaseError {
            throw ReadOnlyDatabase.explained(error, path: path)
        }
    }

    private func query(
        on queues: [DatabaseQueue], for report: Report, timeoutSeconds: Double?, _ work: () throws -> Void
    ) throws {
        let limit = timeoutSeconds.map { QueryTimeLimit(seconds: $0, on: queues) }
        defer { limit?.cancel() }
        do {
            try work()
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_INTERRUPT, let limit { throw limit.exceeded(by: report) }
            throw ReadOnlyDatabase.explained(error, path: path)
        }
        if let limit, limit.isOver { throw limit.exceeded(by: report) }
    }
}
