internal import DatabaseCare
internal import Foundation
internal import GRDB
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptReports
internal import ReceiptWarehouse

/// Reviews loaded lines for alarms, including lines of earlier runs that were killed or stopped before their review. If
/// a report fails, other alarms are still raised.
struct RaiseAlarms: RunStep {
    let pipeline: Pipeline

    /// - Throws: ``MillError`` if the database can't be read, after every other review is done. The next run then does
    ///   the missing reviews.
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
        try raise { () throws(MillError) in
            // If a person has confirmed the clock, the jump is known and raises no alarm.
            clock?.doubt == nil ? [] : clock?.jump.map { [clockJumped($0)] } ?? []
        }
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
        // If the clock has gone back, the last arrivals lie in the future, and their age means nothing.
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
        switch alarms.rejectedShare {
        case let share? where share < 1: add("if more than \(share) of the lines are rejected")
        case nil:
            add("if more than \(AlarmSettings.usualShare) of at least \(AlarmSettings.fewestLines) lines are rejected")
        default: break
        }
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
        let allowed = pipeline.alarms.allowedRejections(of: summary.counts.lines + earlier.lines)
        guard share > allowed else { return [] }
        let ofLines = summary.rejectedShareOfLines(withEarlier: earlier.rejected, of: earlier.lines)
        let archives = ReviewedArchive.named(
            try ReviewedArchive.all(of: summary, context.database).map { ($0.name, $0.rejectedDocuments) })
        return [
            Alarm(
                cause: .tooManyRejected,
                message: String(
                    format: "%.4f of the %@ were rejected, more than rejected_share %g allows",
                    share, share > ofLines ? "documents" : "lines", allowed) + archives,
                hint: "SELECT reason, count(*), min(detail) FROM rejections GROUP BY reason; "
                    + "where `ignore_keys` or a limit was wrong, correct it and receiptmill run --retry")
        ]
    }

    private func unknownMembers(_ context: RunContext) throws(MillError) -> [Alarm] {
        let members = try new("care/new_unknown_members.sql", context).map { $0[0] as String }
        guard !members.isEmpty else { return [] }
        return [
            Alarm(
                cause: .unknownMembers,
                message: "\(members.count) members or values of signed documents that this version does not know: "
                    + members.prefix(5).joined(separator: ", ")
                    + (members.count > 5 ? " and \(members.count - 5) more" : ""),
                hint: "SELECT * FROM unknown_members; a newer version of receiptmill may know them")
        ]
    }

    private func environments(_ context: RunContext) throws(MillError) -> [Alarm] {
        // Names are compared by their bytes: `String` treats some different texts as equal, and is slow for some of
        // them.
        let unexpected = try new("care/new_environments.sql", context).map { ($0[0] as String, $0[1] as Int) }
            .filter { row in !pipeline.environments.contains { $0.utf8.elementsEqual(row.0.utf8) } }
        return unexpected.map { environment, count in
            Alarm(
                cause: .unexpectedEnvironment,
                message: "\(count) new trusted receipts of the environment '\(environment)', which is not expected",
                hint: "SELECT * FROM receipts WHERE environment = '\(environment)' AND verdict = 'trusted'")
        }
    }

    /// Rows that an SQL file selects from the receipts that no earlier review has covered.
    private func new(_ file: String, _ context: RunContext) throws(MillError) -> [Row] {
        let arguments: StatementArguments = [try context.database.runs.unreviewed().lastReceipt, context.record?.id]
        return try context.database.access {
            try Row.fetchAll($0, sql: Database.sql(ofFile: file), arguments: arguments)
        }
    }

    private func alarms(
        on order: ReportOrder, _ context: RunContext
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
        // If no archive has ever arrived, the time counts from the first run.
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
            hint:
                "set the clock if it is wrong (timedatectl); if it is right, confirm it by "
                + "\(pipeline.confirmClockCommand); otherwise nothing expires until runs have begun on "
                + "\(ClockDoubt.regularDays) more days")
    }

    /// - Parameter milliseconds: milliseconds since 1970.
    private func date(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).ISO8601Format()
    }
}
