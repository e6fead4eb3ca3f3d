internal import MillBytes

/// The cells of a line.
struct ReportRow {
    /// The greatest number of cells; the widest report of the store has 36 columns.
    static let greatestWidth = 1024

    /// What separates cells.
    enum Delimiter: UInt8, CaseIterable {
        case tab = 0x09
        case comma = 0x2c
        case semicolon = 0x3b
    }

    /// Bytes without the quotes around cells.
    private(set) var bytes: [UInt8]
    /// The cells without white space around them.
    private(set) var cells: [Range<Int>] = []
    /// Whether the line has more cells than ``greatestWidth``, or a quote that does not end.
    private(set) var isBroken = false

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

    /// Splits a line in which cells may stand in quotes. Of tabulated lines a cell counts as quoted only where quotes
    /// stand at both ends, because titles may begin with a quote.
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
                        isBroken = true
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
            // What follows a closing quote belongs to the cell: payments state totals as "234.58" EUR.
            while index < line.count, line[index] != delimiter.rawValue {
                bytes.append(line[index])
                index += 1
            }
            append(start..<bytes.count)
            guard index < line.count, !isBroken else { return }
            index += 1
        }
    }

    private func isQuotedCell(_ line: [UInt8], _ start: Int) -> Bool {
        let tab = ByteSearch.firstIndex(of: Delimiter.tab.rawValue, in: line.span, start..<line.count) ?? line.count
        guard tab > start + 1, line[tab - 1] == Self.quote else { return false }
        var (index, end) = (start + 1, tab - 1)
        while index < end {
            if line[index] == Self.quote {
                guard index + 1 < end, line[index + 1] == Self.quote else { return false }
                index += 1
            }
            index += 1
        }
        end = index
        return end == tab - 1
    }

    private mutating func append(_ range: Range<Int>) {
        guard cells.count < Self.greatestWidth else {
            isBroken = true
            return
        }
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, Self.isSpace(bytes[start]) { start += 1 }
        while start < end, Self.isSpace(bytes[end - 1]) { end -= 1 }
        cells.append(start..<end)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

    /// Inserts cells without a text before a cell.
    mutating func insertEmptyCells(_ count: Int, at index: Int) {
        let start = cells[index].lowerBound
        cells.insert(contentsOf: repeatElement(start..<start, count: count), at: index)
    }

    /// Whether no cell has a text.
    var isBlank: Bool { cells.allSatisfy(\.isEmpty) }

    /// The number of cells up to the last one that has a text.
    var width: Int { (cells.lastIndex { !$0.isEmpty } ?? -1) + 1 }

    /// The bytes of a cell; empty where the line has fewer cells.
    func cell(_ index: Int) -> ArraySlice<UInt8> { index < cells.count ? bytes[cells[index]] : [] }

    /// The text of a cell; nil where the cell is empty or absent.
    func text(_ index: Int) -> String? {
        let cell = cell(index)
        return cell.isEmpty ? nil : ReportText.decoded(cell)
    }
}
