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
/// Title, question, grain, columns and example are required; parameters, chart and notes are not, nor are `Aliases:
/// name, name`, `Shown: column, column`, `Optional: column, column`, `Total: column, column` and `Triangle: rows=column columns=column
/// value=column`. Spaces separate the fields of an entry. A default that holds spaces is written in single quotes,
/// `null` stands for no default, and `required` for a parameter that has to be given. Brackets after a parameter's type
/// limit its values: `text(low, high)` to one of these words, `integer(1..)` and `integer(0..400)` by bounds,
/// `date(:from..)` by another parameter's value. A line that is indented further than its section's first line
/// continues the entry above.
package struct ReportHeader: Sendable, Hashable {
    /// The report's name, which is the file's name, too: lower-case words joined by hyphens.
    package var name: String
    /// A few words for lists and headings.
    package var title: String
    /// The question that the report answers, in plain words.
    package var question: String
    /// The columns that identify a row.
    package var grain: [String]
    /// The parameters that can be set, in the header's order.
    package var parameters: [ReportParameter]
    /// The result's columns in their order.
    package var columns: [ReportColumn]
    /// The charts of the result; none where a chart would add nothing.
    package var charts: [ReportChart] = []
    /// Other names by which the report is found.
    package var aliases: [String] = []
    /// The main columns, which tables for people show; nil for as many columns as fit.
    package var shown: [String]?
    /// Columns that are given only where they are asked for, by the parameter of the first one's name.
    package var optional: [String] = []
    /// Columns whose values may be summed, by currency where there are currencies.
    package var totals: [String] = []
    /// The grid in which people see the rows; nil where rows stand one beneath the other.
    package var triangle: ReportTriangle?
    /// Notes that a reader has to know to understand the numbers; lines as written.
    package var notes: String?
    /// A command that a reader can copy.
    package var example: String
    /// Number of the header's lines.
    package var lineCount: Int
    /// The zone of days and months, where a run has read the zone.
    package var timeZone: String?
    /// Numbers of the lines of parameters and columns, for messages.
    package var parameterLines: [Int] = []
    package var columnLines: [Int] = []
}

/// The columns by which rows are laid out as a grid, such as cohorts by their age.
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
    /// One bar for each row; where there are several measures, their bars stand side by side.
    case bars
    case lines
    /// Lines with the areas below them, one on the other.
    case area
    /// A row of coloured cells for each value of the series.
    case heat
}

/// The columns that a chart of a report's result shows.
package struct ReportChart: Sendable, Hashable {
    package var kind: ChartKind
    /// The column along the horizontal axis, in the order of the rows; values of the type time count by their day.
    package var x: String
    /// The columns of the measures, all numbers of one unit; ``rows`` where the rows themselves are counted.
    package var y: [String]
    /// The column whose values distinguish lines or colours.
    package var series: String?
    /// The column of the counts on which the measure rests.
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

/// The type of a column's values.
package enum ColumnKind: String, Sendable, Hashable, CaseIterable {
    case text
    case integer
    case real
    /// A part of one, such as 0.25 for a quarter.
    case share
    /// Whole thousandths of a currency, which another column states: `money(currency)`.
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
    /// The unit, which stands in brackets after the type: `integer(days)`; of money the column of its currency.
    package var unit: String?
    package var meaning: String

    /// The column that states the currency of money.
    package var currencyColumn: String? { kind == .money ? unit : nil }
}

extension ReportHeader {
    /// Lines that people read before the rows: the question, and the zone of the days where there are days.
    package var introduction: [String] {
        let hasDays = columns.contains { [.date, .month].contains($0.kind) }
        return [question] + (hasDays ? timeZone.map { ["Days and months are those of \($0)."] } ?? [] : [])
    }
}
