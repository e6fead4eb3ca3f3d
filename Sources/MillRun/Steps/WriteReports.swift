internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptReports
internal import ReceiptWarehouse

/// Steps that read reports. All of them see the same state of the database.
struct ReportingSteps: StepGroup {
    let steps: [any RunStep]

    func run(in context: RunContext) throws(MillError) {
        let session = Result { try ReportSession(database: context.database.path, isBounded: true) }
        context.session = session
        // The session ends with the steps, because a reader keeps SQLite from emptying its log.
        defer { context.session = nil }
        let queues = (try? session.get()).map { [$0.queue] } ?? []
        try context.stop.interrupting(queues) { () throws(MillError) in
            for step in steps where !context.mustStop() { try step.run(in: context) }
        }
    }
}

/// Writes the reports that the pipeline file lists. If one fails, the others are still written.
struct WriteReports: PlannedStep {
    let pipeline: Pipeline

    func run(in context: RunContext) {
        for order in pipeline.reports where !context.mustStop() {
            context.write("report \(order.name) as \(order.format.rawValue)", to: order.output) {
                var rows = 0
                try OutputFile.write(to: order.output) { sink in
                    rows = try context.writeReport(
                        order.name, order.parameters, of: pipeline, as: order.format, to: sink)
                }
                context.summary.reports += 1
                context.log(
                    .info, "report \(order.name): \(rows) rows written to \(order.output)",
                    ["report": order.name, "output": order.output, "rows": rows])
            }
        }
    }
}

struct WriteDashboard: PlannedStep {
    let pipeline: Pipeline

    func run(in context: RunContext) {
        guard let path = pipeline.dashboard else { return }
        context.write("dashboard", to: path) {
            let dashboard = Dashboard(try pipeline.catalog())
            try OutputFile.write(to: path) { sink in
                try dashboard.write(
                    in: context.reportSession(),
                    warn: { if !$0.isInOutput { context.report(.odd(report: "dashboard", $0)) } }, to: sink)
            }
            context.log(.info, "dashboard written to \(path)", ["output": path])
        }
    }
}

extension RunContext {
    /// The state of the database that all reports of the run see.
    func reportSession() throws -> ReportSession {
        guard let session else {
            throw MillError(stage: .reporting, what: "no session is open for reports", exitStatus: .internalFault)
        }
        return try session.get()
    }

    /// Runs a report of a pipeline file.
    ///
    /// - Returns: the number of its rows.
    func writeReport(
        _ name: String, _ parameters: [Setting], of pipeline: Pipeline, as format: ReportFormatName,
        to sink: (String) throws -> Void
    ) throws -> Int {
        let session = try reportSession()
        let today = RelativeTime.today(of: .success(session))
        return try pipeline.run(of: name, parameters, today: today).write(
            in: session, as: format, warn: { report(.odd(report: name, $0)) }, to: sink)
    }
}
