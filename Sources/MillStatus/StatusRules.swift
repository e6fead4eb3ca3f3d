internal import MillConfiguration
internal import MillDatabase
package import MillSystem
internal import ReceiptWarehouse

/// The rules by which facts become lines, as described in docs/operations.md.
extension OperatorStatus {
    /// The lines of the screen, in its order.
    package var lines: [StatusLine] {
        [databaseLine] + writingLine + faultMarkLine + startLine + runLines + spools.flatMap(lines(of:)) + waitingLines
            + careLines + diskLines
    }

    /// The exit status of the command; nil if all is well.
    package var exitStatus: ExitStatus? {
        if let fault { return fault.exitStatus }
        return lines.contains(where: \.isNeeded) ? .badData : nil
    }

    /// The number of hours after which a nightly run should have succeeded again.
    static let maximumHours: Int64 = 26
    /// The number of days before kept lines are deleted because of their age at which a person should examine them.
    static let daysOfWarning: Int64 = 14
    /// The maximum number of archives that the screen names.
    static let namedArchives = 5
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour

    func command(_ words: String...) -> ShellCommand { ShellCommand(words + ["--database", database]) }
    private func sqlite(_ query: String) -> ShellCommand { ShellCommand("sqlite3", database, query) }
    /// The command that runs the pipeline file with the given options; nil without a pipeline file.
    func run(_ options: String...) -> ShellCommand? {
        pipeline.map { ShellCommand(["run"] + options + [$0.file]) }
    }
    func ago(_ time: Int64) -> String { Wording.ago(readAt - time) }
    /// Whether nothing is changing the database now, so that unfinished work remains unfinished.
    private var isIdle: Bool { holder == nil }

    // MARK: The database

    private var databaseLine: StatusLine {
        guard let fault else {
            return StatusLine(
                .database, "\(database), \(Wording.bytes(databaseBytes)), log \(Wording.bytes(logBytes))")
        }
        if let pipeline, pipeline.createsDatabase, fault.code == .missingInput, !isGone, databaseBytes == 0 {
            return StatusLine(.database, "\(database): none yet", isNeeded: true, next: run())
        }
        var line = StatusLine(.database, fault)
        if fault.code == .databaseDamaged, let pipeline { line.advice = pipeline.hintOnDamage }
        if isOlder { line.next = command("migrate") }
        return line
    }

    private var writingLine: [StatusLine] { accessFault.map { [StatusLine(.writing, $0)] } ?? [] }

    private var faultMarkLine: [StatusLine] {
        guard hasFaultMark else { return [] }
        return [
            StatusLine(
                .fault,
                "the database or its disk is damaged, found \(ago(faultMarkedAt ?? readAt)); since then no archive was "
                    + "moved or deleted, and no backup replaced", isNeeded: true, next: command("check"))
        ]
    }

    // MARK: Runs

    /// Whether a run could not begin and no later run has succeeded.
    var hasFailedStart: Bool {
        guard let failure else { return false }
        // If the failed run has a row and the database can be read, the line of the last run shows the failure.
        guard let standing else { return true }
        return failure.run == nil && standing.lastSuccess.map { $0.startedAt < failure.failedAt } ?? true
    }

    private var startLine: [StatusLine] {
        guard hasFailedStart, let failure else { return [] }
        return [
            StatusLine(
                .start, "failed \(ago(failure.failedAt)) with \(failure.exitStatus): \(failure.reason)",
                isNeeded: isIdle, advice: failure.advice, next: fault == nil && accessFault == nil ? run() : nil)
        ]
    }

    private static let goesOn = "the next run goes on where it stopped"

    private var runLines: [StatusLine] {
        var lines: [StatusLine] = []
        if let holder {
            let progress = standing?.currentRun.map { ", \($0.lines) lines so far, \($0.rejected) rejected" } ?? ""
            lines.append(StatusLine(.run, holder + progress))
        }
        guard let standing else { return lines }
        // The row of a killed run states this itself, unless the run was killed before it had a row.
        if let killedAt, standing.lastRun?.outcome != RunOutcome.running.rawValue {
            lines.append(
                StatusLine(
                    .run,
                    "no: a run, or another command that changes the database, was killed; it began \(ago(killedAt))",
                    isNeeded: true, advice: Self.goesOn, next: run()))
        }
        guard let last = standing.lastRun else {
            let advice = pipeline == nil ? "load archives into it (receiptmill ingest)" : nil
            return lines + [StatusLine(.lastRun, "none yet", isNeeded: isIdle, advice: advice, next: run())]
        }
        return lines + [lastRunLine(last)] + successLine(standing.lastSuccess, last) + archiveLines(standing, last)
            + repeatedLine(standing)
    }

    private func lastRunLine(_ run: RecordedRun) -> StatusLine {
        let outcome = RunOutcome(rawValue: run.outcome)
        // The row of a killed run is marked only by the next run.
        let wasKilled = outcome == .running || outcome == .interrupted
        let word = wasKilled ? "killed" : run.outcome
        let end = run.endedAt.map { ", ended \(ago($0))" } ?? ", began \(ago(run.startedAt))"
        let more = run.faults > 1 ? " (and \(run.faults - 1) more)" : ""
        let reason = run.reason.map { ": \($0)\(more)" } ?? ""
        let (advice, next): (String?, ShellCommand?) =
            switch outcome {
            case .done, nil: (nil, nil)
            case .running, .interrupted, .stopped: (Self.goesOn, self.run())
            case .alarm: (run.advice, nil)
            case .incomplete, .failed: (run.advice, self.run())
            }
        // An active run completes what the last one left undone.
        let isNeeded = isIdle && outcome != .done && outcome != .stopped
        return StatusLine(
            .lastRun, "\(word)\(end), \(Wording.count(run.lines, "line"))\(reason)", isNeeded: isNeeded,
            advice: advice, next: next)
    }

    private func successLine(_ success: RecordedRun?, _ last: RecordedRun) -> [StatusLine] {
        let time = success.map { $0.endedAt ?? $0.startedAt }
        // Only runs of a pipeline file are expected every night.
        let since = time ?? standing?.firstRunAt ?? last.startedAt
        let isLate = pipeline != nil && isIdle && isOverdue(since)
        if success?.id == last.id, !isLate { return [] }
        let text = time.map { "\(Wording.date($0)), \(ago($0))" } ?? "never"
        return [
            StatusLine(
                .lastSuccess, text, isNeeded: isLate,
                advice: isLate ? "is the timer on? (systemctl list-timers receiptmill.timer)" : nil,
                next: isLate ? run() : nil)
        ]
    }

    /// Whether a nightly run should have happened since a time.
    private func isOverdue(_ time: Int64) -> Bool { readAt - time > Self.maximumHours * Self.hour }

    private func archiveLines(_ standing: DatabaseStatus, _ last: RecordedRun) -> [StatusLine] {
        let archives = standing.archives
        guard !archives.isEmpty else { return [] }
        let alarms = pipeline?.alarms ?? AlarmSettings()
        let odd = archives.filter { $0.isOdd(by: alarms) }
        let more = archives.count > Self.namedArchives ? ["\(archives.count - Self.namedArchives) more"] : []
        let isCutShort = odd.contains { $0.isComplete == false }
        let isCut = archives.count >= DatabaseStatus.maximumArchives
        let oddWords =
            switch (archives.count, odd.count) {
            case (_, 0): ""
            case (1, _): ", not as it should be"
            case (_, let count): ", \(count) of them not as they should be"
            }
        return [
            StatusLine(
                .archives,
                "\(Wording.count(archives.count, "archive"))\(isCut ? " or more" : "") of the last run"
                    + oddWords,
                isNeeded: isIdle && !odd.isEmpty,
                advice: isCutShort ? "have the archive delivered again under its name" : nil,
                next: odd.isEmpty || isCutShort ? nil : nextOf(odd),
                details: archives.prefix(Self.namedArchives).map(\.text) + more)
        ]
    }

    private func repeatedLine(_ standing: DatabaseStatus) -> [StatusLine] {
        guard let first = standing.repeatedArchives.first else { return [] }
        return [
            StatusLine(
                .repeated,
                "\(Wording.count(standing.repeatedArchives.count, "archive")), of which others of their name hold nearly "
                    + "all submissions",
                isNeeded: true, next: command("retract", first))
        ]
    }

    private func nextOf(_ odd: [RecordedArchive]) -> ShellCommand {
        let alarms = pipeline?.alarms ?? AlarmSettings()
        return odd.contains { $0.hasMoreRejected(by: alarms) }
            ? sqlite("SELECT archive, reason, count(*), min(detail) FROM rejections GROUP BY 1, 2")
            : sqlite("SELECT verdict, count(*), min(verdict_detail) FROM receipts GROUP BY verdict")
    }

    // MARK: Folders

    private func lines(of spool: SpoolStatus) -> [StatusLine] {
        var lines = spool.faults.map { StatusLine(.spool, $0) }
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
                    isNeeded: isMissed, next: isMissed ? run("--dry-run") : nil))
        }
        if let folder = spool.damagedFolder, spool.damaged.files + spool.replaced.files > 0 {
            let isOpen = spool.damaged.files > 0
            let replaced = spool.replaced.files > 0 ? ", \(spool.replaced.files) delivered again since" : ""
            lines.append(
                StatusLine(
                    .damaged,
                    "\(folder): \(spool.damaged.files) damaged" + (isOpen ? " (\(spool.damaged.named))" : "")
                        + replaced, isNeeded: isOpen,
                    advice: isOpen ? "have them delivered again, then remove them" : "remove what is not needed",
                    next: ShellCommand("ls", "-l", folder)))
        }
        if let folder = spool.movedFolder, spool.unknownMoved.files > 0 {
            let unknown = spool.unknownMoved
            lines.append(
                StatusLine(
                    .moved, "\(folder): \(unknown.files) unknown to the database (\(unknown.named))", isNeeded: isIdle,
                    next: run("--reload-moved")))
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
        if let cases = standing.undecidedCases, let signals = standing.newHighSignals, cases.count + signals.count > 0 {
            let new =
                signals.count > 0
                ? ", \(signals.text) new \(signals.count == 1 ? "signal" : "signals") of high severity" : ""
            lines.append(
                StatusLine(
                    .cases, "\(cases.text) without a decision\(new)",
                    next: command("report", "fraud-queue")))
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
            next: file.map { ShellCommand("zcat", $0) }
                ?? sqlite("SELECT * FROM rejections WHERE dismissed = 0 LIMIT 20"))
    }

    // MARK: Care of the database

    private var careLines: [StatusLine] {
        storeLines + storeReportLines + modelLine + backupLine + checkLine + ageLines + logLine
    }

    private var storeLines: [StatusLine] {
        var lines = storeFaults.map { StatusLine(.storeReports, $0) }
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
        // A run may leave the refresh to a later run (--no-refresh), or be stopped before it.
        let isDue = standing.firstRunWithoutModels.map(isOverdue) ?? true
        guard let models = standing.models else {
            return [
                StatusLine(
                    .models, "never refreshed", isNeeded: isIdle && last.lines > 0 && isDue,
                    next: isIdle ? command("refresh") : nil)
            ]
        }
        let (isOutdated, isPartial) = (!models.isCurrent, models.leftOut > 0)
        let outdated = isOutdated ? ", outdated since" : ""
        let currency = standing.currency.map { ", money in \($0)" } ?? ""
        let partial = isPartial ? ", without \(Wording.count(models.leftOut, "row")) that can't be computed" : ""
        return [
            StatusLine(
                .models, "refreshed \(ago(models.refreshedAt))\(currency)\(outdated)\(partial)",
                isNeeded: isPartial || isOutdated && isIdle && isDue,
                next: isOutdated && isIdle ? command("refresh") : isPartial ? command("check") : nil)
        ]
    }

    private var logLine: [StatusLine] {
        guard logBytes > Warehouse.notableLogBytes, isIdle else { return [] }
        return [
            StatusLine(
                .log,
                "SQLite's log has \(Wording.bytes(logBytes)), more than \(Warehouse.notableLogBytes >> 20) MiB: a reader "
                    + "keeps it from being emptied",
                isNeeded: true, next: ShellCommand("fuser", "-v", database))
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
                next: disk.isShort ? ShellCommand("du", "-xhd1", disk.folders[0]) : nil)
        }
    }
}

extension RecordedArchive {
    func hasMoreRejected(by alarms: AlarmSettings) -> Bool {
        lines > 0 && Double(rejected) > alarms.allowedRejections(of: lines) * Double(lines)
    }

    /// Whether the archive was not read to its end, or has more rejected or untrusted lines than alarms allow.
    func isOdd(by alarms: AlarmSettings) -> Bool {
        let read = Double(lines - rejected)
        return isComplete == false || hasMoreRejected(by: alarms)
            || Double(untrusted ?? 0) > alarms.untrustedShare * read && alarms.untrustedShare < 1
    }

    var text: String {
        let end = isComplete == false ? ", not read to its end" : isComplete == nil ? ", retracted since" : ""
        let untrusted = untrusted.map { ", \($0) untrusted" } ?? ""
        let others = otherStores > 0 ? ", \(otherStores) of other stores" : ""
        return "\(name): \(Wording.count(lines, "line")), \(rejected) rejected\(untrusted)\(others)\(end)"
    }
}
