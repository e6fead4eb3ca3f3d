package import MillSystem

/// The results for the lines of some files.
package struct LineCounts: Sendable {
    /// Lines whose documents were all accepted, or all read whole.
    public private(set) var accepted = 0
    /// Lines with a document that is refused, malformed or missing.
    public private(set) var refused = 0
    /// The errors of files that can't be read; all other files were read.
    public internal(set) var failures: [MillError] = []

    mutating func add(accepted: Int, refused: Int) {
        self.accepted += accepted
        self.refused += refused
    }

    mutating func count(_ isAccepted: Bool) { add(accepted: isAccepted ? 1 : 0, refused: isAccepted ? 0 : 1) }
}
