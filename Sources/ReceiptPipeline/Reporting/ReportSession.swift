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

    /// - Parameters:
    ///   - path: the database, opened for reading only.
    ///   - report: the only report that will run; nil for any.
    /// - Throws: ``MillError`` if the database can't be read.
    public init(database path: String, for report: Report? = nil) throws {
        self.path = path
        let views = report?.sharedViews ?? SharedView.allCases
        if views.contains(.signals) {
            let twins = try TwinConnections(path: path)
            (self.twins, databases) = (twins, twins.databases)
        } else {
            (twins, databases) = (nil, [try ReportDatabase(path: path)])
        }
        unfound = Mutex(report == nil ? Set(views) : [.signals])
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
        let limit = timeoutSeconds.map { QueryTimeLimit(seconds: $0, on: queues) }
        defer { limit?.cancel() }
        do {
            if view == .signals, let twins {
                try SignalSearch(connections: twins).run()
            } else {
                try queue.inDatabase(view.find)
            }
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_INTERRUPT, let limit { throw limit.exceeded(by: report) }
            throw ReportDatabase.explained(error, path: path)
        }
        unfound.withLock { _ = $0.remove(view) }
    }
}
