internal import ArgumentParser
internal import DatabaseCare
internal import Foundation
internal import Logging
internal import MillConfiguration
internal import MillRun
internal import MillSystem

/// `receiptmill run`: runs a pipeline file, and writes the results to the terminal or the log.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "run", "Run a pipeline: load, write reports, raise alerts.",
        usage: """
            receiptmill run <pipeline> [--dry-run] [--retry] [--wait <time>] [--format <format>]
            receiptmill run --describe
            """,
        examples: """
            receiptmill run --describe
            receiptmill run nightly.yaml --dry-run
            receiptmill run nightly.yaml
            """,
        details: """
            A pipeline file is YAML; pipelines/nightly.yaml is an example with every key, and --describe lists them \
            all. ${NAME} in a value is an environment variable, which has to be set. A relative path starts at the \
            file's folder.

            Made for cron and systemd: off a terminal it says nothing unless something is wrong, and then in JSON \
            lines. A run that is interrupted loses nothing; the next goes on.

            Exit status: 0 all is well; 65 an archive is damaged, an alarm, or a database that was restored from an \
            older backup; 66 an archive is missing, or has been for days; 73, 74 something can't be written, or the \
            database is damaged or locked by another program; 75 another run is at work, or this one was asked to \
            stop; 78 the pipeline file makes no sense.
            """)

    @Argument(help: "The pipeline file.", completion: .file())
    var pipeline: String?

    @Flag(
        help: "Say what would be done, and do nothing. What is wrong already is reported as by a run, with its status.")
    var dryRun = false

    @Flag(
        help: ArgumentHelp(
            "After the archives, retry rejected lines: those kept in the database, and those of archives that are "
                + "present. Lines that can be read now are loaded and no longer rejected."))
    var retry = false

    @Flag(
        help: .rare(
            "Load archives, too, that lie where runs move them (move_to) and that the database does not know: what came "
                + "after the backup that was restored. They stay where they lie."))
    var reloadMoved = false

    @Flag(
        help: .rare(
            "After an alarm clock_jumped: confirm that the clock is right, so that runs delete again what has expired. "
                + "Without it, they do so once runs have begun on \(ClockDoubt.regularDays) more days."))
    var clockIsRight = false

    @Flag(inversion: .prefixedNo, help: .preflight)
    var preflight = true

    @Flag(inversion: .prefixedNo, help: .refresh)
    var refresh = true

    @Option(help: .wait)
    var wait: WaitingTime?

    @Flag(help: "List every key of a pipeline file.")
    var describe = false

    @OptionGroup var summary: SummaryOptions

    @Flag(help: "Say nothing unless something is wrong.")
    var quiet = false

    @OptionGroup(title: "Logging", visibility: .hidden) var log: LogOptions

    func validate() throws {
        guard describe != (pipeline != nil) else { throw ValidationError("Name a pipeline file, or give --describe.") }
    }

    func run() throws {
        if describe {
            try Console.write(PipelineReference.markdown)
            return
        }
        let log = RunLog(
            format: log.resolvedFormat, level: log.logLevel ?? (quiet ? .warning : log.resolvedLevel), archives: nil
        )
        try CommandExit.of(log, isJSON: summary.isJSON && !dryRun) {
            let run = try prepared()
            if dryRun {
                let plan = try run.plan()
                try Console.write(plan.text)
                for failure in plan.failures { log.write(failure) }
                if let failure = plan.failures.first { throw ExitCode(failure.exitStatus.rawValue) }
                return
            }
            StopSignals.make(run.stop)
            var outcome = try run.run { log.write($0) }
            log.clear()
            let form = summary.resolved ?? (isatty(STDOUT_FILENO) == 1 && !quiet ? .text : nil)
            if form != nil, !quiet { outcome = outcome.advising(of: run.pipeline.database, takesApps: false) }
            switch form {
            case .json?: try Console.write(outcome.nightJSON + "\n")
            case .text?: try Console.write(outcome.text)
            case nil: break
            }
            if let status = outcome.exitStatus { throw ExitCode(status.rawValue) }
        }
    }

    private func prepared() throws -> PipelineRun {
        let (path, environment) = (pipeline ?? "", ProcessInfo.processInfo.environment)
        let pipeline: Pipeline
        do throws(MillError) {
            pipeline = try Pipeline(path: path, environment: environment)
        } catch {
            // If the run fails, the metrics of an earlier success must not remain.
            if !dryRun, let metrics = Pipeline.metrics(of: path, environment: environment) {
                let end = Date().timeIntervalSince1970
                try? Metrics(nil, exitStatus: error.exitStatus.rawValue, endedAt: end).write(to: metrics)
            }
            throw error
        }
        var run = PipelineRun(pipeline)
        (run.maximumWait, run.checksDiskSpace) = (wait?.duration, preflight)
        (run.retriesRejectedLines, run.reloadsMoved, run.refreshes) = (retry, reloadMoved, refresh)
        run.confirmsClock = clockIsRight
        return run
    }
}
