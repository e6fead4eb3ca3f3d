internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse
internal import StoreLoading

extension OperatorStatus {
    /// The facts and the lines as a JSON object. Its names and meanings must not change. Times are in ISO 8601, sizes
    /// in bytes; unknown facts are absent.
    package var json: [String: Any] {
        Self.object(
            [
                ("read_at", Wording.date(readAt)), ("exit_status", Int(exitStatus?.rawValue ?? 0)),
                ("needs_person", exitStatus != nil), ("lines", lines.map(Self.object)), ("database", databaseObject),
                ("disks", disks.map(Self.object)), ("at_work", holder), ("pipeline", pipeline?.file),
                ("archives", pipeline.map { _ in spools.map(Self.object) }), ("backup", backup.map(Self.object)),
                ("failed_start", failure.map(Self.object)), ("not_writable", accessFault?.what),
                ("check", check.map(Self.object)), ("clock_doubt", clockDoubt.map(Self.object)),
            ] + (standing.map(members) ?? []))
    }

    private var databaseObject: [String: Any] {
        Self.object([
            ("path", database), ("bytes", databaseBytes), ("log_bytes", logBytes), ("fault", fault?.what),
            ("code", fault?.code.rawValue), ("fault_mark", hasFaultMark),
        ])
    }

    private func members(_ standing: DatabaseStatus) -> Members {
        [
            ("last_run", standing.lastRun.map(Self.object)), ("last_success", standing.lastSuccess.map(Self.object)),
            ("current_run", standing.currentRun.map(Self.object)), ("unknown_members", standing.unknownMembers),
            ("repeated_archives", standing.repeatedArchives.count), ("currency", standing.currency),
            ("undecided_cases", standing.undecidedCases.map { Self.object($0) }),
            ("new_high_signals", standing.newHighSignals.map { Self.object($0) }),
            ("models", standing.models.map(Self.object)), ("store_reports", object(standing.storeFiles)),
            ("last_archives", standing.archives.map(Self.object)), ("deleted_by_age", standing.aged.map(Self.object)),
            ("open_rejections", Self.object(standing.openRejections.count, since: standing.openRejections.since)),
            ("dead_letters", Self.object(standing.letters.count, since: standing.letters.since)),
        ]
    }

    private func object(_ files: StoreFileCounts) -> [String: Any] {
        let same = storeReports?.overlaps.count { $0.kind == .same }
        return Self.object([
            ("files", files.files), ("rows", files.rows), ("rejected", files.rejected),
            ("last_loaded_at", Self.date(files.lastLoadedAt)), ("stated_twice", same),
            ("stated_partly", storeReports.map { $0.overlaps.count - (same ?? 0) }),
            ("damaged", storeReports?.damaged.reduce(0) { $0 + $1.files.files }),
        ])
    }

    private static func object(_ disk: DiskStatus) -> [String: Any] {
        ["folders": disk.folders, "free_bytes": disk.freeBytes, "needed_bytes": disk.neededBytes]
    }

    private static func object(_ backup: BackupNote) -> [String: Any] {
        [
            "made_at": Wording.date(backup.madeAt), "lines": backup.lines, "bytes": backup.bytes, "path": backup.path,
            "in_place": backup.isInPlace,
        ]
    }

    private static func object(_ failure: FailureNote) -> [String: Any] {
        object([
            ("failed_at", date(failure.failedAt)), ("run_id", failure.run), ("exit_status", failure.exitStatus),
            ("reason", failure.reason), ("advice", failure.advice),
        ])
    }

    private static func object(_ check: CheckNote) -> [String: Any] {
        ["checked_at": Wording.date(check.checkedAt), "broken": check.broken, "shows_damage": check.showsDamage]
    }

    private static func object(_ doubt: ClockDoubt) -> [String: Any] {
        ["before": Wording.date(doubt.before), "after": Wording.date(doubt.after), "days_left": doubt.daysLeft]
    }

    private static func object(_ models: ModelState) -> [String: Any] {
        [
            "refreshed_at": Wording.date(models.refreshedAt), "outdated": !models.isCurrent,
            "rows_left_out": models.leftOut,
        ]
    }

    private static func object(_ archive: RecordedArchive) -> [String: Any] {
        object([
            ("name", archive.name), ("lines", archive.lines), ("rejected", archive.rejected),
            ("untrusted", archive.untrusted), ("complete", archive.isComplete), ("other_stores", archive.otherStores),
        ])
    }

    private static func object(_ aged: AgedCounts) -> [String: Any] {
        [
            "run_id": aged.runID, "started_at": Wording.date(aged.startedAt), "submissions": aged.submissions,
            "kept_lines": aged.letters, "archives": aged.archives,
        ]
    }

    private static func object(_ count: BoundedCount, since: Int64? = nil) -> [String: Any] {
        object([("count", count.count), ("is_more", count.isMore), ("since", date(since))])
    }

    private static func object(_ run: RecordedRun) -> [String: Any] {
        object([
            ("run_id", run.id), ("started_at", date(run.startedAt)), ("ended_at", date(run.endedAt)),
            ("outcome", run.outcome), ("exit_status", run.exitStatus), ("reason", run.reason), ("advice", run.advice),
            ("faults", run.faults), ("lines", run.lines), ("rejected", run.rejected),
        ])
    }

    private static func object(_ spool: SpoolStatus) -> [String: Any] {
        object([
            ("path", spool.pattern), ("faults", spool.faults.map(\.description)),
            ("waiting", object(spool.waiting)), ("missed", object(spool.missed)), ("loaded", object(spool.loaded)),
            ("damaged_to", spool.damagedFolder), ("damaged", object(spool.damaged)),
            ("damaged_replaced", object(spool.replaced)), ("move_to", spool.movedFolder),
            ("unknown_moved", object(spool.unknownMoved)),
        ])
    }

    private static func object(_ files: FileCount) -> [String: Any] {
        object([("files", files.files), ("bytes", files.bytes), ("since", date(files.since)), ("names", files.names)])
    }

    private static func object(_ line: StatusLine) -> [String: Any] {
        object([
            ("subject", line.subject.rawValue), ("text", line.text), ("needs_person", line.isNeeded),
            ("advice", line.advice), ("next", line.next?.text), ("details", line.details),
        ])
    }

    private static func date(_ milliseconds: Int64?) -> String? { milliseconds.map(Wording.date) }

    private typealias Members = [(name: String, value: Any?)]

    private static func object(_ members: Members) -> [String: Any] {
        var object: [String: Any] = [:]
        for case (let name, let value?) in members { object[name] = value }
        return object
    }
}
