internal import MillSystem
internal import ReceiptArchive

/// Empties the lines of a mended rejects file that are passed over: they can't be
/// read then, and nothing of what they say is written, not even a receipt that no
/// other line presents.
struct SettledLines {
    private let origins: LineOrigins
    /// Lines that came before.
    private var lines: Int64

    init(_ origins: LineOrigins, behind lines: Int64) {
        self.origins = origins
        self.lines = lines
    }

    /// - Parameter numbers: of the content's lines, where they are not those that
    ///   follow.
    mutating func emptied(_ content: LineBatch.Content, numbers: [Int64]?) -> LineBatch.Content {
        let first = lines
        lines += Int64(content.lineCount)
        guard case .lines(let text) = content else { return content }
        func isSettled(_ place: Int) -> Bool { origins[numbers?[place] ?? first + Int64(place) + 1] == .settled }
        guard (0..<content.lineCount).contains(where: isSettled) else { return content }
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count + 1)
        var (place, start) = (0, 0)
        while start < text.count {
            let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count)
            let end = newline.map { $0 + 1 } ?? text.count
            if isSettled(place) { kept.append(UInt8(ascii: "\n")) } else { kept += text[start..<end] }
            (place, start) = (place + 1, end)
        }
        return .lines(kept)
    }
}
