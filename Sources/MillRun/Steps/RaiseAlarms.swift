internal import DatabaseCare
internal import Foundation
internal import GRDB
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptReports
internal import ReceiptWarehouse

/// Reviews loaded lines for alarms. Lines of former runs that were killed or stopped before their review are reviewed
/// together with this run's lines. A report that fails hides no other alarm.
struct RaiseAlarms: RunStep {
    let pipeline: Pipeline

    /// - Throws: ``MillError`` where the database can't be read, after every other review is done; the next run makes
    ///   up for the missing reviews.
    func run(in context: RunContext) throws(MillError) {
        var unreviewed: MillError?
        func raise(_ review: () throws(MillError) -> [Alarm]) throws(MillError) {
            do throws(MillError) {
                for alarm in try review() {
                    context.summary.alarms.append(alarm)
                    context.report(.alarm(alarm))
                }
            } catch {
                if context.stop.explains(error) { throw error }
                guard unreviewed == nil else { return context.report(.failed(error)) }
                unreviewed = error
            }
        }
        let clock = context.clock
        try raise { () throws(MillError) in clock?.jump.map { [clockJumped($0)] } ?? [] }
        for order in pipeline.alarms.reportsWithoutRows {
            do throws(MillError) {
                let alarms = try alarms(on: order, context)
                try raise { () throws(MillError) in alarms }
            } catch {
                if context.stop.explains(error) { throw error }
                context.fail(error)
            }
        }
        try raise { () throws(MillError) in try rejections(context) }
        try raise { () throws(MillError) in context.untrustedAlarm.map { [$0] } ?? [] }
        // Where the clock has gone back, the last arrivals lie in the future, and their age says nothing.
        if let days = pipeline.alarms.missingDays, clock?.isBehind == false {
            for source in pipeline.archives {
                try raise { () throws(MillError) in try missing(source, days: days, context.database) }
            }
        }
        if !pipeline.environments.isEmpty { try raise { () throws(MillError) in try environments(context) } }
        if pipeline.alarms.unknownMembers { try raise { () throws(MillError) in try unknownMembers(context) } }
        if let unreviewed { throw unreviewed }
    }

    func plan(in context: RunContext) {
        let alarms = pipeline.alarms
        func add(_ cause: String) { context.plan.add("alarm \(cause)", to: .alarms) }
        for alarm in alarms.reportsWithoutRows { add("if the report \(alarm.name) has rows") }
        if alarms.rejectedShare < 1 { add("if more than \(alarms.rejectedShare) of the lines are rejected") }
        if alarms.untrustedShare < 1 {
            add("if more than \(alarms.untrustedShare) of the lines hold what is not trusted")
        }
        if let days = alarms.missingDays { add("if an archive has not come for \(days) days") }
        if !pipeline.environments.isEmpty {
            add("on environments other than \(pipeline.environments.joined(separator: ", "))")
        }
        if alarms.unknownMembers { add("on members of signed documents that no earlier run had met") }
    }

    private func rejections(_ context: RunContext) throws(MillError) -> [Alarm] {
        let (summary, earlier) = (context.summary, try context.database.runs.unreviewed())
        let share = summary.rejectedShare(withEarlier: earlier.rejected, of: earlier.lines)
        guard share > pipeline.alarms.rejectedShare else { return [] }
        let ofLines = summary.rejectedShareOfLines(withEarlier: earlier.rejected, of: earlier.lines)
        let archives = ReviewedArchive.named(
            try ReviewedArchive.all(of: summary, context.database).map { ($0.name, $0.rejectedDocuments) })
        return [
            Alarm(
                cause: .tooManyRejected,
                message: String(
                    format: "%.4f of the %@ were rejected, more than rejected_share %g allows",
                    share, share > ofLines ? "documents" : "lines", pipeline.alarms.rejectedShare) + archives,
                hint: "SELECT reason, count(*), min(detail) FROM rejections GROUP BY reason; "
                    + "where keys have changed, correct `lines` and receiptmill run --retry")
        ]
    }

    private func unknownMembers(_ context: RunContext) throws(MillError) -> [Alarm] {
        let last = try context.database.runs.unreviewed().lastReceipt
        let members = try context.database.access { db in
            try Row.fetchAll(
                db,
                sql: """
                    WITH stated AS (
                        SELECT kind, unknown_set_id, min(receipt_id) AS first_id
                        FROM receipt
                        WHERE unknown_set_id IS NOT NULL
                        GROUP BY unknown_set_id, kind
                    )
                    SELECT kind, path, value_type
                    FROM stated
                    JOIN unknown_set_member USING (unknown_set_id)
                    GROUP BY kind, path, value_type
                    HAVING min(first_id) > coalesce(?, (SELECT last_receipt FROM run WHERE run_id = ?))
                    """,
                arguments: [last, context.record?.id]
            ).map { "\($0[1] as String) (\($0[2] as String)) in \($0[0] as String)" }
        }
        guard !members.isEmpty else { return [] }
        let shown = members.prefix(Self.shownMembers).joined(separator: ", ")
        let more = members.count > Self.shownMembers ? ", and \(members.count - Self.shownMembers) more" : ""
        return [
            Alarm(
                cause: .unknownMembers,
                message: "signed documents have members or values that this version does not know: \(shown)\(more)",
                hint: "SELECT * FROM unknown_members; a newer version of receiptmill may know them")
        ]
    }

    /// How many unknown members the message of an alarm names.
    private static let shownMembers = 5

    private func environments(_ context: RunContext) throws(MillError) -> [Alarm] {
        let last = try context.database.runs.unreviewed().lastReceipt
        let counts = try context.database.access { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT environment, count(*) FROM receipt JOIN app USING (app_id)
                    WHERE receipt_id > coalesce(?, (SELECT last_receipt FROM run WHERE run_id = ?))
                        AND verdict = 'trusted' GROUP BY environment ORDER BY environment
                    """,
                arguments: [last, context.record?.id]
            ).map { (environment: $0[0] as String, count: $0[1] as Int) }
        }
        // Names are compared by their bytes: `String` takes different texts for equal, and takes long for some of them.
        let expected = pipeline.environments
        let unexpected = counts.filter { row in !expected.contains { $0.utf8.elementsEqual(row.environment.utf8) } }
        return unexpected.map { environment, count in
            Alarm(
                cause: .unexpectedEnvironment,
                message: "\(count) new trusted receipts of the environment '\(environment)', which is not expected",
                hint: "SELECT * FROM receipts WHERE environment = '\(environment)' AND verdict = 'trusted'")
        }
    }

    private func alarms(
        on order: Alarms.ReportWithoutRows, _ context: RunContext
    ) throws(MillError) -> [Alarm] {
        let rows: Int
        do {
            rows = try context.writeReport(order.name, order.parameters, of: pipeline, as: .csv, to: { _ in })
        } catch {
            throw MillError(error, at: .reporting, path: pipeline.database)
        }
        guard rows > 0 else { return [] }
        let found = rows == 1 ? "1 row" : "\(rows) rows"
        return [
            Alarm(
                cause: .reportHasRows, message: "the report \(order.name) has \(found) and must have none",
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
        let lastWords = found.map { "; the last was \($0.name), \(date($0.time))" } ?? "; none ever came"
        return [
            Alarm(
                cause: .archiveMissing, message: "no archive of \(source.path) has come for \(days) days\(lastWords)",
                hint: "ask who should have delivered it")
        ]
    }

    private func clockJumped(_ jump: (before: Int64, after: Int64)) -> Alarm {
        Alarm(
            cause: .clockJumped,
            message:
                "the clock jumped: a run began at \(date(jump.before)), and the next at \(date(jump.after)), more than "
                + "\(pipeline.alarms.clockJumpDays) days apart; nothing was deleted by its age",
            hint: "set the clock if it is wrong (timedatectl); if it is right, the next run deletes what is due")
    }

    /// - Parameter milliseconds: milliseconds since 1970.
    private func date(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).ISO8601Format()
    }
}
