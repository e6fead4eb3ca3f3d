package import MillSystem

/// What a run would do now, and the faults that it would meet.
package struct RunPlan: Sendable {
    /// The parts of a plan, in the order in which they are shown. Steps run in another order: archives, for instance,
    /// are moved last.
    enum Part: Int, CaseIterable {
        case database, comparison, search, archives, deadLetters, corrections, storeReports, absence, disposal, outputs,
            alarms
        case retention
    }

    private var lines: [(part: Part, text: String, fault: MillError?)] = []

    mutating func add(_ step: String, to part: Part, unless fault: MillError? = nil) {
        lines.append((part, step, fault))
    }

    /// Adds a line with the fault that a check finds.
    ///
    /// - Parameter check: returns further words for the line.
    mutating func add(_ step: String, to part: Part, unlessFails check: () throws(MillError) -> String) {
        do throws(MillError) {
            add(step + (try check()), to: part)
        } catch {
            add(step, to: part, unless: error)
        }
    }

    private var sortedLines: [(part: Part, text: String, fault: MillError?)] {
        Part.allCases.flatMap { part in lines.filter { $0.part == part } }
    }

    /// The plan as text, one line for each action.
    package var text: String {
        sortedLines.map { line in line.text + (line.fault.map { ": \($0.what)" } ?? "") + "\n" }.joined()
    }

    /// The faults of the plan, which a run would report, too.
    package var failures: [MillError] { sortedLines.compactMap(\.fault) }
}
