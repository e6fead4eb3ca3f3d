internal import MillBytes

/// The cells of a line.
struct StoreFileLine {
    /// The maximum number of cells; Apple's widest report has 36 columns.
    static let maximumWidth = 1024

    /// The character that separates cells.
    enum Delimiter: UInt8, CaseIterable {
        case tab = 0x09
        case comma = 0x2c
        case semicolon = 0x3b
    }

    /// The line without the quotes around cells.
    private(set) var bytes: [UInt8]
    /// The ranges of the cells, without surrounding white space.
    private(set) var cells: [Range<Int>] = []
    /// For people, what is wrong with the whole line; nil if the line could be split into cells.
    private(set) var breach: String?
    /// Whether the last cell begins with a quote that is not closed, for instance because a line break follows in the
    /// cell.
    var endsInOpenQuote: Bool {
        guard let last = cells.last, let first = bytes[last].first else { return false }
        return first == Self.quote && (last.count == 1 || bytes[last.upperBound - 1] != Self.quote)
    }
    var isBroken: Bool { breach != nil }

    init(_ line: [UInt8], _ delimiter: Delimiter) {
        bytes = line
        cells.reserveCapacity(40)
        if delimiter == .tab, ByteSearch.firstIndex(of: Self.quote, in: line.span, line.indices) == nil {
            splitPlain()
        } else {
            splitQuoted(line, delimiter)
        }
    }

    private static let quote = UInt8(ascii: "\"")

    private mutating func splitPlain() {
        var start = 0
        while let end = ByteSearch.firstIndex(of: Delimiter.tab.rawValue, in: bytes.span, start..<bytes.count) {
            append(start..<end)
            start = end + 1
            if isBroken { return }
        }
        append(start..<bytes.count)
    }

    /// Splits a line whose cells may be quoted. In lines with tabs, a cell counts as quoted only if there are quotes at
    /// both ends, because titles may begin with a quote.
    private mutating func splitQuoted(_ line: [UInt8], _ delimiter: Delimiter) {
        bytes.removeAll(keepingCapacity: true)
        var index = 0
        while true {
            let start = bytes.count
            while index < line.count, line[index] == UInt8(ascii: " ") { index += 1 }
            let isQuoted =
                index < line.count && line[index] == Self.quote && (delimiter != .tab || isQuotedCell(line, index))
            if isQuoted {
                index += 1
                while true {
                    guard index < line.count else {
                        breach = "the line has \(ReportFault.openQuote)"
                        break
                    }
                    if line[index] == Self.quote {
                        index += 1
                        guard index < line.count, line[index] == Self.quote else { break }
                    }
                    bytes.append(line[index])
                    index += 1
                }
            }
            // What follows a closing quote belongs to the cell: payments state totals such as "234.58" EUR.
            while index < line.count, line[index] != delimiter.rawValue {
                bytes.append(line[index])
                index += 1
            }
            append(start..<bytes.count)
            guard index < line.count, !isBroken else { return }
            index += 1
        }
    }

    /// Whether a cell has quotes at both ends, and only pairs of quotes between them.
    private func isQuotedCell(_ line: [UInt8], _ start: Int) -> Bool {
        let tab = ByteSearch.firstIndex(of: Delimiter.tab.rawValue, in: line.span, start..<line.count) ?? line.count
        let end = tab - 1
        guard end > start, line[end] == Self.quote else { return false }
        var index = start + 1
        while index < end {
            if line[index] == Self.quote {
                guard index + 1 < end, line[index + 1] == Self.quote else { return false }
                index += 1
            }
            index += 1
        }
        return true
    }

    private mutating func append(_ range: Range<Int>) {
        guard cells.count < Self.maximumWidth else {
            breach = "the line has more than \(Self.maximumWidth) cells"
            return
        }
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, let length = spaceLength(from: start, to: end) { start += length }
        while start < end, let length = spaceLength(before: end, from: start) { end -= length }
        cells.append(start..<end)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

    /// The length of white space at the start of a range, including the no-break space, which is one byte in Latin-1;
    /// nil if the range starts with other bytes.
    private func spaceLength(from start: Int, to end: Int) -> Int? {
        if Self.isSpace(bytes[start]) || bytes[start] == 0xa0 { return 1 }
        return bytes[start] == 0xc2 && start + 1 < end && bytes[start + 1] == 0xa0 ? 2 : nil
    }

    /// The length of white space at the end of a range; nil if the range ends with other bytes. In UTF-8, the last byte
    /// of `à` is the byte of a no-break space in Latin-1, so it does not count as white space.
    private func spaceLength(before end: Int, from start: Int) -> Int? {
        if Self.isSpace(bytes[end - 1]) { return 1 }
        guard bytes[end - 1] == 0xa0 else { return nil }
        // In UTF-8, a character of two bytes does not begin with a byte above 0xdf.
        if end - 1 == start || bytes[end - 2] < 0x80 || bytes[end - 2] >= 0xe0 { return 1 }
        return bytes[end - 2] == 0xc2 ? 2 : nil
    }

    /// Inserts empty cells before a cell.
    mutating func insertEmptyCells(_ count: Int, at index: Int) {
        let start = cells[index].lowerBound
        cells.insert(contentsOf: repeatElement(start..<start, count: count), at: index)
    }

    /// Whether a line has only white space and characters that separate cells in some files.
    static func isBlank(_ line: [UInt8]) -> Bool {
        line.allSatisfy { isSpace($0) || Delimiter(rawValue: $0) != nil }
    }

    /// Whether all cells are empty.
    var isBlank: Bool { cells.allSatisfy(\.isEmpty) }

    /// The number of cells up to the last nonempty one.
    var width: Int { (cells.lastIndex { !$0.isEmpty } ?? -1) + 1 }

    /// The bytes of a cell; empty if the line has fewer cells.
    func cell(_ index: Int) -> ArraySlice<UInt8> { index < cells.count ? bytes[cells[index]] : [] }

    /// The text of a cell; nil if the cell is empty or absent.
    func text(_ index: Int) -> String? {
        let cell = cell(index)
        return cell.isEmpty ? nil : ReportText.decoded(cell)
    }
}
