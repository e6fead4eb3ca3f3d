internal import ReceiptTrust

/// A rejected line that was kept.
struct RejectedLine: Sendable {
    /// Its place in the order of all that were kept.
    let number: Int64
    let sha256: SHA256Digest
    /// The line that was loaded in its place.
    let mended: SHA256Digest?
    /// Whether it is still rejected.
    var isStanding: Bool { mended == nil }
}

/// What the lines of a mended rejects file stand for.
///
/// A line that is as it was, or as it was once mended, is known by its SHA-256.
/// Those that occur once on either side, in the same order, divide file and
/// rejections into sections. A section with as many lines as rejections that
/// stand was mended line by line: the k-th line is the k-th rejection's. Where
/// lines were removed or added nothing tells which: those stand for nothing.
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
    private(set) var newLines = 0

    subscript(line: Int64) -> Origin? { origins[line] }

    /// - Parameters:
    ///   - lines: the file's; nil where one is too long to be read.
    ///   - rejected: every line that was ever kept, by number.
    init(of lines: [SHA256Digest?], among rejected: [RejectedLine]) {
        lineCount = Int64(lines.count)
        var places: [SHA256Digest: [Int]] = [:]
        var mended: Set<SHA256Digest> = []
        for (place, rejection) in rejected.enumerated() {
            places[rejection.sha256, default: []].append(place)
            if let digest = rejection.mended {
                if digest != rejection.sha256 { places[digest, default: []].append(place) }
                mended.insert(digest)
            }
        }
        var occurrences: [SHA256Digest: Int] = [:]
        for digest in lines { if let digest { occurrences[digest, default: 0] += 1 } }

        var pairs: [(line: Int, place: Int)] = []
        var unused = places.mapValues { $0.filter { rejected[$0].isStanding }[...] }
        for (line, digest) in lines.enumerated() {
            guard let digest, let known = places[digest] else {
                newLines += 1
                continue
            }
            if known.count == 1, occurrences[digest] == 1 { pairs.append((line, known[0])) }
            if let place = unused[digest]?.popFirst() {
                origins[Int64(line) + 1] = .rejection(rejected[place].number, now: digest, isChanged: false)
            } else if mended.contains(digest) || known.contains(where: { !rejected[$0].isStanding }) {
                origins[Int64(line) + 1] = .settled
            }
        }
        var (line, place) = (0, 0)
        for divider in Self.ascending(pairs) + [(lines.count, rejected.count)] {
            let section = (place..<divider.place).filter { rejected[$0].isStanding }
            if section.count == divider.line - line {
                for (line, place) in zip(line..<divider.line, section) {
                    guard let digest = lines[line], places[digest] == nil, occurrences[rejected[place].sha256] == nil
                    else { continue }
                    origins[Int64(line) + 1] = .rejection(rejected[place].number, now: digest, isChanged: true)
                }
            }
            (line, place) = (divider.line + 1, divider.place + 1)
        }
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
                "mend the newest file, and keep number and order of its lines: what was loaded since, also by --again, "
                + "is no longer in it. An archive that is no rejects file needs another name",
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
