extension StringProtocol {
    /// The text without white space at either end.
    package var trimmed: String { String(trimmedAtEnd.drop(while: \.isWhitespace)) }

    /// The text without white space at its end.
    package var trimmedAtEnd: SubSequence { lastIndex { !$0.isWhitespace }.map { self[...$0] } ?? prefix(0) }
}
