internal import ArgumentParser

/// `--jobs`, wherever lines are verified in parallel.
struct JobOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Workers; as many as there are cores unless set.", valueName: "n"))
    var jobs: Int?

    /// More workers than any machine has cores would only hold memory.
    private static let greatest = 1024

    func validate() throws {
        try check("--jobs", jobs, in: 1...Self.greatest)
    }
}

extension ParsableArguments {
    /// - Throws: `ValidationError` for a value out of range.
    func check(_ option: String, _ value: Int?, in range: ClosedRange<Int>) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError("\(option) goes from \(range.lowerBound) to \(range.upperBound)")
    }
}
