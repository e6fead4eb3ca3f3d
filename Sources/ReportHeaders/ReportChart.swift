internal import MillSystem

/// How values are drawn.
package enum ChartKind: String, Sendable, Hashable, CaseIterable {
    /// One bar for each row; bars of several measures are side by side.
    case bars
    case lines
    /// Lines with filled areas below them, stacked.
    case area
    /// Stacked bars, upwards from zero and downwards from zero, for what was added and what was taken away.
    case flows
    /// A row of coloured cells for each value of the series.
    case heat
}

/// The columns that a chart shows of a report's result.
package struct ReportChart: Sendable, Hashable {
    package var kind: ChartKind
    /// The column along the horizontal axis, in the order of the rows. Values of the type time are grouped by day.
    package var x: String
    /// The columns of the measures, all numbers of the same unit; ``rows`` if the rows themselves are counted.
    package var y: [String]
    /// The column whose values distinguish lines or colours.
    package var series: String?
    /// The column of the counts on which the measure is based.
    package var count: String?
    /// The column that a line over the flows shows, such as their balance.
    package var line: String?

    package init(
        kind: ChartKind, x: String, y: [String], series: String? = nil, count: String? = nil, line: String? = nil
    ) {
        (self.kind, self.x, self.y, self.series, self.count, self.line) = (kind, x, y, series, count, line)
    }

    /// The measure for a list: the number of rows for a value of x. If the report has a column of this name, that is
    /// used instead.
    package static let rows = ReportColumn(name: "rows", kind: .integer, meaning: "rows of the report")

    /// The columns of the measures, in their order; unknown names are left out.
    package func measures(among columns: [ReportColumn]) -> [ReportColumn] {
        y.compactMap { name in columns.first { $0.name == name } ?? (y == [Self.rows.name] ? Self.rows : nil) }
    }
}

extension ReportChart {
    /// Reads an entry such as `lines  x=month  y=refund_rate  series=product_id  n=purchases`.
    init(parsing text: String, line: Int, columns: [ReportColumn]) throws(MalformedReportHeader) {
        func malformed(_ message: String) -> MalformedReportHeader {
            let kinds = ChartKind.allCases.map(\.rawValue).joined(separator: ", ")
            return MalformedReportHeader(
                line: line, message: message,
                hint:
                    "write: Chart: kind  x=column  y=column,column  series=column  n=column  line=column; the kind is "
                    + "one of \(kinds); y=rows counts rows; series, n and line may be left out, the series not of heat")
        }
        var fields = HeaderFields(text)
        let name = fields.next()?.text ?? ""
        guard let kind = ChartKind(rawValue: name) else { throw malformed("there is no chart of kind \(name)") }
        let (texts, stranger) = fields.roles(["x", "y", "series", "n", "line"])
        if let stranger { throw malformed("\(stranger) says nothing of a chart") }
        let roles = texts.mapValues { $0.split(separator: ",").map(String.init) }
        guard let x = roles["x"]?.first, let y = roles["y"], !y.isEmpty,
            roles.allSatisfy({ $0.key == "y" || $0.value.count == 1 })
        else { throw malformed("the chart lacks x or y, or has two of x, series, n or line") }
        self.init(kind: kind, x: x, y: y, series: roles["series"]?[0], count: roles["n"]?[0], line: roles["line"]?[0])
        let measures = self.measures(among: columns)
        for name in [x] + (measures == [Self.rows] ? [] : y) + [series, count, self.line].compactMap(\.self)
        where !columns.contains(where: { $0.name == name }) {
            throw malformed("the chart shows \(name), which is no column")
        }
        if let text = measures.first(where: { !$0.kind.isNumber }) {
            throw malformed("the chart measures \(text.name), which is no number")
        }
        guard self.line == nil || kind == .flows else { throw malformed("a line stands over flows alone") }
        let drawn = measures + columns.filter { $0.name == self.line }
        guard Set(drawn.map { [$0.kind == .share ? "share" : nil, $0.unit, $0.currencyColumn] }).count == 1 else {
            throw malformed("the chart's measures have different units")
        }
        if kind == .heat, measures.count > 1 || measures == [Self.rows] || series == nil {
            throw malformed("a heat map has one measure, a column's, and a series for its rows")
        }
        guard count == nil || columns.contains(where: { $0.name == count && $0.kind == .integer }) else {
            throw malformed("the chart rests on \(count ?? ""), which is no count")
        }
    }
}
