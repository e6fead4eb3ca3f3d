internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem

/// The rules about backups and checks of the database, and about rows and files that runs delete because of their age.
extension OperatorStatus {
    /// The maximum age of a backup, in days.
    static let maximumBackupDays: Int64 = 2
    /// The maximum age of a check, in days: a week, and one day for the check itself.
    static let maximumCheckDays: Int64 = 8

    // MARK: Backups

    /// Backups made before this time are older than the damage; nil if no damage is known. SQLite's integrity check
    /// proves a copy intact when it is made. Damage that only `check` finds may be as old as the last check that found
    /// none.
    private var damagedSince: Int64? {
        let times = [
            faultMarkedAt, fault?.code == .databaseDamaged ? readAt : nil,
            check.flatMap { $0.showsDamage && $0.broken != [DatabaseCheck.damageName] ? $0.soundAt : nil },
        ]
        return times.compactMap(\.self).min()
    }

    var backupLine: StatusLine? {
        guard let backup else {
            return standing?.firstRunAt.map { first in
                StatusLine(
                    .backup, "none that was verified", isNeeded: isOlder(first, thanDays: Self.maximumBackupDays),
                    advice: "have one made every day (receiptmill backup, or receiptmill-backup.timer)")
            }
        }
        if let damagedSince { return copyLine(backup, before: damagedSince) }
        let lastRun = standing?.lastRun?.startedAt ?? readAt
        let isOld = isOlder(backup.madeAt, thanDays: Self.maximumBackupDays) && lastRun > backup.madeAt
        let place = backup.isInPlace ? "" : ", but no longer there, or replaced by another file"
        return StatusLine(
            .backup, "verified \(ago(backup.madeAt)), \(Wording.bytes(backup.bytes)): \(backup.path)\(place)",
            isNeeded: isOld, advice: isOld ? "is receiptmill-backup.timer on?" : nil,
            next: isOld ? command("backup", backup.path, "--keep", "7") : nil)
    }

    /// States which backup is older than the damage.
    private func copyLine(_ backup: BackupNote, before time: Int64) -> StatusLine {
        guard let copy = backup.newestCopy(madeBefore: time) else {
            return StatusLine(
                .backup,
                "no copy is known to be older than the damage; the last was made \(ago(backup.madeAt)): \(backup.path)",
                isNeeded: true)
        }
        return StatusLine(
            .backup, "the newest copy that is older than the damage was made \(ago(copy.madeAt)): \(copy.path)",
            isNeeded: true, advice: "docs/operations.md, Recovery, says how to restore it")
    }

    // MARK: Checks

    var checkLine: StatusLine? {
        guard let time = check?.checkedAt ?? standing?.firstRunAt else { return nil }
        let broken = check?.broken ?? []
        let isNeeded = !broken.isEmpty || isOlder(time, thanDays: Self.maximumCheckDays)
        let found = broken.isEmpty ? "nothing found" : "found \(broken.joined(separator: ", "))"
        return StatusLine(
            .check, check == nil ? "none yet" : "\(ago(time)), \(found)", isNeeded: isNeeded,
            next: isNeeded ? command("check") : nil)
    }

    // MARK: Expiry

    var agedLine: StatusLine? {
        guard let aged = standing?.aged else { return nil }
        let counts = [
            (aged.submissions, "submission"), (aged.letters, "rejected line"), (aged.archives, "moved archive"),
        ].filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1) }
        return StatusLine(
            .aged, "\(counts.joined(separator: ", ")) deleted by the run that began \(ago(aged.startedAt))")
    }

    var clockLine: StatusLine? {
        guard let clockDoubt else { return nil }
        return StatusLine(
            .clock,
            "jumped: a run began at \(Wording.date(clockDoubt.before)), and the next at "
                + "\(Wording.date(clockDoubt.after)); nothing expires until a person confirms the clock, or "
                + "runs have begun on \(Wording.count(clockDoubt.daysLeft, "more day"))",
            isNeeded: true, next: run("--clock-is-right"))
    }
}

extension Pipeline {
    /// Whether runs of the pipeline file delete anything because of its age.
    var deletesByAge: Bool {
        retentionDays != nil || deadLetters != nil || archives.contains { $0.expiryDays != nil }
    }
}
