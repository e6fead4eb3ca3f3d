internal import DatabaseCare
internal import MillConfiguration
internal import MillDatabase
package import MillSystem
internal import ReceiptWarehouse

/// The rules by which facts become lines, as described in docs/operations.md.
extension OperatorStatus {
    /// The lines of the screen, in its order: those of each rule that applies.
    package var lines: [StatusLine] {
        let rules: [[StatusLine?]] = [
            [databaseLine, accessFault.map { StatusLine(.writing, $0) }, faultMarkLine, startLine, holderLine],
            runLines, spools.flatMap(lines(of:)), waitingLines,
            storeFaults.map { StatusLine(.storeReports, $0) }, [storeFileLine], storeReportLines,
            [modelLine, backupLine, checkLine, agedLine, clockLine, logLine], disks.map(line(of:)),
        ]
        return rules.joined().compactMap(\.self)
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

    func command(_ words: String...) -> ShellCommand { ShellCommand(words + ["--database", database]) }
    private func sqlite(_ query: String) -> ShellCommand { ShellCommand("sqlite3", database, query) }
    /// The command that runs the pipeline file with the given options; nil without a pipeline file.
    func run(_ options: String...) -> ShellCommand? {
        pipeline.map { ShellCommand(["run"] + options + [$0.file]) }
    }
    func ago(_ time: Int64) -> String { Wording.ago(readAt - time) }
    /// Whether nothing is changing the database now, so that unfinished work remains unfinished.
    private var isIdle: Bool { holder == nil }
    private var alarms: AlarmSettings { pipeline?.alarms ?? AlarmSettings() }
    func isOlder(_ time: Int64, thanDays days: Int64) -> Bool { readAt - time > days * RunClock.millisecondsPerDay }
    private func since(_ time: Int64?) -> String {
        time.map { ", the first for \(Wording.duration(readAt - $0))" } ?? ""
    }

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

    private var faultMarkLine: StatusLine? {
        guard let faultMarkedAt else { return nil }
        return StatusLine(
            .fault,
            "the database or its disk is damaged, found \(ago(faultMarkedAt)); since then no archive was moved or "
                + "deleted, and no backup replaced", isNeeded: true, next: command("check"))
    }

    // MARK: Runs

    /// Whether a run could not begin and no later run has succeeded.
    var hasFailedStart: Bool {
        guard let failure else { return false }
        // If the failed run has a row and the database can be read, the line of the last run shows the failure.
        guard let standing else { return true }
        return failure.run == nil && standing.lastSuccess.map { $0.startedAt < failure.failedAt } ?? true
    }

    private var startLine: StatusLine? {
        guard hasFailedStart, let failure else { return nil }
        return StatusLine(
            .start, "failed \(ago(failure.failedAt)) with \(failure.exitStatus): \(failure.reason)",
            isNeeded: isIdle, advice: failure.advice, next: fault == nil && accessFault == nil ? run() : nil)
    }

    private static let goesOn = "the next run goes on where it stopped"

    private var holderLine: StatusLine? {
        let progress = standing?.currentRun.map { ", \($0.lines) lines so far, \($0.rejected) rejected" } ?? ""
        return holder.map { StatusLine(.run, $0 + progress) }
    }

    private var runLines: [StatusLine?] {
        guard let standing else { return [] }
        guard let last = standing.lastRun else {
            let advice = pipeline == nil ? "load archives into it (receiptmill ingest)" : nil
            return [killedLine, StatusLine(.lastRun, "none yet", isNeeded: isIdle, advice: advice, next: run())]
        }
        return [
            killedLine, lastRunLine(last), successLine(standing.lastSuccess, last), archiveLine(standing.archives),
            repeatedLine(standing),
        ]
    }

    /// The row of a killed run states this itself, unless the run was killed before it had a row.
    private var killedLine: StatusLine? {
        guard let killedAt, standing?.lastRun?.outcome != RunOutcome.running.rawValue else { return nil }
        return StatusLine(
            .run, "no: a run, or another command that changes the database, was killed; it began \(ago(killedAt))",
            isNeeded: true, advice: Self.goesOn, next: run())
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

    private func successLine(_ success: RecordedRun?, _ last: RecordedRun) -> StatusLine? {
        let time = success.map { $0.endedAt ?? $0.startedAt }
        // Only runs of a pipeline file are expected every night.
        let since = time ?? standing?.firstRunAt ?? last.startedAt
        let isLate = pipeline != nil && isIdle && isOverdue(since)
        if success?.id == last.id, !isLate { return nil }
        let text = time.map { "\(Wording.date($0)), \(ago($0))" } ?? "never"
        return StatusLine(
            .lastSuccess, text, isNeeded: isLate,
            advice: isLate ? "is the timer on? (systemctl list-timers receiptmill.timer)" : nil,
            next: isLate ? run() : nil)
    }

    /// Whether a nightly run should have happened since a time.
    private func isOverdue(_ time: Int64) -> Bool { readAt - time > Self.maximumHours * 3_600_000 }

    private func archiveLine(_ archives: [RecordedArchive]) -> StatusLine? {
        guard !archives.isEmpty else { return nil }
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
        return StatusLine(
            .archives,
            "\(Wording.count(archives.count, "archive"))\(isCut ? " or more" : "") of the last run" + oddWords,
            isNeeded: isIdle && !odd.isEmpty,
            advice: isCutShort ? "have the archive delivered again under its name" : nil,
            next: odd.isEmpty || isCutShort ? nil : nextOf(odd),
            details: archives.prefix(Self.namedArchives).map(\.text) + more)
    }

    private func repeatedLine(_ standing: DatabaseStatus) -> StatusLine? {
        standing.repeatedArchives.first.map { first in
            StatusLine(
                .repeated,
                "\(Wording.count(standing.repeatedArchives.count, "archive")), of which others of their name hold nearly "
                    + "all submissions",
                isNeeded: true, next: command("retract", first))
        }
    }

    private func nextOf(_ odd: [RecordedArchive]) -> ShellCommand {
        odd.contains { $0.hasMoreRejected(by: alarms) }
            ? sqlite("SELECT archive, reason, count(*), min(detail) FROM rejections GROUP BY 1, 2")
            : sqlite("SELECT verdict, count(*), min(verdict_detail) FROM receipts GROUP BY verdict")
    }

    // MARK: Folders

    private func lines(of spool: SpoolStatus) -> [StatusLine?] {
        spool.faults.map { StatusLine(.spool, $0) } + [waitingLine(spool), damagedLine(spool), movedLine(spool)]
    }

    private func waitingLine(_ spool: SpoolStatus) -> StatusLine? {
        let waiting = spool.waiting
        guard spool.faults.isEmpty || waiting.files > 0 else { return nil }
        let loaded = spool.loaded.files > 0 ? ", \(spool.loaded.files) loaded" : ""
        let isMissed = isIdle && spool.missed.files > 0
        let missed = isMissed ? "; there when the last run began, and not loaded: \(spool.missed.named)" : ""
        let size = Wording.bytes(waiting.bytes) + since(waiting.since)
        return StatusLine(
            .spool, "\(spool.pattern): \(waiting.files) waiting (\(size))\(loaded)\(missed)", isNeeded: isMissed,
            next: isMissed ? run("--dry-run") : nil)
    }

    private func damagedLine(_ spool: SpoolStatus) -> StatusLine? {
        let (damaged, replaced) = (spool.damaged, spool.replaced.files)
        guard let folder = spool.damagedFolder, damaged.files + replaced > 0 else { return nil }
        let isOpen = damaged.files > 0
        return StatusLine(
            .damaged,
            "\(folder): \(damaged.files) damaged" + (isOpen ? " (\(damaged.named))" : "")
                + (replaced > 0 ? ", \(replaced) delivered again since" : ""), isNeeded: isOpen,
            advice: isOpen ? "have them delivered again, then remove them" : "remove what is not needed",
            next: ShellCommand("ls", "-l", folder))
    }

    private func movedLine(_ spool: SpoolStatus) -> StatusLine? {
        let unknown = spool.unknownMoved
        guard let folder = spool.movedFolder, unknown.files > 0 else { return nil }
        return StatusLine(
            .moved, "\(folder): \(unknown.files) unknown to the database (\(unknown.named))", isNeeded: isIdle,
            next: run("--reload-moved"))
    }

    // MARK: What waits for a person

    private var waitingLines: [StatusLine?] {
        guard let standing else { return [] }
        return [
            rejectionLine(standing.openRejections), letterLine(standing.letters),
            caseLine(standing.undecidedCases, standing.newHighSignals), unknownMemberLine(standing.unknownMembers),
        ]
    }

    private func rejectionLine(_ open: (count: BoundedCount, since: Int64?)) -> StatusLine? {
        guard open.count.count > 0 else { return nil }
        return StatusLine(
            .rejections, "\(open.count.text) open" + since(open.since),
            next: sqlite(
                "SELECT archive, reason, count(*), min(detail) FROM rejections WHERE dismissed = 0 GROUP BY 1, 2"))
    }

    private func letterLine(_ letters: (count: BoundedCount, since: Int64?)) -> StatusLine? {
        guard letters.count.count > 0 else { return nil }
        let days = Int64(pipeline?.deadLetters?.keepDays ?? DeadLetterSettings.usualDays)
        let left = letters.since.map { days - (readAt - $0) / RunClock.millisecondsPerDay } ?? days
        let isNeeded = left < Self.daysOfWarning
        let end = isNeeded ? ", the first goes in \(Wording.count(Int(max(left, 0)), "day"))" : ""
        return StatusLine(
            .letters, "\(letters.count.text) kept\(since(letters.since))\(end)", isNeeded: isNeeded,
            next: pipeline?.deadLetters.map { ShellCommand("zcat", $0.file) }
                ?? sqlite("SELECT * FROM rejections WHERE dismissed = 0 LIMIT 20"))
    }

    private func caseLine(_ cases: BoundedCount?, _ signals: BoundedCount?) -> StatusLine? {
        guard let cases, let signals, cases.count + signals.count > 0 else { return nil }
        let noun = signals.count == 1 ? "signal" : "signals"
        let new = signals.count > 0 ? ", \(signals.text) new \(noun) of high severity" : ""
        return StatusLine(
            .cases, "\(cases.text) without a decision\(new)", next: command("report", "fraud-queue"))
    }

    private func unknownMemberLine(_ count: Int) -> StatusLine? {
        guard count > 0 else { return nil }
        return StatusLine(
            .unknownMembers, "\(Wording.count(count, "member")) of documents that this version does not know",
            next: sqlite("SELECT * FROM unknown_members"))
    }

    // MARK: Care of the database

    private var storeFileLine: StatusLine? {
        guard let files = standing?.storeFiles, files.files > 0 else { return nil }
        let rejected = files.rejected > 0 ? ", \(files.rejected) rejected" : ""
        let last = files.lastLoadedAt.map { ", the last loaded \(ago($0))" } ?? ""
        return StatusLine(
            .storeReports,
            "\(Wording.count(files.files, "file")), \(Wording.count(files.rows, "row"))\(rejected)\(last)")
    }

    private var modelLine: StatusLine? {
        guard let standing, let last = standing.lastRun else { return nil }
        // A run may leave the refresh to a later run (--no-refresh), or be stopped before it.
        let isDue = standing.firstRunWithoutModels.map(isOverdue) ?? true
        guard let models = standing.models else {
            return StatusLine(
                .models, "never refreshed", isNeeded: isIdle && last.lines > 0 && isDue,
                next: isIdle ? command("refresh") : nil)
        }
        let (isOutdated, isPartial) = (!models.isCurrent, models.leftOut > 0)
        let outdated = isOutdated ? ", outdated since" : ""
        let currency = standing.currency.map { ", money in \($0)" } ?? ""
        let partial = isPartial ? ", without \(Wording.count(models.leftOut, "row")) that can't be computed" : ""
        return StatusLine(
            .models, "refreshed \(ago(models.refreshedAt))\(currency)\(outdated)\(partial)",
            isNeeded: isPartial || isOutdated && isIdle && isDue,
            next: isOutdated && isIdle ? command("refresh") : isPartial ? command("check") : nil)
    }

    private var logLine: StatusLine? {
        guard logBytes > Warehouse.notableLogBytes, isIdle else { return nil }
        return StatusLine(
            .log,
            "SQLite's log has \(Wording.bytes(logBytes)), more than \(Warehouse.notableLogBytes >> 20) MiB: a reader "
                + "keeps it from being emptied",
            isNeeded: true, next: ShellCommand("fuser", "-v", database))
    }

    private func line(of disk: DiskStatus) -> StatusLine {
        let needed = disk.isShort ? ", and \(Wording.bytes(disk.neededBytes)) are needed" : ""
        return StatusLine(
            .disk, "\(Wording.bytes(disk.freeBytes)) free in \(disk.folders.joined(separator: ", "))\(needed)",
            isNeeded: disk.isShort, next: disk.isShort ? ShellCommand("du", "-xhd1", disk.folders[0]) : nil)
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
