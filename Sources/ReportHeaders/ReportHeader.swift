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
/// Title, question, grain, columns and example are required. Parameters, chart, panel (``ReportPanel``) and notes are
/// optional, and so are `Aliases: name, name`, `Shown: column, column`, `Optional: column, column`,
/// `Total: column, column` and `Triangle: rows=column columns=column value=column`. Spaces separate the fields of an
/// entry. A default that contains spaces is written in single quotes; `null` means no default, and `required` marks a
/// parameter that has to be given. Brackets after a parameter's type limit its values: `text(low, high)` to one of
/// these words, `texts(low, high)` to some of them, `integer(1..)` and `integer(0..400)` by bounds, `date(:from..)` by
/// another parameter's value. A line that is indented further than its section's first line continues the entry above.
package struct ReportHeader: Sendable, Hashable {
    /// The report's name, which is also the file's name: lower-case words joined by hyphens.
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
    /// The charts of the result; none if a chart would add nothing.
    package var charts: [ReportChart] = []
    /// The report's panels on the dashboard; most reports have none.
    package var panels: [ReportPanel] = []
    /// Other names by which the report is found.
    package var aliases: [String] = []
    /// The main columns, which tables for people show; if nil, as many columns as fit are shown.
    package var shown: [String]?
    /// Columns that are shown only on request, by the parameter that is named after the first of them.
    package var optional: [String] = []
    /// Columns whose values may be summed, separately for each currency if there are currencies.
    package var totals: [String] = []
    /// The grid in which people see the rows; nil if rows are listed one below the other.
    package var triangle: ReportTriangle?
    /// Notes that are needed to understand the numbers; lines as written.
    package var notes: String?
    /// A command that a reader can copy.
    package var example: String
    /// Number of the header's lines.
    package var lineCount: Int
    /// The time zone of days and months; nil until a run has read it.
    package var timeZone: String?
    /// The line numbers of parameters and columns, for messages.
    package var parameterLines: [Int] = []
    package var columnLines: [Int] = []
}

/// The columns by which rows are arranged as a grid, such as cohorts by their age.
package struct ReportTriangle: Sendable, Hashable {
    /// The column whose values are the headings of the lines.
    package var rows: String
    /// The column whose values are the headings of the columns.
    package var columns: String
    /// The column whose values are in the cells.
    package var value: String
}

/// The type of a column's values.
package enum ColumnKind: String, Sendable, Hashable, CaseIterable {
    case text
    case integer
    case real
    /// A fraction of one, such as 0.25 for a quarter.
    case share
    /// Whole thousandths of a currency. Another column states the currency: `money(currency)`.
    case money
    /// A day in the database's time zone, such as `2024-02-29`.
    case date
    /// A month in the database's time zone, such as `2024-02`.
    case month
    /// A time in UTC, such as `2024-02-29T12:00:00Z`.
    case time

    /// Whether values are numbers, which people compare digit by digit.
    package var isNumber: Bool { [.integer, .real, .share, .money].contains(self) }
}

/// A column of a report's result.
package struct ReportColumn: Sendable, Hashable {
    package var name: String
    package var kind: ColumnKind
    /// The unit, in brackets after the type, as in `integer(days)`; for money, the column of its currency.
    package var unit: String?
    package var meaning: String

    /// The column that states the currency of money.
    package var currencyColumn: String? { kind == .money ? unit : nil }
}

extension ReportHeader {
    /// Lines that people read before the rows: the question, and the time zone if there are days.
    package var introduction: [String] {
        let hasDays = columns.contains { [.date, .month].contains($0.kind) }
        return [question] + (hasDays ? timeZone.map { ["Days and months are those of \($0)."] } ?? [] : [])
    }
}
