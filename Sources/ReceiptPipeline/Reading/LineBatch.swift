/// Consecutive lines of an archive, handed to one worker.
struct LineBatch: Sendable {
    enum Content: Sendable {
        /// Whole lines, each but perhaps the last ended by a newline.
        case lines([UInt8])
        /// One line longer than the limit; its bytes were passed over.
        case overlongLine(bytes: Int)
    }

    /// Place in the order of all batches of a run.
    let sequence: Int
    let content: Content
}
