internal import MillSystem

/// Texts in aligned columns, two blanks apart.
enum TextColumns {
    /// - Parameter rows: rows with a text for each column.
    static func widths(of rows: [[String]]) -> [Int] {
        (rows.first ?? []).indices.map { index in rows.map { TerminalText.width(of: $0[index]) }.max() ?? 0 }
    }

    /// The width of a whole line with the blanks between columns.
    static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }

    /// The line between headings and rows.
    static func rule(_ widths: [Int]) -> String {
        widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    }

    /// - Parameter isRight: whether the texts of a column are aligned to the right, as amounts are.
    static func line(_ texts: [String], _ widths: [Int], isRight: (Int) -> Bool = { _ in false }) -> String {
        let padded = zip(texts, widths).enumerated().map { index, cell in
            TerminalText.padded(cell.0, to: cell.1, onLeft: isRight(index))
        }
        return String(padded.joined(separator: "  ").trimmedAtEnd)
    }
}
