internal import ReceiptVerification

/// An archive as it is being loaded.
struct LoadingArchive {
    let number: Int64
    /// Lines settled before the batch at hand.
    var lines: Int64
    var loadedLines: Int64
    let origins: LineOrigins?
    /// Whether lines come for which no submission stands yet.
    let isReadAgain: Bool
    /// Lines that came in this run.
    var linesRead = 0
    /// Lines of a mended rejects file that were changed and can't be read either.
    var unmended: UnmendedLines?
    /// Lines of the batch at hand, where they are not those that follow.
    var numbers: [Int64]?

    /// The line at a place of the batch at hand.
    func line(_ place: Int) -> Int64 { numbers?[place] ?? lines + Int64(place) + 1 }

    mutating func count(unmended line: Int64, _ cause: Unreadable) {
        var lines = unmended ?? UnmendedLines(count: 0, first: line, cause: cause)
        lines.count += 1
        unmended = lines
    }

    /// The number of the submission at a place of the batch at hand: archive and
    /// line in one integer, in the order of loading.
    func submissionNumber(line place: Int) -> Int64 { number << 32 | line(place) }
}

/// How many lines, and what is wrong with the first.
struct UnmendedLines {
    var count: Int
    let first: Int64
    let cause: Unreadable
}
