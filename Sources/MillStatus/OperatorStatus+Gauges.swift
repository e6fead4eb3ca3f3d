internal import DatabaseCare
internal import MillDatabase
package import MillSystem

extension OperatorStatus {
    /// Adds the known facts as gauges named `receiptmill_status_…`.
    package func addGauges(to gauges: inout GaugeText) {
        func add(_ name: String, _ help: String, _ value: Int64?) {
            if let value { gauges.add("status_\(name)", help, value: Double(value)) }
        }
        func add(_ name: String, _ help: String, time: Int64?) {
            if let time { gauges.add("status_\(name)_timestamp_seconds", help, value: Double(time) / 1000) }
        }
        if pipeline != nil {
            add("spool_files", "Archives that are not loaded.", Int64(waiting.files))
            add("spool_bytes", "Bytes of archives that are not loaded.", waiting.bytes)
            add("damaged_files", "Archives in damaged_to that did not come again whole.", Int64(damaged.files))
            add("unknown_moved_files", "Files in move_to that the database does not know.", Int64(unknownMoved.files))
        }
        gauges.add(
            "status_free_bytes", "Free disk space, by the first folder of each disk.", "folder",
            disks.map { ($0.folders[0], Int($0.freeBytes)) })
        add("backup", "When the last verified backup was made.", time: backup?.madeAt)
        add("check", "When the last check began.", time: check?.checkedAt)
        add("check_broken", "Invariants that the last check found broken.", check.map { Int64($0.broken.count) })
        guard let standing else { return }
        add("open_rejections", "Rejections that are open, up to 10000.", Int64(standing.openRejections.count.count))
        add(
            "first_open_rejection", "When the first archive with an open rejection was loaded.",
            time: standing.openRejections.since)
        add("dead_letters", "Rejected lines that are kept, up to 10000.", Int64(standing.letters.count.count))
        add("first_dead_letter", "When the first kept line was kept.", time: standing.letters.since)
        add(
            "undecided_cases", "Cases of fraud without a decision, up to 10000.",
            standing.undecidedCases.map { Int64($0.count) })
        add(
            "unknown_members", "Members of signed documents that this version does not know.",
            Int64(standing.unknownMembers))
        add(
            "repeated_archives", "Archives whose submissions nearly all count twice: other archives hold them, too.",
            Int64(standing.repeatedArchives.count))
        add("models", "When the models were refreshed.", time: standing.models?.refreshedAt)
        add("models_outdated", "1: rows or settings have changed since.", standing.models.map { $0.isCurrent ? 0 : 1 })
    }

    /// All gauges: the facts, the last success, and the number of the screen's lines that require a person to act.
    package var gauges: String {
        var gauges = GaugeText()
        gauges.add("status_exit_status", "0: no person is needed.", value: Double(exitStatus?.rawValue ?? 0))
        gauges.add(
            "status_attention", "1: a person is needed for it.", "subject",
            StatusLine.Subject.allCases.map { subject in
                (subject.rawValue, lines.contains { $0.subject == subject && $0.isNeeded } ? 1 : 0)
            })
        if let success = standing?.lastSuccess {
            gauges.add(
                "status_last_success_timestamp_seconds", "When the last run ended that was a success.",
                value: Double(success.endedAt ?? success.startedAt) / 1000)
        }
        gauges.add(
            "status_failed_start", "1: a run could not begin, and no later run succeeded.",
            value: hasFailedStart ? 1 : 0)
        gauges.add("status_run_at_work", "1: a run is at work.", value: holder == nil ? 0 : 1)
        gauges.add("status_database_bytes", "Size of the database.", value: Double(databaseBytes))
        gauges.add("status_log_bytes", "Size of its write-ahead log.", value: Double(logBytes))
        addGauges(to: &gauges)
        return gauges.text
    }
}
