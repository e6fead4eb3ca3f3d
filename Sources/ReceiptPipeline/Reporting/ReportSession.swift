internal import GRDB

/// A database opened for one report or for many, which then all see one state.
public final class ReportSession {
    let path: String
    /// The one on which reports run comes first; a second is there for signals of
    /// fraud, which are looked for on both.
    private let databases: [ReportDatabase]
    private let twins: TwinConnections?
    /// Views that are worth finding once, and have not been yet.
    private var unfound: Set<SharedView>

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
        unfound = report == nil ? Set(views) : [.signals]
    }

    var queue: DatabaseQueue { databases[0].queue }

    /// What stops whatever the session does when the time is up.
    func limit(seconds: Double?) -> QueryTimeLimit? {
        seconds.map { QueryTimeLimit(seconds: $0, on: databases.map(\.queue)) }
    }

    /// Finds the shared views that a report reads, unless that is done.
    func prepare(for report: Report, limit: QueryTimeLimit?) throws {
        for view in report.sharedViews where unfound.contains(view) {
            try limited(by: limit, for: report, path: path) {
                if view == .signals, let twins {
                    try SignalSearch(connections: twins).run()
                } else {
                    try queue.inDatabase(view.find)
                }
            }
            unfound.remove(view)
        }
    }
}

/// Does what a report needs on a database.
///
/// - Throws: ``MillError`` for what SQLite fails with.
func limited(by limit: QueryTimeLimit?, for report: Report, path: String, _ work: () throws -> Void) throws {
    do {
        try work()
    } catch let error as DatabaseError {
        if error.resultCode == .SQLITE_INTERRUPT, let limit { throw limit.exceeded(by: report) }
        throw ReportDatabase.explained(error, path: path)
    }
}
