package import GRDB
internal import MillDatabase
internal import MillSystem
internal import Synchronization

/// A database opened for one report or for many, which then all see one state; a
/// newer one from where a failure of SQLite's has ended it.
package final class ReportSession: Sendable {
    package let path: String
    /// The one on which reports run comes first; a second is there for shared
    /// views, which are looked for on both.
    private let databases: [ReadOnlyDatabase]
    /// For shared views, where reports read them.
    package let snapshots: SnapshotConnections?
    /// The shared views that are found, on the first connection alone; others are read as they are kept.
    let foundViews: Set<SharedView>
    /// Of these, those that have not been found yet.
    private let unfound: Mutex<Set<SharedView>>

    /// A session for any reports.
    ///
    /// - Parameter path: the database; what is opened stays open for reading only.
    /// - Throws: ``MillError`` if the database can't be read.
    package convenience init(database path: String) throws {
        try self.init(database: path, finding: Set(SharedView.allCases))
    }

    /// A session for one run of a report and nothing else.
    ///
    /// - Throws: ``MillError``, that the report took too long among others.
    package convenience init(database path: String, for run: ReportRun) throws {
        let scope = run.scope
        let isShared = scope == nil && run.clock == nil && run.report.sharedViews.contains(.signals)
        try self.init(database: path, finding: isShared ? run.report.sharedViews : [])
        guard let scope else { return }
        try run.report.query(on: [queue], of: path, timeoutSeconds: run.timeoutSeconds) {
            try queue.inDatabase(scope.narrow)
        }
    }

    /// - Parameter views: shared views to be found; without any, one connection does.
    private init(database path: String, finding views: Set<SharedView>) throws {
        self.path = path
        snapshots = views.isEmpty ? nil : try SnapshotConnections(path: path)
        let databases = try snapshots?.databases ?? [ReadOnlyDatabase(path: path)]
        self.databases = databases
        foundViews = views
        unfound = Mutex(foundViews)
    }

    package var queue: DatabaseQueue { databases[0].queue }

    /// Finds shared views, those that were not found yet.
    ///
    /// - Parameters:
    ///   - report: one that reads them, for messages.
    ///   - timeoutSeconds: how long it may take; nil for as long as it takes.
    /// - Throws: ``MillError``, that it took too long among others.
    package func find(_ views: Set<SharedView>, for report: Report, timeoutSeconds: Double?) throws {
        try resume()
        guard let snapshots else { return }
        let wanted = unfound.withLock { $0.intersection(views) }
        guard !wanted.isEmpty else { return }
        try report.query(on: databases.map(\.queue), of: path, timeoutSeconds: timeoutSeconds) {
            try ViewMaterializer(connections: snapshots, views: wanted).run()
        }
        unfound.withLock { $0.subtract(wanted) }
    }

    /// Sees one state again, where SQLite has ended a transaction: a write that is
    /// interrupted takes it along, as does a query that runs out of disk or memory.
    /// Views that were found within it are gone.
    package func resume() throws {
        guard let snapshots, !snapshots.isWhole else { return }
        unfound.withLock { $0 = foundViews }
        try ReadOnlyDatabase.explaining(path: path) { try snapshots.resume() }
    }
}

extension Report {
    /// Does a query's work, and interrupts it when its time is up.
    ///
    /// - Parameter explain: what a failure of SQLite means; where nil, what it means of
    ///   the database.
    func query<Result>(
        on queues: [DatabaseQueue], of path: String, timeoutSeconds: Double?,
        explain: ((DatabaseError) -> MillError)? = nil, _ work: () throws -> Result
    ) throws -> Result {
        do {
            guard let timeoutSeconds else { return try work() }
            let start = ContinuousClock.now
            let result = try Interruption.during(queues, after: timeoutSeconds, work)
            // Should every interrupt have been lost.
            if .now - start > .seconds(timeoutSeconds) { throw overdue(timeoutSeconds) }
            return result
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_INTERRUPT, let timeoutSeconds { throw overdue(timeoutSeconds) }
            throw explain?(error) ?? ReadOnlyDatabase.explained(error, path: path)
        }
    }

    fileprivate func overdue(_ seconds: Double) -> MillError {
        MillError(
            stage: .reporting, path: origin.path, what: "the query took more than \(seconds) s and was stopped",
            hint: "ask for less with --param, or allow more with --timeout", exitStatus: .tryLater)
    }
}
