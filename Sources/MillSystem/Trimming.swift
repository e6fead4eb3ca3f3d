extension StringProtocol {
    /// Without white space at either end.
    package var trimmed: String { String(trimmedAtEnd.drop(while: \.isWhitespace)) }

    /// Without white space at the end.
    package var trimmedAtEnd: SubSequence { lastIndex { !$0.isWhitespace }.map { self[...$0] } ?? prefix(0) }
}
