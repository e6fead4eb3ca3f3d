internal import DatabaseCare
internal import Foundation
internal import Logging
internal import MillRun
internal import MillSystem
internal import ReceiptReports
internal import ReceiptWarehouse

/// Reports what a run does: a progress line on a terminal, and log records.
///
/// `error`: an operator has to act. `warning`: odd, nothing is lost. `notice`: what
/// a person at the terminal wants to know. `info`, `debug`: step by step.
struct RunLog {
    private var logger: Logger
    private var line: ProgressLine
    private let archives: Int?
    private var lastProgress = ContinuousClock.now

    /// Between two records of progress.
    private static let progressInterval = Duration.seconds(60)

    init(format: LogOutput.Format, level: Logger.Level, archives: Int?) {
        logger = Logger(label: "receiptmill") { _ in LogOutput(format: format, level: level) }
        line = ProgressLine(isQuiet: level > .notice)
        self.archives = archives
    }

    mutating func write(_ event: RunEvent) {
        if case .progress(let progress) = event {
            line.draw(progress, archives: archives)
            log(progress)
            return
        }
        line.clear()
        switch event {
        case .progress: break
        case .began(let run):
            logger[metadataKey: "run"] = .stringConvertible(run)
            logger.info("run \(run) begins")
        case .ended(let outcome):
            logger.info("the run ends: \(outcome.rawValue)", metadata: ["outcome": "\(outcome.rawValue)"])
        case .stopped(let place):
            let at = place.map { "behind line \($0.line) of \(PathParts.shown($0.path))" } ?? "between two archives"
            var metadata: Logger.Metadata = ["hint": "run the same command again: it goes on from there"]
            if let place {
                metadata["archive"] = "\(place.path)"
                metadata["line"] = .stringConvertible(place.line)
            }
            logger.warning("stopped as asked, \(at); all that came before is loaded", metadata: metadata)
        case .waiting(let holder):
            logger.notice(
                holder.map { "waiting: another run is loading into the database\($0)" }
                    ?? "waiting: another program holds a lock of the database")
        case .examined:
            logger.notice("the database was checked, of which an earlier run had met a fault, and is whole")
        case .passedOver(let folder):
            logger.warning(
                "\(PathParts.shown(folder)): is a folder, and what lies in it is not loaded",
                metadata: [
                    "path": "\(folder)",
                    "hint": "give \(folder)/* to load what lies in it, or a pattern that only archives match",
                ])
        case .archiveBegan(let path, let bytes):
            logger.debug(
                "\(PathParts.shown(path)): begins",
                metadata: ["archive": "\(path)", "bytes": .stringConvertible(bytes)])
        case .archiveEnded(let path, let lines, let rejected):
            logger.info(
                "\(PathParts.shown(path)): \(lines) lines, \(rejected) of them rejected",
                metadata: [
                    "archive": "\(path)", "lines": .stringConvertible(lines), "rejected": .stringConvertible(rejected),
                ])
        case .migration(let event): write(event)
        case .failed(let error): write(error)
        case .alreadyLoaded(let path, let name):
            let known = path.hasSuffix(name) ? "" : " as \(name)"
            logger.notice(
                "\(PathParts.shown(path)): loaded before\(known), nothing to do", metadata: ["archive": "\(path)"])
        case .resumed(let path, let lines):
            logger.notice(
                "\(PathParts.shown(path)): going on after line \(lines)",
                metadata: ["archive": "\(path)", "line": .stringConvertible(lines)])
        case .letter(let fault):
            logger.warning(
                "\(PathParts.shown(fault.path ?? "")):\(fault.line ?? 0): \(fault.what)",
                metadata: [
                    "path": "\(fault.path ?? "")", "line": .stringConvertible(fault.line ?? 0),
                    "hint": "\(fault.hint ?? "")",
                ])
        case .corrected(let path, let applied, let passedOver):
            logger.notice(
                "\(PathParts.shown(path)): \(applied) \(applied == 1 ? "correction" : "corrections") applied, \(passedOver) passed over",
                metadata: [
                    "archive": "\(path)", "applied": .stringConvertible(applied),
                    "passed_over": .stringConvertible(passedOver),
                ])
        case .repeated(let archive, let path, let database):
            let (digest, former) = (archive.sha256.prefix(16), archive.formerSHA256.prefix(16))
            logger.warning(
                "\(PathParts.shown(path)): \(archive.shared) of its \(archive.submissions) submissions are also among the \(archive.formerSubmissions) of \(archive.name) (\(former)), loaded before, and count twice",
                metadata: [
                    "archive": "\(path)", "sha256": "\(archive.sha256)", "former_sha256": "\(archive.formerSHA256)",
                    "shared": .stringConvertible(archive.shared),
                    "hint":
                        "where they are one night, take one out: receiptmill retract \(former) --database \(database), or \(digest) for this one",
                ])
        case .growing(let path):
            logger.notice(
                "\(PathParts.shown(path)): is being written; its complete lines are loaded, the rest next time",
                metadata: ["archive": "\(path)"])
        case .moved(let path, let target):
            logger.info("\(path): moved to \(target)", metadata: ["archive": "\(path)", "to": "\(target)"])
        case .deleted(let path): logger.info("\(path): deleted", metadata: ["archive": "\(path)"])
        case .quarantined(let path, let target):
            logger.warning(
                "\(path): damaged, moved to \(target)",
                metadata: ["archive": "\(path)", "to": "\(target)", "hint": "have it delivered again, then remove it"])
        case .kept(let path, let lines):
            logger.warning(
                "\(path): not deleted, \(lines) of its lines were rejected and stand nowhere else",
                metadata: [
                    "archive": "\(path)", "lines": .stringConvertible(lines),
                    "hint":
                        "correct lines and receiptmill run --retry; with dead_letters the database keeps such lines; or move",
                ])
        case .refused(let fault, let target?):
            write(fault)
            logger.warning("\(fault.path ?? ""): moved to \(target)", metadata: ["to": "\(target)"])
        case .refused(let fault, nil):
            logger.warning(
                "\(fault.path ?? ""): stays; it \(fault.what)",
                metadata: ["archive": "\(fault.path ?? "")", "hint": "\(fault.hint ?? "")"])
        case .reportWritten(let name, let output, let rows):
            logger.info(
                "report \(name): \(rows) rows written to \(output)",
                metadata: ["report": "\(name)", "output": "\(output)", "rows": .stringConvertible(rows)])
        case .dashboardWritten(let output):
            logger.info("dashboard written to \(output)", metadata: ["output": "\(output)"])
        case .odd(let report, let warning):
            logger.warning(
                "report \(report): \(warning.what)", metadata: ["report": "\(report)", "hint": "\(warning.hint)"])
        case .orphaned(let path, let name, let why):
            logger.warning(
                "\(path): a killed run took it aside, and it does not get its name back: \(why)",
                metadata: ["archive": "\(name)", "hint": "load what has its name now and move that away; or rename it"])
        case .alarm(let alarm):
            logger.error(
                "alarm: \(alarm.what)", metadata: ["alarm": "\(alarm.cause.rawValue)", "hint": "\(alarm.hint)"])
        case .identityLost(let path):
            logger.warning(
                "\(path): is empty, and is written anew for the database that is there",
                metadata: [
                    "path": "\(path)",
                    "hint":
                        "a full disk or a power cut may leave it so; make sure that the database is the one that is meant",
                ])
        case .reloading(let count):
            logger.notice(
                "\(count) files that were moved are unknown to the database, and are loaded from where they lie",
                metadata: ["archives": .stringConvertible(count)])
        case .withheld(let count):
            logger.warning(
                "no archive is moved or deleted, \(count) that are loaded included: a fault of the database was met",
                metadata: ["archives": .stringConvertible(count)])
        case .aged(let aged):
            let things =
                switch aged.things {
                case .rejectedLines: "\(aged.count) rejected lines deleted that were kept for \(aged.days) days, since"
                case .submissions: "\(aged.count) submissions deleted that are older than \(aged.days) days,"
                case .archives(let folder):
                    "\(aged.count) archives deleted from \(folder) that were loaded \(aged.days) days ago,"
                }
            let time = Date(timeIntervalSince1970: Double(aged.before) / 1000).ISO8601Format()
            logger.notice(
                "\(things) before \(time)",
                metadata: [
                    "deleted": .stringConvertible(aged.count), "days": .stringConvertible(aged.days), "before": "\(time)",
                ])
        case .begunAnew(let database):
            logger.warning(
                "the database of the last run is gone, and a new one is made",
                metadata: [
                    "path": "\(database)",
                    "hint": "was it lost? restore the last backup; without create: true a run would refuse",
                ])
        case .logHeld(let bytes):
            logger.warning(
                "a reader keeps the database's write-ahead log at \(bytes >> 20) MiB",
                metadata: [
                    "log_bytes": .stringConvertible(bytes),
                    "hint": "end long transactions of readers; the next run empties it",
                ])
        }
    }

    /// Once a minute, for whoever reads a log.
    private mutating func log(_ progress: RunProgress) {
        let now = ContinuousClock.now
        guard now - lastProgress >= Self.progressInterval else { return }
        lastProgress = now
        line.clear()
        logger.info(
            "\(progress.lines) lines, now in archive \(progress.archive)\(archives.map { " of \($0)" } ?? ""), \(progress.archiveName)",
            metadata: [
                "archive": "\(progress.archiveName)", "lines": .stringConvertible(progress.lines),
                "bytes": .stringConvertible(progress.consumedBytes),
            ])
    }

    mutating func write(_ event: SchemaMigration.Event) {
        line.clear()
        switch event {
        case .copying(let copy, let percent):
            let level: Logger.Level = percent == 0 ? .notice : .info
            logger.log(
                level: level, "copying the database as it is to \(copy): \(percent) %",
                metadata: ["output": "\(copy)", "percent": .stringConvertible(percent)])
        case .step(let version): logger.notice("schema \(version)", metadata: ["schema": .stringConvertible(version)])
        case .migrated(let former, let version, let copy):
            // Whoever reads warnings alone has to learn of the copy, which takes room.
            logger.log(
                level: copy == nil ? .notice : .warning,
                "the database has schema \(version), no longer \(former)\(copy.map { "; it is kept as it was in \($0)" } ?? "")",
                metadata: copy.map { ["output": "\($0)", "hint": "remove it when all is well: rm \($0)"] } ?? [:])
        }
    }

    mutating func write(_ error: MillError) {
        line.clear()
        var metadata: Logger.Metadata = [
            "code": "\(error.code.rawValue)", "stage": "\(error.stage.rawValue)",
            "exit_status": .stringConvertible(error.exitStatus.rawValue),
        ]
        if let path = error.path { metadata["path"] = "\(path)" }
        if let line = error.line { metadata["line"] = .stringConvertible(line) }
        if let hint = error.hint { metadata["hint"] = "\(hint)" }
        var message = error
        message.hint = nil
        logger.error("\(message.description)", metadata: metadata)
    }

    /// Removes the progress line, so that other output can stand in its place.
    mutating func clear() { line.clear() }
}
