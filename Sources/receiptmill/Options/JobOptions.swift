internal import ArgumentParser

/// `--jobs`, wherever lines are verified in parallel.
struct JobOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Workers; as many as there are cores unless set.", valueName: "n"))
    var jobs: Int?

    /// More workers than any machine has cores would only hold memory.
    private static let greatest = 1024

    func validate() throws {
        if let jobs, !(1...Self.greatest).contains(jobs) {
            throw ValidationError("--jobs goes from 1 to \(Self.greatest)")
        }
    }
}
