package import MillSystem

/// A list of what a run would do now, and of what would fail.
package struct RunPlan: Sendable {
    /// The parts of a plan, in the order in which a person reads them. Steps work in another order: archives, for
    /// instance, are moved behind all else.
    enum Part: Int, CaseIterable {
        case database, comparison, search, archives, deadLetters, corrections, absence, disposal, outputs, alarms
        case retention
    }

    private var lines: [(part: Part, text: String, fault: MillError?)] = []

    mutating func add(_ step: String, to part: Part, unless fault: MillError? = nil) {
        lines.append((part, step, fault))
    }

    /// Adds a line with the fault that a check finds.
    mutating func add(_ step: String, to part: Part, unlessFails check: () throws(MillError) -> Void) {
        do throws(MillError) {
            try check()
            add(step, to: part)
        } catch {
            add(step, to: part, unless: error)
        }
    }

    private var sortedLines: [(part: Part, text: String, fault: MillError?)] {
        Part.allCases.flatMap { part in lines.filter { $0.part == part } }
    }

    /// A line for each thing that would be done.
    package var text: String {
        sortedLines.map { line in line.text + (line.fault.map { ": \($0.what)" } ?? "") + "\n" }.joined()
    }

    /// What is wrong already; a run would report the same.
    package var failures: [MillError] { sortedLines.compactMap(\.fault) }
}
