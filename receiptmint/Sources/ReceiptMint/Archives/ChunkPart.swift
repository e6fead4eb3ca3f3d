/// The part of an archive's lines that one chunk holds.
struct ChunkPart {
    private let first: Int
    let count: Int

    /// - Parameter index: 0 for the first chunk.
    init(_ index: Int, of lines: Int) {
        first = index * MintedChunk.lines
        count = min(MintedChunk.lines, lines - first)
    }

    /// How many lines of a kind the chunk holds, so that all chunks
    /// together meet the share to within one line.
    func quota(_ share: Double, linesEach: Int = 1) -> Int {
        func upTo(_ line: Int) -> Int { Int((Double(line) * share / Double(linesEach)).rounded(.down)) }
        return upTo(first + count) - upTo(first)
    }
}
