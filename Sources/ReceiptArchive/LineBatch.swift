internal import MillBytes
internal import MillSystem

/// Consecutive lines of an archive, passed to one worker.
package struct LineBatch: Sendable {
    package enum Content: Sendable {
        /// Whole lines. Each ends with a newline, except possibly the last.
        case lines([UInt8])
        /// One line longer than the limit, of which only the length is known.
        case overlongLine(bytes: Int)

        package var lineCount: Int {
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

    /// The position of the batch in the order of all batches of a run.
    package let sequence: Int
    package let content: Content
    /// The header of the archive, if the lines may be rows of a table.
    package let header: TableHeader?

    package init(sequence: Int, content: Content, header: TableHeader? = nil) {
        (self.sequence, self.content, self.header) = (sequence, content, header)
    }
}
