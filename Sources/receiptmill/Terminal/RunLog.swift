internal import DatabaseCare
internal import Foundation
internal import Logging
internal import MillRun
internal import MillSystem
internal import ReceiptReports
internal import ReceiptWarehouse
internal import RunGuide
internal import StoreLoading

/// Reports a run's events as log records and, on a terminal, as a progress line.
///
/// Levels: `error` if an operator has to act; `warning` if something is odd but nothing is lost; `notice` for results
/// that a person at the terminal expects; `info` and `debug` for single steps.
final class RunLog {
    private var logger: Logger
    private var line: ProgressLine
    private let archives: Int?
    private var lastProgress = ContinuousClock.now

    /// The time between two records of progress.
    private static let progressInterval = Duration.seconds(60)

    init(format: LogFormat, level: Logger.Level, archives: Int?) {
        logger = Logger(label: "receiptmill") { _ in LogOutput(format: format, level: level) }
        line = ProgressLine(isQuiet: level > .notice)
        self.archives = archives
    }

    func write(_ event: RunEvent) {
        switch event {
        case .progress(let progress):
            line.draw(progress, archives: archives)
            log(progress)
        case .refreshing(let model): line.draw(model)

        // The run.
        case .began(let run):
            logger[metadataKey: "run"] = .stringConvertible(run)
            log(.info, "run \(run) begins")
        case .ended(let outcome):
            log(.info, "the run ends: \(outcome.rawValue)", ["outcome": outcome.rawValue])
        case .stopped(let place): logStop(at: place)
        case .waiting(let holder):
            log(
                .notice,
                holder.map { "waiting: another run is loading into the database\($0)" }
                    ?? "waiting: another program holds a lock of the database")
        case .failed(let error): write(error)
        case .alarm(let alarm):
            log(.error, "alarm: \(alarm.message)", ["alarm": alarm.cause.rawValue], hint: alarm.hint)

        // The database.
        case .examined: log(.notice, "the database was checked, of which an earlier run had met a fault, and is whole")
        case .migration(let event): write(event)
        case .begunAnew(let database):
            log(
                .warning, "the database of the last run is gone, and a new one is made", ["path": database],
                hint: "was it lost? restore the last backup; without create: true a run would refuse")
        case .identityLost(let path):
            log(
                .warning, "\(path): is empty, and is written anew for the database that is there", ["path": path],
                hint: "a full disk or a power cut may leave it so; make sure that the database is the one that is meant"
            )
        case .notMade(let database):
            log(.notice, "\(database): not made, because nothing was loaded", ["path": database])
        case .logHeld(let bytes):
            log(
                .warning,
                "a reader keeps the database's write-ahead log at \(bytes >> 20) MiB, and more than "
                    + "\(Warehouse.notableLogBytes >> 20) MiB are too many",
                ["log_bytes": bytes], hint: "end long transactions of readers; the next run empties it")

        // Archives.
        case .passedOver(let folder):
            log(
                .warning, "\(PathParts.shown(folder)): is a folder, and what lies in it is not loaded",
                ["path": folder],
                hint: "give \(folder)/* to load what lies in it, or a pattern that only archives match")
        case .archiveBegan(let path, let bytes): log(.debug, archive: path, "begins", ["bytes": bytes])
        case .archiveEnded(let path, let lines, let rejected):
            log(
                .info, archive: path, "\(lines) lines, \(rejected) of them rejected",
                ["lines": lines, "rejected": rejected])
        case .alreadyLoaded(let path, let name):
            let known = path.hasSuffix(name) ? "" : " as \(name)"
            log(.notice, archive: path, "loaded before\(known), nothing to do")
        case .resumed(let path, let lines):
            log(.notice, archive: path, "going on after line \(lines)", ["line": lines])
        case .growing(let path):
            log(
                .notice, archive: path, "is being written; its complete lines are loaded, the rest next time")
        case .repeated(let archive, let path, let database): log(archive, at: path, in: database)
        case .untrustedBelowAnchor(let reason, let areKept):
            log(
                .warning, "documents loaded earlier are not trusted: \(reason). This run names that root as an anchor",
                hint: areKept
                    ? "receiptmill regrade verifies them again, with the same --trust"
                    : "receiptmill retract takes their archives out, and ingest loads them again; or begin with a new database"
            )
        case .letter(let fault):
            let (path, line) = (fault.path ?? "", fault.line ?? 0)
            log(
                .warning, "\(PathParts.shown(path)):\(line): \(fault.what)", ["path": path, "line": line],
                hint: fault.hint ?? "")
        case .corrected(let path, let applied, let passedOver):
            log(
                .notice, archive: path, "\(Console.count(applied, "correction")) applied, \(passedOver) passed over",
                ["applied": applied, "passed_over": passedOver])
        case .reloading(let count):
            log(
                .notice,
                "\(count) files that were moved are unknown to the database, and are loaded from where they lie",
                ["archives": count])

        // App Store report files.
        case .loaded(let file):
            log(
                file.rejected > 0 ? .warning : .info, ReportFileWords.line(file),
                ["report_file": file.path, "rows": file.rows, "rejected": file.rejected],
                hint: file.rejected > 0 ? ReportFileWords.hintOnRejected : nil)
        case .oddReportFile(let warning):
            log(.warning, ReportFileWords.text(warning), ["report_file": warning.path])

        // Disposal of archives and rows.
        case .moved(let path, let target): log(.info, archive: path, "moved to \(target)", ["to": target])
        case .deleted(let path): log(.info, archive: path, "deleted")
        case .quarantined(let path, let target):
            log(
                .warning, archive: path, "damaged, moved to \(target)", ["to": target],
                hint: "have it delivered again, then remove it")
        case .kept(let path, let lines):
            log(
                .warning, archive: path, "not deleted, \(lines) of its lines were rejected and stand nowhere else",
                ["lines": lines],
                hint:
                    "correct lines and receiptmill run --retry; with dead_letters the database keeps such lines; or move"
            )
        case .refused(let fault, let target?):
            write(fault)
            log(.warning, "\(fault.path ?? ""): moved to \(target)", ["to": target])
        case .refused(let fault, nil):
            log(.warning, archive: fault.path ?? "", "stays; it \(fault.what)", hint: fault.hint ?? "")
        case .withheld(let count):
            log(
                .warning,
                "no archive is moved or deleted, \(count) that are loaded included: a fault of the database was met",
                ["archives": count])
        case .orphaned(let path, let name, let why):
            log(
                .warning, "\(path): a killed run took it aside, and it does not get its name back: \(why)",
                ["archive": name], hint: "load what has its name now and move that away; or rename it")
        case .expired(let aged): log(aged)

        // Reports.
        case .reportWritten(let name, let output, let rows):
            log(
                .info, "report \(name): \(rows) rows written to \(output)",
                ["report": name, "output": output, "rows": rows])
        case .dashboardWritten(let output): log(.info, "dashboard written to \(output)", ["output": output])
        case .odd(let report, let warning):
            log(.warning, "report \(report): \(warning.message)", ["report": report], hint: warning.hint)
        }
    }

    /// The members of a record for programs, by name; those without a value are left out.
    private typealias Fields = [String: (any CustomStringConvertible & Sendable)?]

    private func log(_ level: Logger.Level, _ message: String, _ fields: Fields = [:], hint: String? = nil) {
        line.clear()
        var known = fields.compactMapValues(\.self)
        known["hint"] = hint
        logger.log(level: level, "\(message)", metadata: known.mapValues { .stringConvertible($0) })
    }

    /// Writes a record about an archive, with the archive's path before the words.
    private func log(
        _ level: Logger.Level, archive path: String, _ words: String, _ fields: Fields = [:], hint: String? = nil
    ) {
        log(level, "\(PathParts.shown(path)): \(words)", fields.merging(["archive": path]) { $1 }, hint: hint)
    }

    private func logStop(at place: StopPlace) {
        var fields: Fields = [:]
        let words: String
        switch place {
        case .line(let line, let path):
            fields = ["archive": path, "line": line]
            words = "behind line \(line) of \(PathParts.shown(path)); that line and all that came before are kept"
        case .betweenArchives: words = "between two archives; all that came before is kept"
        case .behindArchives:
            words = "after all archives; all of them are kept, and the work on models and reports is left"
        }
        log(.warning, "stopped as asked, \(words)", fields, hint: "run the same command again: it goes on from there")
    }

    private func log(_ archive: RepeatedArchive, at path: String, in database: String) {
        let (digest, former) = (archive.sha256.prefix(16), archive.formerSHA256.prefix(16))
        log(
            .warning, archive: path,
            "\(archive.shared) of its \(archive.submissions) submissions are also among the \(archive.formerSubmissions) of \(archive.name) (\(former)), loaded before, and count twice",
            ["sha256": archive.sha256, "former_sha256": archive.formerSHA256, "shared": archive.shared],
            hint: "where they are one night, take one out: receiptmill retract \(former) --database \(database), or "
                + "\(digest) for this one")
    }

    private func log(_ expired: ExpiredRows) {
        let rows =
            switch expired.kind {
            case .rejectedLines:
                "\(expired.count) rejected lines deleted that were kept for \(expired.days) days, since"
            case .submissions: "\(expired.count) submissions deleted that are older than \(expired.days) days,"
            case .archives(let folder):
                "\(expired.count) archives deleted from \(folder) that were loaded \(expired.days) days ago,"
            }
        let time = Date(timeIntervalSince1970: Double(expired.before) / 1000).ISO8601Format()
        log(
            .notice, "\(rows) before \(time)", ["deleted": expired.count, "days": expired.days, "before": time])
    }

    /// Records the progress once a minute, for readers of a log.
    private func log(_ progress: RunProgress) {
        let now = ContinuousClock.now
        guard now - lastProgress >= Self.progressInterval else { return }
        lastProgress = now
        let (lines, name) = (progress.counts.lines, progress.archiveName)
        log(
            .info, "\(lines) lines, now in archive \(progress.archive)\(archives.map { " of \($0)" } ?? ""), \(name)",
            ["archive": name, "lines": lines, "bytes": progress.consumedBytes])
    }

    func write(_ event: SchemaMigration.Event) {
        switch event {
        case .copying(let copy, let percent):
            log(
                percent == 0 ? .notice : .info, "copying the database as it is to \(copy): \(percent) %",
                ["output": copy, "percent": percent])
        case .step(let version): log(.notice, "schema \(version)", ["schema": version])
        case .migrated(let former, let version, let copy):
            // A reader who sees only warnings has to learn of the copy, which takes disk space.
            let place = copy.map { "; it is kept as it was in \($0)" } ?? ""
            log(
                copy == nil ? .notice : .warning,
                "the database has schema \(version), no longer \(former)\(place)", ["output": copy],
                hint: copy.map { "remove it when all is well: rm \($0)" })
        }
    }

    func write(_ error: MillError) {
        var message = error
        message.hint = nil
        log(
            .error, message.description,
            [
                "code": error.code.rawValue, "stage": error.stage.rawValue, "exit_status": error.exitStatus.rawValue,
                "path": error.path, "line": error.line,
            ], hint: error.hint)
    }

    /// Removes the progress line, so that other output can be written in its place.
    func clear() { line.clear() }
}
