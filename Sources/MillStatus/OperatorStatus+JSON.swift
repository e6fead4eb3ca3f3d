internal import DatabaseCare
internal import Foundation
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

extension OperatorStatus {
    /// The facts and the lines as a JSON object. Its names and meanings must not change. Times are in ISO 8601, sizes
    /// in bytes; unknown facts are absent.
    package var json: [String: Any] {
        var object: [String: Any] = [
            "read_at": Wording.date(readAt), "exit_status": Int(exitStatus?.rawValue ?? 0),
            "needs_person": exitStatus != nil,
            "lines": lines.map(Self.object),
            "database": Self.object([
                ("path", database), ("bytes", databaseBytes), ("log_bytes", logBytes), ("fault", fault?.what),
                ("code", fault?.code.rawValue), ("fault_mark", hasFaultMark),
            ]),
            "disks": disks.map {
                ["folders": $0.folders, "free_bytes": $0.freeBytes, "needed_bytes": $0.neededBytes] as [String: Any]
            },
        ]
        if let holder { object["at_work"] = holder }
        if let pipeline { object["pipeline"] = pipeline.file }
        if pipeline != nil { object["archives"] = spools.map(Self.object) }
        if let backup {
            object["backup"] = [
                "made_at": Wording.date(backup.madeAt), "lines": backup.lines, "bytes": backup.bytes,
                "path": backup.path, "in_place": backup.isInPlace,
            ]
        }
        if let failure {
            object["failed_start"] = Self.object([
                ("failed_at", Wording.date(failure.failedAt)), ("run_id", failure.run),
                ("exit_status", failure.exitStatus), ("reason", failure.reason), ("advice", failure.advice),
            ])
        }
        if let accessFault { object["not_writable"] = accessFault.what }
        if let check {
            object["check"] =
                [
                    "checked_at": Wording.date(check.checkedAt), "broken": check.broken,
                    "shows_damage": check.showsDamage,
                ] as [String: Any]
        }
        if let clockDoubt {
            object["clock_doubt"] =
                [
                    "before": Wording.date(clockDoubt.before), "after": Wording.date(clockDoubt.after),
                    "days_left": clockDoubt.daysLeft,
                ] as [String: Any]
        }
        if let standing { object.merge(Self.object(standing)) { first, _ in first } }
        if let counts = object["store_reports"] as? [String: Any] {
            object["store_reports"] = counts.merging(storeReportMembers) { first, _ in first }
        }
        return object
    }

    private static func object(_ standing: DatabaseStatus) -> [String: Any] {
        var object = object([
            ("last_run", standing.lastRun.map(Self.object)), ("last_success", standing.lastSuccess.map(Self.object)),
            ("current_run", standing.currentRun.map(Self.object)), ("unknown_members", standing.unknownMembers),
            ("repeated_archives", standing.repeatedArchives.count), ("currency", standing.currency),
            ("undecided_cases", standing.undecidedCases.map(Self.object)),
            ("new_high_signals", standing.newHighSignals.map(Self.object)),
            (
                "models",
                standing.models.map {
                    [
                        "refreshed_at": Wording.date($0.refreshedAt), "outdated": !$0.isCurrent,
                        "rows_left_out": $0.leftOut,
                    ] as [String: Any]
                }
            ),
            (
                "store_reports",
                Self.object([
                    ("files", standing.storeFiles.files), ("rows", standing.storeFiles.rows),
                    ("rejected", standing.storeFiles.rejected),
                    ("last_loaded_at", date(standing.storeFiles.lastLoadedAt)),
                ])
            ),
            (
                "last_archives",
                standing.archives.map {
                    Self.object([
                        ("name", $0.name), ("lines", $0.lines), ("rejected", $0.rejected), ("untrusted", $0.untrusted),
                        ("complete", $0.isComplete), ("other_stores", $0.otherStores),
                    ])
                }
            ),
        ])
        if let aged = standing.aged {
            object["deleted_by_age"] =
                [
                    "run_id": aged.runID, "started_at": Wording.date(aged.startedAt), "submissions": aged.submissions,
                    "kept_lines": aged.letters, "archives": aged.archives,
                ] as [String: Any]
        }
        object["open_rejections"] = Self.object(standing.openRejections.count, since: standing.openRejections.since)
        object["dead_letters"] = Self.object(standing.letters.count, since: standing.letters.since)
        return object
    }

    private static func object(_ count: BoundedCount) -> [String: Any] { object(count, since: nil) }

    private static func object(_ count: BoundedCount, since: Int64?) -> [String: Any] {
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

    private static func object(_ members: [(name: String, value: Any?)]) -> [String: Any] {
        var object: [String: Any] = [:]
        for case (let name, let value?) in members { object[name] = value }
        return object
    }
}
