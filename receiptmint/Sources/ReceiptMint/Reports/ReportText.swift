/// Lines of tab-separated cells, in the order in which they were added.
struct ReportText: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Lines that are neither headers nor totals.
    private(set) var rows = 0

    init(_ headers: [String]...) {
        for header in headers { add(header) }
    }

    mutating func add(_ cells: [String]) {
        bytes += cells.joined(separator: "\t").utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The lines of another text, as a summary behind the rows.
    mutating func add(_ other: ReportText) { bytes += other.bytes }

    /// In an order that depends on the cells alone.
    mutating func add(rows: [[String]]) {
        for row in rows.sorted(by: { $0.lexicographicallyPrecedes($1) }) { add(row) }
        self.rows += rows.count
    }

    /// Sales that are alike but for their units are one row.
    ///
    /// - Parameter fill: puts the units, and what depends on them, into the cells.
    mutating func add(_ grouped: GroupedRows, fill: ([String], Int64) -> [String]) {
        let sorted = grouped.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (cells, units) in sorted { add(fill(cells, units)) }
        rows += sorted.count
    }

    /// An amount as text.
    ///
    /// - Parameters:
    ///   - milliunits: thousandths of the currency's unit.
    ///   - digits: two or three behind the point.
    static func amount(_ milliunits: Int64, digits: Int = 2) -> String {
        let (whole, rest) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1_000)
        let fraction = String(String(1_000 + rest).dropFirst().prefix(digits))
        return (milliunits < 0 ? "-" : "") + String(whole) + "." + fraction
    }
}

/// Cells → units; the units' own cell is empty among the cells.
typealias GroupedRows = [[String]: Int64]

extension GroupedRows {
    init(_ sales: [ReportedSale], cells: (ReportedSale) -> [String]) {
        self.init(sales.map { (cells($0), $0.units) }, uniquingKeysWith: +)
    }
}

extension [String] {
    func with(_ text: String, at column: Int) -> [String] {
        var cells = self
        cells[column] = text
        return cells
    }
}
