/// SQL about the last line of a growing archive, which may have been incomplete when it was read.
package enum CutLine {
    /// The condition that a row of `rejection` may be about a cut line: no document of the line was read, and no second
    /// one was found. Documents are numbered without gaps, so searching for the second is enough.
    package static let mayBeCut = """
        document = 1 AND status <> 'cleared'
        AND NOT EXISTS (
            SELECT 1 FROM rejection AS other
            WHERE (other.archive_id, other.line) = (rejection.archive_id, rejection.line) AND other.document > 1)
        AND NOT EXISTS (
            SELECT 1 FROM submission
            WHERE submission_id IN (
                (rejection.archive_id << 32) + rejection.line,
                (1 << 52) + (rejection.archive_id << 32) + rejection.line))
        """

    /// The number of lines in a row of `archive`, without the last line if it may be cut.
    package static let wholeLines = """
        lines - EXISTS (
            SELECT 1 FROM rejection
            WHERE rejection.archive_id = archive.archive_id AND rejection.line = archive.lines AND \(mayBeCut))
        """
}
