/// Lines that belong together, and what is true of them when the archive ends.
struct Story: Sendable {
    /// Adds to the truth.
    typealias Count = @Sendable (inout Truth2026) -> Void

    var lines: [SignedSubmission] = []
    var counts: [Count] = []
}
