internal import GRDB
internal import MillDatabase
internal import ReceiptWarehouse

/// A run as stated in its row.
package struct RecordedRun: Sendable, Hashable {
    package let id: Int64
    /// Milliseconds since 1970, like the end.
    package let startedAt: Int64
    package private(set) var endedAt: Int64?
    package private(set) var outcome: String
    package private(set) var exitStatus: Int?
    package private(set) var reason: String?
    package private(set) var advice: String?
    package private(set) var faults: Int
    package let lines: Int
    package let rejected: Int

    /// The newest run that meets a condition; nil if there is none.
    init?(where condition: String, _ db: Database) throws {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT run_id, started_at, ended_at, outcome, exit_status, reason, advice, faults, lines, rejected
                FROM run WHERE \(condition) ORDER BY run_id DESC LIMIT 1
                """)
        guard let row else { return nil }
        (id, startedAt, endedAt, outcome) = (row[0], row[1], row[2], row[3])
        (exitStatus, reason, advice, faults) = (row[4], row[5], row[6], row[7])
        (lines, rejected) = (row[8], row[9])
    }

    /// The run with the end that a note states, because the run could not write it into its row.
    func ended(by note: FailureNote) -> RecordedRun {
        guard note.run == id, outcome == RunOutcome.running.rawValue else { return self }
        var run = self
        (run.endedAt, run.outcome) = (note.failedAt, RunOutcome.failed.rawValue)
        (run.exitStatus, run.reason) = (Int(note.exitStatus), note.reason)
        (run.advice, run.faults) = (note.advice, note.faults)
        return run
    }
}

/// How much of an archive a run loaded.
package struct RecordedArchive: Sendable, Hashable {
    package let name: String
    package let lines: Int
    package let rejected: Int
    /// Lines with a document that is not trusted; nil if the run ended before it counted them.
    package let untrusted: Int?
    /// Whether every line of the archive is loaded; nil if the archive was retracted since.
    package let isComplete: Bool?
    /// Lines about purchases of other stores.
    package let otherStores: Int

    /// The archives of a run, those that were not read to their end first.
    ///
    /// - Parameter limit: the maximum number of archives.
    static func all(of run: RecordedRun, limit: Int, _ db: Database) throws -> [RecordedArchive] {
        try Row.fetchAll(
            db, sql: Database.sql(ofFile: "care/archives_of_run.sql"),
            arguments: [
                "run": run.id, "begin": run.startedAt, "end": run.endedAt ?? Int64.max, "limit": limit,
            ]
        ).map(RecordedArchive.init)
    }

    private init(_ row: Row) {
        (name, lines, rejected, untrusted, isComplete, otherStores) = (row[0], row[1], row[2], row[3], row[4], row[5])
    }
}
