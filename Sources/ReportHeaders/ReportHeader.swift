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
/// Title, question, grain, columns and example are required; parameters, chart, panel (``ReportPanel``) and notes are not, nor are
/// `Aliases: name, name`, `Shown: column, column`, `Optional: column, column`, `Total: column, column` and `Triangle: rows=column columns=column
/// value=column`. Spaces separate the fields of an entry. A default that holds spaces is written in single quotes,
/// `null` stands for no default, and `required` for a parameter that has to be given. Brackets after a parameter's type
/// limit its values: `text(low, high)` to one of these words, `texts(low, high)` to some of them, `integer(1..)` and
/// `integer(0..400)` by bounds, `date(:from..)` by another parameter's value. A line that is indented further than its
/// section's first line continues the entry above.
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
    /// The report's panels on the dashboard; most reports have none.
    package var panels: [ReportPanel] = []
    /// Other names by which the report is found.
    package var aliases: [String] = []
    /// The main columns, which tables for people show; nil for as many columns as fit.
    package var shown: [String]?
    /// Columns that are given only where they are asked for, by the parameter of the first one's name.
    package var optional: [String] = []
    /// Columns whose values may be summed, by currency where there are currencies.
    package var totals: [String] = []
    /// The grid in which people see the rows; nil if rows stand one beneath the other.
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
