/// A chunk of either sort with what it comes to.
enum Minted: Sendable {
    case receipts(ChunkTruth)
    case signed(SignedChunkTruth)

    var texts: [[UInt8]] {
        switch self {
        case .receipts(let minted): minted.chunk.texts
        case .signed(let minted): minted.chunk.texts
        }
    }

    /// What holds of a line, by its index in the chunk.
    func line(_ index: Int, archive: String, line: Int) -> LineTruth {
        switch self {
        case .receipts(let minted): LineTruth(minted.chunk.submissions[index], archive: archive, line: line)
        case .signed(let minted): LineTruth(minted.chunk.submissions[index], archive: archive, line: line)
        }
    }
}
