/// Lines of tab-separated cells, in the order in which they were added.
struct ReportText: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Lines so far, from which a line's number follows.
    private(set) var lines = 0

    /// Lines that are rows.
    ///
    /// - Parameter other: number of lines that aren't; 0 where they are told by their texts.
    func rows(besides other: Int) -> Int { other > 0 ? lines - other : dataRows }

    /// Rows of a report whose headers repeat.
    private var dataRows: Int {
        bytes.split(separator: UInt8(ascii: "\n")).count { $0.first.map { (48...57).contains($0) } ?? false }
    }

    mutating func add(_ cells: [String]) {
        bytes += cells.joined(separator: "\t").utf8
        bytes.append(UInt8(ascii: "\n"))
        lines += 1
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

extension ReportText {
    /// A report of sales; those that are alike but for their units are one row.
    init(_ header: [String], _ rows: GroupedRows, fill: ([String], Int64) -> [String]) {
        add(header)
        add(rows, fill: fill)
    }

    /// - Parameter fill: puts the units, and what depends on them, into the cells.
    mutating func add(_ rows: GroupedRows, fill: ([String], Int64) -> [String]) {
        // In an order that depends on the cells alone.
        for (cells, units) in rows.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) { add(fill(cells, units)) }
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
