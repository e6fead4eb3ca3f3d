/// The description of a report, in the comment lines at the start of its file.
///
/// ```sql
/// -- refunds: Refunds by product and month
/// -- Which products are refunded, how often, and when?
/// --
/// -- Grain: one row per product_id, month
/// --
/// -- Parameters:
/// --   :from  date  2008-07-10  first day that counts
/// --
/// -- Columns:
/// --   product_id  text     product bought
/// --   month       month    month of the purchases
/// --   purchases   integer  transactions bought in the month, whatever came
/// --                        of them later
/// --
/// -- Chart: lines  x=month  y=purchases  series=product_id
/// --
/// -- Notes:
/// --   Free text.
/// --
/// -- Example:
/// --   receiptmill report refunds --database mill.sqlite
/// ```
///
/// Title, question, grain, columns and example are required; parameters, chart
/// and notes are not, nor are `Aliases: name, name`, `Shown: column, column`, `Total: column, column` and
/// `Triangle: rows=column columns=column value=column`. Spaces separate the fields of an entry; a default that
/// holds spaces is written in single quotes, `null` says that there is none, and
/// `required` that the report can't do without a value. Brackets behind a
/// parameter's type say which values it takes: `text(low, high)` one of these,
/// `integer(1..)` and `integer(0..400)` from and up to a bound,
/// `date(:from..)` from another parameter's value. A line that is indented
/// further than its section's first goes on with the entry above.
package struct ReportHeader: Sendable, Hashable {
    /// The report's name, also its file's: lower-case words joined by hyphens.
    package var name: String
    /// A few words for lists and headings.
    package var title: String
    /// What the report answers, in plain words.
    package var question: String
    /// The columns that identify a row.
    package var grain: [String]
    /// What can be set, in the header's order.
    package var parameters: [ReportParameter]
    /// The result's columns in their order.
    package var columns: [ReportColumn]
    /// How to draw the result; none where a chart would add nothing.
    package var charts: [ReportChart] = []
    /// Other names that find the report.
    package var aliases: [String] = []
    /// The main columns, which tables for people show; nil for all as far as there is room.
    package var shown: [String]?
    /// Columns whose values may be added, for the rows of a currency where there are any.
    package var totals: [String] = []
    /// How people see the rows; nil for one beneath the other.
    package var triangle: ReportTriangle?
    /// What a reader has to know to understand the numbers; lines as written.
    package var notes: String?
    /// A command to copy.
    package var example: String
    /// How many lines the header takes.
    package var lineCount: Int
    /// The zone that days and months are of, where a run has read it.
    package var timeZone: String?
    /// The lines of the parameters and of the columns, for messages.
    package var parameterLines: [Int] = []
    package var columnLines: [Int] = []
}

/// Rows laid out as a grid, as cohorts by their age: columns by their role.
package struct ReportTriangle: Sendable, Hashable {
    /// The column whose values begin the lines.
    package var rows: String
    /// The column whose values head the columns.
    package var columns: String
    /// The column whose values fill the cells.
    package var value: String
}

/// How values are drawn.
package enum ChartKind: String, Sendable, Hashable, CaseIterable {
    /// One bar for each row, side by side where there are several measures.
    case bars
    case lines
    /// Lines with the areas below them, one on the other.
    case area
    /// A row of coloured cells for each value of the series.
    case heat
}

/// What a chart of a report's result shows: columns by their role.
package struct ReportChart: Sendable, Hashable {
    package var kind: ChartKind
    /// The column along the horizontal axis, in the order of the rows; moments count by their day.
    package var x: String
    /// The measures, all numbers and of one unit; ``rows`` where the rows themselves are counted.
    package var y: [String]
    /// The column whose values part the rows into lines or colours.
    package var series: String?
    /// The column that counts what the measure rests on.
    package var count: String?

    package init(kind: ChartKind, x: String, y: [String], series: String? = nil, count: String? = nil) {
        (self.kind, self.x, self.y, self.series, self.count) = (kind, x, y, series, count)
    }

    /// The measure of a list: how many rows stand at a value of x. A column of this name goes before it.
    package static let rows = ReportColumn(name: "rows", kind: .integer, meaning: "rows of the report")

    /// The columns of the measures, in their order, as far as they are known.
    package func measures(among columns: [ReportColumn]) -> [ReportColumn] {
        y.compactMap { name in columns.first { $0.name == name } ?? (y == [Self.rows.name] ? Self.rows : nil) }
    }
}

/// What a column's values are.
package enum ColumnKind: String, Sendable, Hashable, CaseIterable {
    case text
    case integer
    case real
    /// A part of one: 0.25 is a quarter.
    case share
    /// Whole thousandths of a currency, which another column names: `money(currency)`.
    case money
    /// A day of the database's time zone, `2024-02-29`.
    case date
    /// A month of the database's time zone, `2024-02`.
    case month
    /// A moment in UTC, `2024-02-29T12:00:00Z`.
    case time

    /// Whether values are amounts, which people compare digit below digit.
    package var isNumber: Bool { [.integer, .real, .share, .money].contains(self) }
}

/// A column of a report's result.
package struct ReportColumn: Sendable, Hashable {
    package var name: String
    package var kind: ColumnKind
    /// The unit, given in brackets after the type: `integer(days)`; of money the column of its currency.
    package var unit: String?
    package var meaning: String

    /// The column that names the currency of money.
    package var currencyColumn: String? { kind == .money ? unit : nil }
}

extension ReportHeader {
    /// What people read before the rows: the question, and which zone the days are of where there are any.
    package var introduction: [String] {
        let hasDays = columns.contains { [.date, .month].contains($0.kind) }
        return [question] + (hasDays ? timeZone.map { ["Days and months are those of \($0)."] } ?? [] : [])
    }
}
