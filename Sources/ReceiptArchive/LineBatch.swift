/// Consecutive lines of an archive, handed to one worker.
struct LineBatch: Sendable {
    enum Content: Sendable {
        /// Whole lines, each but perhaps the last ended by a newline.
        case lines([UInt8])
        /// One line longer than the limit; its bytes were passed over.
        case overlongLine(bytes: Int)

        var lineCount: Int {
            guard case .lines(let text) = self else { return 1 }
            var count = 0
            var start = 0
            while let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count) {
                count += 1
                start = newline + 1
            }
            return start < text.count ? count + 1 : count
        }
    }

    /// Place in the order of all batches of a run.
    let sequence: Int
    let content: Content
}
