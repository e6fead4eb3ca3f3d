package import MillSystem

/// What became of the lines of some files.
package struct LineCounts: Sendable {
    /// Lines of which every document is accepted, or was shown whole.
    public private(set) var accepted = 0
    /// Lines of which a document is refused, malformed or absent.
    public private(set) var refused = 0
    /// Files that can't be read; the others were.
    public internal(set) var failures: [MillError] = []

    mutating func add(accepted: Int, refused: Int) {
        self.accepted += accepted
        self.refused += refused
    }

    mutating func count(_ isAccepted: Bool) { add(accepted: isAccepted ? 1 : 0, refused: isAccepted ? 0 : 1) }
}
