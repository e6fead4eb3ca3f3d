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
struct RaiseAlarms: PlannedStep {
    let pipeline: Pipeline

    /// - Throws: ``MillError`` if the database can't be read, after every other review is done. The next run then does
    ///   the missing reviews.
    func run(in context: RunContext) throws(MillError) {
        var unreviewed: MillError?
        /// Reviews for one alarm.
        ///
        /// - Parameter condition: the alarm in a plan; nil if a dry run does not state it.
        func raise(_ condition: String?, _ review: () throws(MillError) -> [Alarm]) throws(MillError) {
            guard !context.isDryRun else {
                if let condition { context.plan.add("alarm \(condition)", to: .alarms) }
                return
            }
            do throws(MillError) {
                for alarm in try review() {
                    context.summary.alarms.append(alarm)
                    context.log(
                        .error, "alarm: \(alarm.message)", ["alarm": alarm.cause.rawValue], hint: alarm.hint)
                }
            } catch {
                if context.stop.explains(error) { throw error }
                guard unreviewed == nil else { return context.report(.failed(error)) }
                unreviewed = error
            }
        }
        let (settings, clock) = (pipeline.alarms, context.clock)
        try raise(nil) { () throws(MillError) in
            // If a person has confirmed the clock, the jump is known and raises no alarm.
            clock?.doubt == nil ? [] : clock?.jump.map { [clockJumped($0)] } ?? []
        }
        for order in settings.reportsWithoutRows {
            try raise("if the report \(order.name) has rows") { () throws(MillError) in
                try alarms(on: order, context)
            }
        }
        try raise(conditionOnRejections) { () throws(MillError) in try rejections(context) }
        let share = settings.untrustedShare
        try raise(share < 1 ? "if more than \(share) of the lines hold what is not trusted" : nil) {
            context.untrustedAlarm.map { [$0] } ?? []
        }
        if let days = settings.missingDays {
            try raise("if an archive has not come for \(days) days") { [] }
            // If the clock has gone back, the last arrivals lie in the future, and their age means nothing.
            for source in pipeline.archives where clock?.isBehind == false {
                try raise(nil) { () throws(MillError) in try missing(source, days: days, context.database) }
            }
        }
        if !pipeline.environments.isEmpty {
            let expected = pipeline.environments.joined(separator: ", ")
            try raise("on environments other than \(expected)") { () throws(MillError) in try environments(context) }
        }
        if settings.unknownMembers {
            try raise("on members of signed documents that no earlier run had met") { () throws(MillError) in
                try unknownMembers(context)
            }
        }
        if let unreviewed { throw unreviewed }
    }

    private var conditionOnRejections: String? {
        switch pipeline.alarms.rejectedShare {
        case let share? where share < 1: "if more than \(share) of the lines are rejected"
        case nil:
            "if more than \(AlarmSettings.usualShare) of at least \(AlarmSettings.fewestLines) lines are rejected"
        default: nil
        }
    }

    private func rejections(_ context: RunContext) throws(MillError) -> [Alarm] {
        let (summary, earlier) = (context.summary, try context.database.runs.unreviewed())
        let share = summary.rejectedShare(withEarlier: earlier.rejected, of: earlier.lines)
        let allowed = pipeline.alarms.allowedRejections(of: summary.counts.lines + earlier.lines)
        guard share > allowed else { return [] }
        let ofLines = summary.rejectedShareOfLines(withEarlier: earlier.rejected, of: earlier.lines)
        let archives = ArchiveLoad.named(
            try ArchiveLoad.reviewed(by: summary, context.database).map { ($0.path, $0.rejectedDocuments) })
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
            let fault = MillError(error, at: .reporting, path: pipeline.database)
            if context.stop.explains(fault) { throw fault }
            context.fail(fault)
            return []
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
