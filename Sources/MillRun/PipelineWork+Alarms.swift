internal import DatabaseCare
internal import Foundation
internal import GRDB
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptReports
internal import ReceiptWarehouse

extension PipelineWork {
    /// Raises the alarms. What runs loaded that were killed or stopped before they came to
    /// this is reviewed together with this run's.
    ///
    /// A report that fails hides no other alarm.
    ///
    /// - Parameters:
    ///   - former: the identifier of the last receipt before this run.
    ///   - clock: the run's.
    ///   - untrusted: lines of archives that hold what is not trusted.
    ///   - session: where reports are run.
    /// - Throws: ``MillError`` where the database can't be read, when the rest has been
    ///   reviewed: the next run reviews what this one could not.
    func review(
        after former: Int64, _ clock: RunClock, _ untrusted: UntrustedLines, _ database: Warehouse,
        _ session: Result<ReportSession, any Error>
    ) throws(MillError) {
        var unreviewed: MillError?
        func raise(_ review: () throws(MillError) -> [Alarm]) throws(MillError) {
            do throws(MillError) {
                for alarm in try review() {
                    summary.alarms.append(alarm)
                    onEvent(.alarm(alarm))
                }
            } catch {
                if stop.explains(error) { throw error }
                guard unreviewed == nil else { return onEvent(.failed(error)) }
                unreviewed = error
            }
        }
        try raise { () throws(MillError) in clock.jump.map { [Self.clockJumped($0, pipeline)] } ?? [] }
        for order in pipeline.alarms.reportsWithoutRows {
            do throws(MillError) {
                let alarms = try alarms(on: order, in: session)
                try raise { () throws(MillError) in alarms }
            } catch {
                if stop.explains(error) { throw error }
                fail(error)
            }
        }
        let ingest = summary.ingest
        try raise { () throws(MillError) in try rejections(of: ingest, database) }
        try raise { () throws(MillError) in untrusted.alarm.map { [$0] } ?? [] }
        // By a clock that went back, all that came has yet to come.
        if let days = pipeline.alarms.missingDays, !clock.isBehind {
            for source in pipeline.archives {
                try raise { () throws(MillError) in
                    try missing(source, days: days, database)
                }
            }
        }
        if !pipeline.environments.isEmpty {
            try raise { () throws(MillError) in try environments(after: former, database) }
        }
        if let unreviewed { throw unreviewed }
    }

    private func rejections(of ingest: IngestSummary, _ database: Warehouse) throws(MillError) -> [Alarm] {
        let earlier = try database.runs.unreviewed()
        let share = ingest.rejectedShare(withEarlier: earlier.rejected, of: earlier.lines)
        guard share > pipeline.alarms.rejectedShare else { return [] }
        let ofLines = ingest.rejectedShareOfLines(withEarlier: earlier.rejected, of: earlier.lines)
        let archives = ReviewedArchive.named(
            try ReviewedArchive.all(of: ingest, database).map { ($0.name, $0.rejectedDocuments) })
        return [
            Alarm(
                cause: .tooManyRejected,
                what: String(
                    format: "%.4f of the %@ were rejected, more than rejected_share %g allows",
                    share, share > ofLines ? "documents" : "lines", pipeline.alarms.rejectedShare) + archives,
                hint: "SELECT reason, count(*), min(detail) FROM rejections GROUP BY reason; "
                    + "where keys have changed, correct `lines` and receiptmill run --retry")
        ]
    }

    private func environments(after former: Int64, _ database: Warehouse) throws(MillError) -> [Alarm] {
        let last = try database.runs.unreviewed().lastReceipt ?? former
        let counts = try database.access { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT environment, count(*) FROM receipt JOIN app USING (app_id)
                    WHERE receipt_id > ? AND verdict = 'trusted' GROUP BY environment ORDER BY environment
                    """,
                arguments: [last]
            ).map { (environment: $0[0] as String, count: $0[1] as Int) }
        }
        // By bytes: `String` takes other texts for the same, and long for some.
        let expected = pipeline.environments
        let unexpected = counts.filter { row in !expected.contains { $0.utf8.elementsEqual(row.environment.utf8) } }
        return unexpected.map { environment, count in
            Alarm(
                cause: .unexpectedEnvironment,
                what: "\(count) new trusted receipts of the environment '\(environment)', which is not expected",
                hint: "SELECT * FROM receipts WHERE environment = '\(environment)' AND verdict = 'trusted'")
        }
    }

    private func alarms(
        on order: Alarms.ReportWithoutRows, in session: Result<ReportSession, any Error>
    ) throws(MillError) -> [Alarm] {
        let rows: Int
        do {
            let today = RelativeTime.today(of: session)
            rows = try pipeline.run(of: order.name, order.parameters, today: today).write(
                in: session.get(), as: .csv, warn: { onEvent(.odd(report: order.name, $0)) }, to: { _ in })
        } catch {
            throw MillError(error, at: .reporting, path: pipeline.database)
        }
        guard rows > 0 else { return [] }
        let found = rows == 1 ? "1 row" : "\(rows) rows"
        return [
            Alarm(
                cause: .reportHasRows, what: "the report \(order.name) has \(found) and must have none",
                hint: pipeline.commandRunning(order.name, order.parameters))
        ]
    }

    private func missing(
        _ source: ArchiveSource, days: Int, _ database: Warehouse
    ) throws(MillError) -> [Alarm] {
        let folders = ArchiveFolders(of: source)
        let found = try database.archives.lastFound(where: { folders.contain(folder: $0, name: $1) })
        // The time counts from the first run where no archive has ever come.
        let last: Int64
        if let found { last = found.time } else { last = try database.runs.first() }
        guard LoadProgress.now - last > Int64(days) * RunClock.millisecondsPerDay else { return [] }
        let lastWords = found.map { "; the last was \($0.name), \(Self.date($0.time))" } ?? "; none ever came"
        return [
            Alarm(
                cause: .archiveMissing, what: "no archive of \(source.path) has come for \(days) days\(lastWords)",
                hint: "ask who should have delivered it")
        ]
    }

    private static func clockJumped(_ jump: (before: Int64, after: Int64), _ pipeline: Pipeline) -> Alarm {
        Alarm(
            cause: .clockJumped,
            what:
                "the clock jumped: a run began at \(date(jump.before)), and the next at \(date(jump.after)), more than "
                + "\(pipeline.alarms.clockJumpDays) days apart; nothing was deleted by its age",
            hint: "set the clock if it is wrong (timedatectl); if it is right, the next run deletes what is due")
    }

    /// - Parameter milliseconds: since 1970.
    private static func date(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).ISO8601Format()
    }
}
