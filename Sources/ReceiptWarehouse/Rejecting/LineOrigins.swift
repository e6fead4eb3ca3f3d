internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

/// What the lines of a mended rejects file stand for.
///
/// A line that is as it was, or as it was once mended, is known by its SHA-256.
/// Those that occur once on either side, in the same order, divide file and
/// rejections into sections. A section with as many lines as it was written with
/// was mended line by line: the k-th line is the k-th rejection's, also where that
/// was settled since. Where lines were removed or added nothing tells which: those
/// stand for nothing.
///
/// With what the file in its place was written is known. Another may be a copy of
/// any edition, and so is the one in its place after a kill while it was written: a
/// section of it counts only where a single edition fits it, and what was settled
/// since is not what it was mended for.
struct LineOrigins: Sendable {
    enum Origin: Sendable, Hashable {
        /// The rejection of this number; the digest is that of the line now, which was
        /// changed, or is as it was.
        case rejection(Int64, now: SHA256Digest, isChanged: Bool)
        /// Settled before: to be passed over.
        case settled
    }

    /// By the line of the file, from 1.
    private(set) var origins: [Int64: Origin] = [:]
    private let lineCount: Int64
    /// Lines that were neither kept nor loaded in the place of such a one: somebody's
    /// work, which would be lost with the file.
    let newLines: Int
    /// Of these, lines that are passed over: what they mend was settled since.
    private(set) var lateLines = 0

    subscript(line: Int64) -> Origin? { origins[line] }

    /// - Parameters:
    ///   - lines: the file's; nil where one is too long to be read.
    ///   - isInPlace: whether it lies where it was written.
    init(of lines: [SHA256Digest?], among written: WrittenRejects, isInPlace: Bool) {
        lineCount = Int64(lines.count)
        let held = written.onlyHeld()
        let (ever, own) = (Self.places(in: written.rejected), Self.places(in: held.rejected))
        newLines = lines.count { line in line.map { ever[$0] == nil } ?? true }
        let isNewest = isInPlace && !lines.contains { $0.map { Self.tellsOfOlder($0, ever, own, written) } ?? false }
        let (written, places) = isNewest ? (held, own) : (written, ever)
        let rejected = written.rejected
        let positions = Self.positions(of: lines, places, among: rejected.count) { section, count in
            guard isNewest else { return written.heldByOnlyEdition(in: section, of: count) }
            return section.count == count ? Array(section) : []
        }

        var taken: Set<Int> = []
        func give(_ place: Int, to line: Int, _ digest: SHA256Digest, isChanged: Bool) {
            taken.insert(place)
            origins[Int64(line) + 1] =
                rejected[place].isStanding
                ? .rejection(rejected[place].number, now: digest, isChanged: isChanged) : .settled
        }
        // Lines as they were come first, each to its own place: their twins and what was
        // changed have the rest.
        for (line, digest) in lines.enumerated() {
            guard let digest, let place = positions[line], rejected[place].isKnown(by: digest) else { continue }
            give(place, to: line, digest, isChanged: false)
        }
        var unused = places.mapValues { $0.filter { rejected[$0].isStanding && !taken.contains($0) }[...] }
        let settled = places.compactMapValues { twins in twins.first { !rejected[$0].isStanding } }
        for (line, digest) in lines.enumerated() where origins[Int64(line) + 1] == nil {
            guard let digest, let place = unused[digest]?.popFirst() ?? settled[digest] else { continue }
            give(place, to: line, digest, isChanged: false)
        }
        for (line, digest) in lines.enumerated() {
            guard let digest, places[digest] == nil, let place = positions[line], !taken.contains(place),
                isNewest || rejected[place].isStanding
            else { continue }
            give(place, to: line, digest, isChanged: true)
            if !rejected[place].isStanding { lateLines += 1 }
        }
    }

    /// Whether a line that lies in the place of the newest file is one that older
    /// editions alone held. Of twins, one may be mended as the other was.
    private static func tellsOfOlder(
        _ line: SHA256Digest, _ ever: [SHA256Digest: [Int]], _ own: [SHA256Digest: [Int]], _ written: WrittenRejects
    ) -> Bool {
        guard own[line] == nil, let places = ever[line] else { return false }
        return !places.contains { own[written.rejected[$0].sha256] != nil }
    }

    /// Where rejected lines stand among others, by what they are known by.
    private static func places(in rejected: [RejectedLine]) -> [SHA256Digest: [Int]] {
        var places: [SHA256Digest: [Int]] = [:]
        for (place, rejection) in rejected.enumerated() {
            places[rejection.sha256, default: []].append(place)
            guard let mended = rejection.mended, mended != rejection.sha256 else { continue }
            places[mended, default: []].append(place)
        }
        return places
    }

    /// The place that each line has by those of lines that are known.
    ///
    /// - Parameters:
    ///   - count: of places.
    ///   - section: the places of a section's lines, by its range of places and how many
    ///     lines it has; none where nothing tells them.
    private static func positions(
        of lines: [SHA256Digest?], _ places: [SHA256Digest: [Int]], among count: Int,
        section: (Range<Int>, Int) -> [Int]
    ) -> [Int: Int] {
        var occurrences: [SHA256Digest: Int] = [:]
        for case let digest? in lines { occurrences[digest, default: 0] += 1 }
        let pairs = lines.enumerated().compactMap { (line, digest) -> (line: Int, place: Int)? in
            guard let digest, let known = places[digest], known.count == 1, occurrences[digest] == 1 else { return nil }
            return (line, known[0])
        }
        var positions: [Int: Int] = [:]
        var (line, place) = (0, 0)
        for divider in ascending(pairs) + [(lines.count, count)] {
            for (line, place) in zip(line..<divider.line, section(place..<divider.place, divider.line - line)) {
                positions[line] = place
            }
            if divider.line < lines.count { positions[divider.line] = divider.place }
            (line, place) = (divider.line + 1, divider.place + 1)
        }
        return positions
    }

    /// Refuses a file of which some lines stand for nothing: neither for a rejection
    /// that is open, nor as they were for one that was cleared. To load them would be
    /// to load twice what another line of theirs, or the archive itself, has told
    /// before or is still to tell.
    ///
    /// - Parameter settled: lines that were read before, which are not to be loaded.
    func refuseStrangers(of path: String, behind settled: Int64) throws(MillError) {
        let strangers = (settled..<max(settled, lineCount)).count { origins[$0 + 1] == nil }
        guard strangers > 0 else { return }
        throw MillError(
            stage: .reading, path: path,
            what: "\(strangers) of its lines stand for no rejection that is open; nothing of it is loaded",
            hint:
                "what was loaded since, also by --again, is no longer in the newest file. Move this one away, run again, "
                + "copy the lines that you have mended into the file that is written, each over its own, and load that. "
                + "An archive that is no rejects file needs another name",
            exitStatus: .badData)
    }

    /// By what a line is known: its SHA-256 without what editors make of its end.
    static func digest(
        of line: Range<Int>, in text: Span<UInt8>, by digest: MessageDigest
    ) throws(OpenSSLError) -> SHA256Digest {
        var end = line.upperBound
        while end > line.lowerBound, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return try digest.sha256(text, in: line.lowerBound..<end)
    }

    /// The longest part of the pairs, ascending by line, that ascends by place too.
    private static func ascending(_ pairs: [(line: Int, place: Int)]) -> [(line: Int, place: Int)] {
        // Last pair of the best run of each length, and each pair's former.
        var tails: [Int] = []
        var formers: [Int] = []
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[tails[middle]].place < pair.place { low = middle + 1 } else { high = middle }
            }
            formers.append(low == 0 ? -1 : tails[low - 1])
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var run: [(line: Int, place: Int)] = []
        var index = tails.last ?? -1
        while index >= 0 {
            run.append(pairs[index])
            index = formers[index]
        }
        return run.reversed()
    }
}

extension ArchiveFingerprint {
    /// What its lines stand for, where it is a mended rejects file.
    var origins: LineOrigins? {
        get { lineOrigins as? LineOrigins }
        set { lineOrigins = newValue }
    }
}
