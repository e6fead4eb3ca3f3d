internal import MillSystem
internal import ReceiptArchive

/// Picks from an archive that was loaded before the lines for which no submission
/// stands: those that were rejected, and those behind what was read.
///
/// A line of a rejects file that repeats a rejection is one of them while that
/// rejection stands.
struct UnsettledLines {
    private let loadDatabase: LoadDatabase
    private let archive: Int64
    /// Lines that were read before.
    private let settled: Int64
    private let origins: LineOrigins?
    private var lines: Int64 = 0

    init(_ loadDatabase: LoadDatabase, archive: Int64, settled: Int64, origins: LineOrigins?) {
        self.loadDatabase = loadDatabase
        self.archive = archive
        self.settled = settled
        self.origins = origins
    }

    /// What of the next whole lines is to be read, and the numbers of those lines;
    /// nil where nothing is.
    mutating func pick(
        from content: LineBatch.Content
    ) throws(MillError) -> (content: LineBatch.Content, numbers: [Int64])? {
        let first = lines + 1
        lines += Int64(content.lineCount)
        var numbers: [Int64] = []
        if first <= settled {
            let unsettled = try loadDatabase.unsettledLines(ofArchive: archive, in: first...min(lines, settled))
            numbers = unsettled.rejected
            for line in unsettled.repeated {
                if case .rejection? = origins?[line] { numbers.append(line) }
            }
            numbers.sort()
        }
        if settled < lines { numbers += Array(max(first, settled + 1)...lines) }
        guard !numbers.isEmpty else { return nil }
        guard case .lines(let text) = content, numbers.count < lines - first + 1 else { return (content, numbers) }
        return (.lines(Self.lines(numbers.map { Int($0 - first) }, of: text)), numbers)
    }

    /// The lines at some places of a text, ascending, each with its newline.
    private static func lines(_ places: [Int], of text: [UInt8]) -> [UInt8] {
        var picked: [UInt8] = []
        var (place, start, wanted) = (0, 0, places[...])
        while start < text.count, let next = wanted.first {
            let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count)
            let end = newline.map { $0 + 1 } ?? text.count
            if place == next {
                picked += text[start..<end]
                wanted.removeFirst()
            }
            (place, start) = (place + 1, end)
        }
        return picked
    }
}
