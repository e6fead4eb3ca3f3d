internal import Logging
internal import MillRun
internal import MillSystem
internal import ReceiptWarehouse
internal import StoreLoading

/// Reports a run's events as log records and, on a terminal, as a progress line.
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
        case .line(let fact):
            log(Logger.Level(rawValue: fact.level.rawValue) ?? .error, fact.message, fact.fields, hint: fact.hint)
        case .began(let run):
            logger[metadataKey: "run"] = .stringConvertible(run)
            log(.info, "run \(run) begins")
        case .failed(let error): write(error)
        case .migration(let event): write(event)
        case .loaded(let file):
            log(
                file.rejected > 0 ? .warning : .info, ReportFileWords.line(file),
                ["report_file": file.path, "rows": file.rows, "rejected": file.rejected],
                hint: file.rejected > 0 ? ReportFileWords.hintOnRejected : nil)
        case .oddReportFile(let warning):
            log(.warning, ReportFileWords.text(warning), ["report_file": warning.path])
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
