internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// One part of a run.
///
/// A run is a list of steps, which are done in the list's order. A dry run walks the same list, and asks each step for
/// its part of the plan.
protocol RunStep {
    /// - Throws: ``MillError`` where the run can't go on.
    func run(in context: RunContext) throws(MillError)

    /// Adds to the plan the actions that the step would take, and their faults. A plan writes nothing.
    ///
    /// - Throws: ``MillError`` where a run could not go on.
    func plan(in context: RunContext) throws(MillError)
}

extension RunStep {
    /// The default adds nothing, for steps that a reader of plans need not know.
    func plan(in context: RunContext) throws(MillError) {}
}

/// Steps that a run does as one step.
protocol StepGroup: RunStep {
    var steps: [any RunStep] { get }
}

extension StepGroup {
    func plan(in context: RunContext) throws(MillError) {
        for step in steps { try step.plan(in: context) }
    }
}

/// Steps that end at once where the run is asked to stop: the next run does the rest of their work.
struct StoppableSteps: StepGroup {
    let steps: [any RunStep]

    func run(in context: RunContext) throws(MillError) {
        do throws(MillError) {
            try context.stop.interrupting([context.database.queue]) { () throws(MillError) in
                for step in steps where !context.mustStop() { try step.run(in: context) }
            }
        } catch {
            guard context.stop.explains(error) else { throw error }
            context.summary.isStopped = true
        }
    }
}

/// Steps whose duration the summary states as the duration of the load.
struct TimedSteps: StepGroup {
    let steps: [any RunStep]

    func run(in context: RunContext) throws(MillError) {
        let start = ContinuousClock.now
        for step in steps { try step.run(in: context) }
        context.summary.seconds = (ContinuousClock.now - start) / .seconds(1)
    }
}
