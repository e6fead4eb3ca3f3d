internal import ReceiptTrust

/// A rejected line that was kept.
struct RejectedLine: Sendable {
    /// Its place in the order of all that were kept.
    let number: Int64
    let sha256: SHA256Digest
    /// The line that was loaded in its place.
    let mended: SHA256Digest?
    /// Those of the rejects file that hold it; none where none was written since.
    let editions: Range<Int64>

    /// Whether it is still rejected.
    var isStanding: Bool { mended == nil }

    /// Whether a line is this one as it was, or as it was once mended.
    func isKnown(by digest: SHA256Digest) -> Bool { digest == sha256 || digest == mended }
}

/// What is known of a rejects file, by its name.
struct WrittenRejects: Sendable {
    /// Every line that was ever kept, by number.
    var rejected: [RejectedLine] = []
    /// The one that was written last. Each time that the file is written is another.
    var edition: Int64 = 0
    /// Where this edition lies; nil where a run was killed while it wrote it.
    var path: String?

    /// The same without what the file was not written with.
    func onlyHeld() -> WrittenRejects {
        var held = self
        held.rejected.removeAll { !$0.editions.contains(edition) }
        return held
    }

    /// Those of some rejections that the only edition held which had as many of them,
    /// as indices; none where several had, for a copy of one can't be told from that of
    /// another.
    func heldByOnlyEdition(in section: Range<Int>, of count: Int) -> [Int] {
        var changes: [Int64: Int] = [:]
        for rejection in rejected[section] where !rejection.editions.isEmpty {
            changes[rejection.editions.lowerBound, default: 0] += 1
            changes[rejection.editions.upperBound, default: 0] -= 1
        }
        var lines = 0
        var fitting: [Int64] = []
        for edition in changes.keys.sorted() {
            lines += changes[edition] ?? 0
            if lines == count { fitting.append(edition) }
        }
        guard fitting.count == 1 else { return [] }
        return section.filter { rejected[$0].editions.contains(fitting[0]) }
    }
}
