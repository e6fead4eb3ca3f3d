internal import GRDB
internal import Synchronization

/// A database opened for one report or for many, which then all see one state.
public final class ReportSession: Sendable {
    let path: String
    /// The one on which reports run comes first; a second is there for signals of
    /// fraud, which are looked for on both.
    private let databases: [ReportDatabase]
    /// Both connections, where there are two.
    let twins: TwinConnections?
    /// Views that are worth finding once, and have not been yet.
    private let unfound: Mutex<Set<SharedView>>

    /// A session for any reports.
    ///
    /// - Parameter path: the database, opened for reading only.
    /// - Throws: ``MillError`` if the database can't be read.
    public init(database path: String) throws {
        self.path = path
        let twins = try TwinConnections(path: path)
        (self.twins, databases) = (twins, twins.databases)
        unfound = Mutex(Set(SharedView.allCases))
    }

    /// A session for one run of a report and nothing else.
    ///
    /// - Throws: ``MillError``, that the report took too long among others.
    init(database path: String, for run: ReportRun) throws {
        self.path = path
        let surroundings = run.surroundings
        if surroundings == nil, run.report.sharedViews.contains(.signals) {
            let twins = try TwinConnections(path: path)
            (self.twins, databases) = (twins, twins.databases)
            unfound = Mutex([.signals])
        } else {
            (twins, databases) = (nil, [try ReportDatabase(path: path)])
            unfound = Mutex([])
        }
        guard let surroundings else { return }
        try query(on: [queue], for: run.report, timeoutSeconds: run.timeoutSeconds) {
            try queue.inDatabase(surroundings.narrow)
        }
    }

    var queue: DatabaseQueue { databases[0].queue }

    /// Finds the shared views that a report reads.
    func prepare(for report: Report, timeoutSeconds: Double?) throws {
        for view in report.sharedViews { try find(view, for: report, timeoutSeconds: timeoutSeconds) }
    }

    /// Finds a view, unless that is done.
    ///
    /// - Parameter timeoutSeconds: how long it may take; nil for as long as it takes.
    /// - Throws: ``MillError``, that the report took too long among others.
    func find(_ view: SharedView, for report: Report, timeoutSeconds: Double?) throws {
        guard unfound.withLock({ $0.contains(view) }) else { return }
        let queues = view == .signals ? databases.map(\.queue) : [queue]
        try query(on: queues, for: report, timeoutSeconds: timeoutSeconds) {
            if view == .signals, let twins {
                try SignalSearch(connections: twins).run()
            } else {
                try queue.inDatabase(view.find)
            }
        }
        unfound.withLock { _ = $0.remove(view) }
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
            throw ReportDatabase.explained(error, path: path)
        }
    }
}
