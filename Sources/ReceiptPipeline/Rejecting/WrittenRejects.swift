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

    /// Those of some rejections that the file was written with, as indices.
    func held(in section: Range<Int>) -> [Int] {
        section.filter { rejected[$0].editions.contains(edition) }
    }

    /// The same without what the file was not written with.
    func onlyHeld() -> WrittenRejects {
        var held = self
        held.rejected.removeAll { !$0.editions.contains(edition) }
        return held
    }

    /// Whether another edition held as many lines in a section, of which some still
    /// stand: a copy of it that somebody mends can't be told from one of this.
    func isAmbiguous(_ section: Range<Int>, of count: Int) -> Bool {
        var changes: [Int64: (lines: Int, standing: Int)] = [:]
        for rejection in rejected[section] where !rejection.editions.isEmpty {
            let standing = rejection.isStanding ? 1 : 0
            changes[rejection.editions.lowerBound, default: (0, 0)].lines += 1
            changes[rejection.editions.lowerBound, default: (0, 0)].standing += standing
            changes[rejection.editions.upperBound, default: (0, 0)].lines -= 1
            changes[rejection.editions.upperBound, default: (0, 0)].standing -= standing
        }
        var (lines, standing) = (0, 0)
        let boundaries = changes.keys.sorted()
        for (index, first) in boundaries.enumerated() {
            guard let change = changes[first] else { continue }
            (lines, standing) = (lines + change.lines, standing + change.standing)
            let next = index + 1 < boundaries.count ? boundaries[index + 1] : .max
            if lines == count, standing > 0, !(first..<next).contains(edition) { return true }
        }
        return false
    }
}
