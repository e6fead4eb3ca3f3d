internal import ReceiptFormat
internal import ReportHeaders

/// Rows of a report as grids, such as a line for each cohort and a column for each age. There is a separate grid for
/// each app, environment, currency or other value by which rows differ.
struct TriangleTable {
    /// The maximum number of values, the same as for charts; further rows are left out.
    static let maximumCells = 100_000

    struct Grid {
        /// The values that distinguish this grid from the others.
        var name: String
        /// Headings of the columns.
        var columns: [String]
        /// Headings of the lines, each with a text for each column; a text is empty if no value is known.
        var lines: [(name: String, cells: [String])]
    }

    private let triangle: ReportTriangle
    private let places: (row: Int, column: Int, value: Int, name: [Int])
    private let columnKind: ColumnKind
    private let value: ReportColumn
    private var panels: [(name: String, lines: [DocumentText], cells: [DocumentText: [DocumentText: String]])] = []
    private var panelPlaces: [DocumentText: Int] = [:]
    private var cellCount = 0
    private(set) var isCut = false

    /// Nil if the header has no triangle.
    init?(_ header: ReportHeader) {
        guard let triangle = header.triangle, let row = header.places(of: [triangle.rows]).first,
            let column = header.places(of: [triangle.columns]).first,
            let value = header.places(of: [triangle.value]).first
        else { return nil }
        self.triangle = triangle
        self.value = header.columns[value]
        columnKind = header.columns[column].kind
        let currency = header.columns[value].currencyColumn
        let names = header.columns.indices.filter { index in
            let name = header.columns[index].name
            return (header.grain.contains(name) || name == currency) && ![row, column, value].contains(index)
        }
        places = (row, column, value, names)
    }

    mutating func add(_ row: [ReportValue]) {
        guard cellCount < Self.maximumCells else { return isCut = true }
        cellCount += 1
        let name = places.name.map { row[$0].plainText ?? "–" }.joined(separator: " · ")
        let panel = panelPlaces[DocumentText(name)] ?? panels.count
        if panel == panels.count {
            panelPlaces[DocumentText(name)] = panel
            panels.append((name, [], [:]))
        }
        let line = row[places.row].key ?? "–"
        let column = row[places.column].key ?? "–"
        if panels[panel].cells[line] == nil { panels[panel].lines.append(line) }
        panels[panel].cells[line, default: [:]][column] =
            row[places.value] == .null ? "" : ChartText.cell(row[places.value], of: value)
    }

    /// The grids. Columns are in numeric order if all headings are whole numbers, such as ages, otherwise in the order
    /// of the texts; lines are in the order of the rows.
    func grids() -> [Grid] {
        panels.map { panel in
            let found = Set(panel.cells.values.joined().map(\.key))
            let number = { (text: DocumentText) in columnKind == .integer ? Int(text.string) ?? 0 : 0 }
            let columns = found.sorted { (number($0), $0) < (number($1), $1) }
            let lines = panel.lines.map { line in
                (name: line.string, cells: columns.map { panel.cells[line]?[$0] ?? "" })
            }
            return Grid(name: panel.name, columns: columns.map(\.string), lines: lines)
        }
    }

    /// The heading of the corner, which names the columns from which the lines and the columns come.
    var corner: String { ChartText.words(triangle.rows) + " \\ " + ChartText.words(triangle.columns) }

    var cutRemark: String { "Only the first \(ChartText.grouped(String(Self.maximumCells))) values are shown." }
}
