internal import MillConfiguration
internal import MillDatabase
package import MillSystem
internal import ReceiptWarehouse

/// The rules by which facts become lines, as docs/operations.md states them.
extension OperatorStatus {
    /// The lines of the screen, in its order.
    package var lines: [StatusLine] {
        [databaseLine] + faultMarkLine + runLines + spools.flatMap(lines(of:)) + waitingLines + careLines + diskLines
    }

    /// The status with which the command ends; nil where all is well.
    package var exitStatus: ExitStatus? {
        if let fault { return fault.exitStatus }
        return lines.contains(where: \.isNeeded) ? .badData : nil
    }

    /// Hours after which a nightly run should have succeeded again.
    static let greatestHours: Int64 = 26
    /// Days after which a backup should have been made again.
    static let greatestBackupDays: Int64 = 2
    /// Days before kept lines are removed for their age at which a person is to look at them.
    static let daysOfWarning: Int64 = 14
    /// Bytes of SQLite's log from which on a reader has kept the log from being emptied.
    static let greatestLog: Int64 = 256 << 20
    /// How many archives the screen names.
    static let namedArchives = 5
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour

    private func command(_ words: String...) -> String { ShellWords.line(words + ["--database", database]) }
    private func sqlite(_ query: String) -> String {
        "sqlite3 \(ShellWords.quoted(database)) \(ShellWords.quoted(query))"
    }
    private func ago(_ time: Int64) -> String { Wording.ago(readAt - time) }
    /// Whether nobody changes the database now, so that what is unfinished stays so.
    private var isIdle: Bool { holder == nil }

    // MARK: The database

    private var databaseLine: StatusLine {
        guard let fault else {
            return StatusLine(
                .database, "\(database), \(Wording.bytes(databaseBytes)), log \(Wording.bytes(logBytes))")
        }
        var text = fault
        text.hint = nil
        if let pipeline, pipeline.createsDatabase, fault.code == .missingInput, !isGone {
            return StatusLine(.database, "\(database): none yet", isNeeded: true, next: pipeline.runCommand)
        }
        let isDamaged = fault.code == .databaseDamaged
        return StatusLine(
            .database, text.description, isNeeded: true,
            next: isDamaged ? pipeline?.hintOnDamage ?? fault.hint : fault.hint)
    }

    private var faultMarkLine: [StatusLine] {
        guard hasFaultMark else { return [] }
        return [
            StatusLine(
                .fault, "a run has met damage of the database or of its disk; no archive was given away since",
                isNeeded: true, next: command("check"))
        ]
    }

    // MARK: Runs

    private var runLines: [StatusLine] {
        var lines: [StatusLine] = []
        if let holder {
            let progress = standing?.currentRun.map { ", \($0.lines) lines so far, \($0.rejected) rejected" } ?? ""
            lines.append(StatusLine(.run, holder + progress))
        }
        guard let standing else { return lines }
        // The row of a killed run says so itself, unless the run was killed before it had one.
        if let killedAt, standing.lastRun?.outcome != RunOutcome.running.rawValue {
            lines.append(
                StatusLine(
                    .run,
                    "no: a run, or another command that changes the database, was killed; it began \(ago(killedAt))",
                    isNeeded: true, next: pipeline?.runCommand ?? "the next load goes on where it stopped"))
        }
        guard let last = standing.lastRun else {
            return lines + [
                StatusLine(
                    .lastRun, "none yet", isNeeded: isIdle, next: pipeline?.runCommand ?? command("ingest", "ARCHIVE"))
            ]
        }
        return lines + [lastRunLine(last)] + successLine(standing.lastSuccess, last) + archiveLines(standing, last)
    }

    private func lastRunLine(_ run: RecordedRun) -> StatusLine {
        let outcome = RunOutcome(rawValue: run.outcome)
        // The row of a killed run is marked by the next one.
        let wasKilled = outcome == .running || outcome == .interrupted
        let word = wasKilled ? "killed" : run.outcome
        let end = run.endedAt.map { ", ended \(ago($0))" } ?? ", began \(ago(run.startedAt))"
        let more = run.faults > 1 ? " (and \(run.faults - 1) more)" : ""
        let reason = run.reason.map { ": \($0)\(more)" } ?? ""
        let again = pipeline.map { "; then \($0.runCommand)" } ?? ""
        let next: String? =
            switch outcome {
            case .done, nil: nil
            case .running, .interrupted: (pipeline?.runCommand ?? "the next load") + " goes on where it stopped"
            case .stopped: (pipeline?.runCommand ?? "the next load") + " goes on where it stopped"
            case .alarm: run.advice
            case .incomplete, .failed: run.advice.map { $0 + again } ?? pipeline?.runCommand
            }
        // While another run is at work, it does what the last one left undone.
        let isNeeded = isIdle && outcome != .done && outcome != .stopped
        return StatusLine(
            .lastRun, "\(word)\(end), \(Wording.count(run.lines, "line"))\(reason)", isNeeded: isNeeded, next: next)
    }

    private func successLine(_ success: RecordedRun?, _ last: RecordedRun) -> [StatusLine] {
        let time = success.map { $0.endedAt ?? $0.startedAt }
        // Only a pipeline file's runs are expected every night.
        let since = time ?? standing?.firstRunAt ?? last.startedAt
        let isLate = pipeline != nil && isIdle && readAt - since > Self.greatestHours * Self.hour
        if success?.id == last.id, !isLate { return [] }
        let text = time.map { "\(Wording.date($0)), \(ago($0))" } ?? "never"
        return [
            StatusLine(
                .lastSuccess, text, isNeeded: isLate,
                next: isLate ? "systemctl list-timers receiptmill.timer; \(pipeline?.runCommand ?? "")" : nil)
        ]
    }

    private func archiveLines(_ standing: DatabaseStanding, _ last: RecordedRun) -> [StatusLine] {
        let archives = standing.archives
        guard !archives.isEmpty else { return [] }
        let alarms = pipeline?.alarms ?? Alarms()
        let odd = archives.filter { $0.isOdd(by: alarms) }
        let more = archives.count > Self.namedArchives ? ["\(archives.count - Self.namedArchives) more"] : []
        let isCut = archives.count >= DatabaseStanding.greatestArchives
        return [
            StatusLine(
                .archives,
                "\(Wording.count(archives.count, "archive"))\(isCut ? " or more" : "") of the last run"
                    + (odd.isEmpty ? "" : ", \(odd.count) of them not as they should be"),
                isNeeded: isIdle && !odd.isEmpty,
                next: odd.isEmpty ? nil : nextOf(odd),
                details: archives.prefix(Self.namedArchives).map(\.text) + more)
        ]
    }

    private func nextOf(_ odd: [RecordedArchive]) -> String {
        if odd.contains(where: { $0.isComplete == false }) { return "have the archive delivered again under its name" }
        let alarms = pipeline?.alarms ?? Alarms()
        return odd.contains { $0.hasMoreRejected(than: alarms.rejectedShare) }
            ? sqlite("SELECT archive, reason, count(*), min(detail) FROM rejections GROUP BY 1, 2")
            : sqlite("SELECT verdict, count(*), min(verdict_detail) FROM receipts GROUP BY verdict")
    }

    // MARK: Folders

    private func lines(of spool: SpoolStanding) -> [StatusLine] {
        var lines = spool.faults.map { fault in
            var text = fault
            text.hint = nil
            return StatusLine(.spool, text.description, isNeeded: true, next: fault.hint)
        }
        let waiting = spool.waiting
        let loaded = spool.loaded.files > 0 ? ", \(spool.loaded.files) loaded" : ""
        let age = waiting.since.map { ", the first for \(Wording.duration(readAt - $0))" } ?? ""
        let isMissed = isIdle && spool.missed.files > 0
        let missed =
            isMissed ? "; there when the last run began, and not loaded: \(spool.missed.named)" : ""
        if spool.faults.isEmpty || waiting.files > 0 {
            lines.append(
                StatusLine(
                    .spool,
                    "\(spool.pattern): \(waiting.files) waiting (\(Wording.bytes(waiting.bytes))\(age))\(loaded)\(missed)",
                    isNeeded: isMissed, next: isMissed ? pipeline?.dryRunCommand : nil))
        }
        if let folder = spool.damagedFolder, spool.damaged.files + spool.replaced.files > 0 {
            let isOpen = spool.damaged.files > 0
            let replaced = spool.replaced.files > 0 ? ", \(spool.replaced.files) delivered again since" : ""
            lines.append(
                StatusLine(
                    .damaged,
                    "\(folder): \(spool.damaged.files) damaged" + (isOpen ? " (\(spool.damaged.named))" : "")
                        + replaced, isNeeded: isOpen,
                    next: isOpen
                        ? "have them delivered again, then rm: ls -l \(ShellWords.quoted(folder))"
                        : "rm what is not needed: ls -l \(ShellWords.quoted(folder))"))
        }
        if let folder = spool.movedFolder, spool.unknownMoved.files > 0 {
            let unknown = spool.unknownMoved
            lines.append(
                StatusLine(
                    .moved, "\(folder): \(unknown.files) unknown to the database (\(unknown.named))", isNeeded: isIdle,
                    next: pipeline?.reloadCommand))
        }
        return lines
    }

    // MARK: What waits for a person

    private var waitingLines: [StatusLine] {
        guard let standing else { return [] }
        var lines: [StatusLine] = []
        let open = standing.openRejections
        if open.count.count > 0 {
            lines.append(
                StatusLine(
                    .rejections, "\(open.count.text) open" + since(open.since),
                    next: sqlite(
                        "SELECT archive, reason, count(*), min(detail) FROM rejections WHERE dismissed = 0 GROUP BY 1, 2"
                    )))
        }
        if standing.letters.count.count > 0 { lines.append(letterLine(standing.letters)) }
        if let cases = standing.undecidedCases, cases.count > 0 {
            lines.append(
                StatusLine(
                    .cases, "\(cases.text) without a decision",
                    next: command("report", "fraud-queue", "--param", "kind=all")))
        }
        if standing.unknownMembers > 0 {
            lines.append(
                StatusLine(
                    .unknownMembers,
                    "\(Wording.count(standing.unknownMembers, "member")) of documents that this version does not know",
                    next: sqlite("SELECT * FROM unknown_members")))
        }
        return lines
    }

    private func since(_ time: Int64?) -> String {
        time.map { ", the first for \(Wording.duration(readAt - $0))" } ?? ""
    }

    private func letterLine(_ letters: (count: BoundedCount, since: Int64?)) -> StatusLine {
        let days = Int64(pipeline?.deadLetters?.keepDays ?? DeadLetterSettings.usualDays)
        let left = letters.since.map { days - (readAt - $0) / Self.day } ?? days
        let isNeeded = left < Self.daysOfWarning
        let end = isNeeded ? ", the first goes in \(Wording.count(Int(max(left, 0)), "day"))" : ""
        let file = pipeline?.deadLetters?.file
        return StatusLine(
            .letters, "\(letters.count.text) kept\(since(letters.since))\(end)", isNeeded: isNeeded,
            next: file.map { "zcat \(ShellWords.quoted($0))" }
                ?? sqlite("SELECT * FROM rejections WHERE dismissed = 0 LIMIT 20"))
    }

    // MARK: Care of the database

    private var careLines: [StatusLine] {
        storeLines + storeReportLines + modelLine + backupLine + logLine
    }

    private var storeLines: [StatusLine] {
        var lines = storeFaults.map { fault in
            var text = fault
            text.hint = nil
            return StatusLine(.storeReports, text.description, isNeeded: true, next: fault.hint)
        }
        if let files = standing?.storeFiles, files.files > 0 {
            let rejected = files.rejected > 0 ? ", \(files.rejected) rejected" : ""
            let last = files.lastLoadedAt.map { ", the last loaded \(ago($0))" } ?? ""
            lines.append(
                StatusLine(
                    .storeReports,
                    "\(Wording.count(files.files, "file")), \(Wording.count(files.rows, "row"))\(rejected)\(last)"))
        }
        return lines
    }

    private var modelLine: [StatusLine] {
        guard let standing, let last = standing.lastRun else { return [] }
        guard let models = standing.models else {
            return [
                StatusLine(
                    .models, "never worked out", isNeeded: isIdle && last.lines > 0,
                    next: isIdle ? command("refresh") : nil)
            ]
        }
        let isOutdated = !models.isCurrent
        return [
            StatusLine(
                .models, "worked out \(ago(models.refreshedAt))" + (isOutdated ? ", outdated since" : ""),
                isNeeded: isOutdated && isIdle, next: isOutdated && isIdle ? command("refresh") : nil)
        ]
    }

    private var backupLine: [StatusLine] {
        let limit = Self.greatestBackupDays * Self.day
        let next =
            "\(ShellWords.line(["backup", "FILE", "--keep", "7", "--database", database])) (receiptmill-backup.timer)"
        guard let backup else {
            guard let first = standing?.firstRunAt else { return [] }
            return [StatusLine(.backup, "none that was verified", isNeeded: readAt - first > limit, next: next)]
        }
        let lastRun = standing?.lastRun?.startedAt ?? readAt
        let isOld = readAt - backup.madeAt > limit && lastRun > backup.madeAt
        let place = backup.isInPlace ? "" : ", and not there any more, or another"
        return [
            StatusLine(
                .backup, "verified \(ago(backup.madeAt)), \(Wording.bytes(backup.bytes)): \(backup.path)\(place)",
                isNeeded: isOld, next: isOld ? next : nil)
        ]
    }

    private var logLine: [StatusLine] {
        guard logBytes > Self.greatestLog, isIdle else { return [] }
        return [
            StatusLine(
                .log, "SQLite's log has \(Wording.bytes(logBytes)): a reader keeps it from being emptied",
                isNeeded: true,
                next: "fuser -v \(ShellWords.quoted(database))")
        ]
    }

    private var diskLines: [StatusLine] {
        disks.map { disk in
            let named = disk.folders.joined(separator: ", ")
            return StatusLine(
                .disk,
                "\(Wording.bytes(disk.freeBytes)) free in \(named)"
                    + (disk.isShort ? ", and \(Wording.bytes(disk.neededBytes)) are needed" : ""),
                isNeeded: disk.isShort,
                next: disk.isShort ? "df -h; du -xh \(ShellWords.quoted(disk.folders[0])) | sort -h | tail" : nil)
        }
    }
}

extension RecordedArchive {
    func hasMoreRejected(than share: Double) -> Bool { lines > 0 && Double(rejected) > share * Double(lines) }

    /// Whether the archive was not read to its end, or has more rejected or untrusted lines than alarms allow.
    func isOdd(by alarms: Alarms) -> Bool {
        let read = Double(lines - rejected)
        return isComplete == false || hasMoreRejected(than: alarms.rejectedShare)
            || Double(untrusted ?? 0) > alarms.untrustedShare * read && alarms.untrustedShare < 1
    }

    var text: String {
        let end = isComplete == false ? ", not read to its end" : isComplete == nil ? ", retracted since" : ""
        let untrusted = untrusted.map { ", \($0) untrusted" } ?? ""
        return "\(name): \(Wording.count(lines, "line")), \(rejected) rejected\(untrusted)\(end)"
    }
}
