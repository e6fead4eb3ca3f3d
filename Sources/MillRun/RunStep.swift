internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// One part of a run.
///
/// A run is a list of steps, which run in the list's order. A dry run walks the same list, and asks each step for its
/// part of the plan.
protocol RunStep {
    /// - Throws: ``MillError`` if the run can't continue.
    func run(in context: RunContext) throws(MillError)

    /// Adds the step's actions and their faults to the plan. Planning writes nothing.
    ///
    /// - Throws: ``MillError`` if a run could not continue.
    func plan(in context: RunContext) throws(MillError)
}

extension RunStep {
    /// The default adds nothing, for steps that are of no interest in a plan.
    func plan(in context: RunContext) throws(MillError) {}
}

/// A step whose `run(in:)` serves a dry run, too. It states each action once, by ``RunContext/act(_:as:check:_:)``,
/// ``RunContext/write(_:to:_:)`` or ``RunContext/fail(_:_:as:)``: a run performs the action, and a dry run adds its words
/// to the plan. Anything else that writes is left out if ``RunContext/isDryRun`` is true.
protocol PlannedStep: RunStep {}

extension PlannedStep {
    func plan(in context: RunContext) throws(MillError) { try run(in: context) }
}

/// Several steps that a run treats as one.
protocol StepGroup: RunStep {
    var steps: [any RunStep] { get }
}

extension StepGroup {
    func plan(in context: RunContext) throws(MillError) {
        for step in steps { try step.plan(in: context) }
    }
}

/// Steps that end at once if the run is asked to stop; the next run does the rest of their work.
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

/// Steps whose total duration the summary states as the load's.
struct TimedSteps: StepGroup {
    let steps: [any RunStep]

    func run(in context: RunContext) throws(MillError) {
        let start = ContinuousClock.now
        for step in steps { try step.run(in: context) }
        context.summary.seconds = (ContinuousClock.now - start) / .seconds(1)
    }
}
