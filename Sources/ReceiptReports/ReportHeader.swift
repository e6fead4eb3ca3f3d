/// What a report says of itself in the comment lines that its file starts with.
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
/// --   month       month    month of the purchases, in UTC
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
/// and notes are not. Spaces separate the fields of an entry; a default that
/// holds spaces stands in single quotes, `null` says that there is none, and
/// `required` that the report can't do without a value. Brackets behind a
/// parameter's type say which values it takes: `text(low, high)` one of these,
/// `integer(1..)` and `integer(0..400)` from and up to a bound,
/// `date(:from..)` from another parameter's value. A line that is indented
/// further than its section's first goes on with the entry above.
public struct ReportHeader: Sendable, Hashable {
    /// The report's name, also its file's: lower-case words joined by hyphens.
    public var name: String
    /// A few words for lists and headings.
    public var title: String
    /// What the report answers, in plain words.
    public var question: String
    /// The columns that tell one row from every other.
    public var grain: [String]
    /// What can be set, in the header's order.
    public var parameters: [ReportParameter]
    /// The result's columns in their order.
    public var columns: [ReportColumn]
    /// How to draw the result, nil where a picture would say no more.
    public var chart: ReportChart?
    /// What a reader has to know to read the numbers right; lines as written.
    public var notes: String?
    /// A command to copy.
    public var example: String
    /// How many lines the header takes.
    public var lineCount: Int
    /// The lines of the parameters and of the columns, for messages.
    var parameterLines: [Int] = []
    var columnLines: [Int] = []
}

/// What a chart of a report's result shows: columns by their role.
public struct ReportChart: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// One bar for each row, side by side where there are several measures.
        case bars
        case lines
        /// Lines with the areas below them, one on the other.
        case area
    }

    public var kind: Kind
    /// The column along the horizontal axis, in the order of the rows.
    public var x: String
    /// The measures, all numbers and of one unit.
    public var y: [String]
    /// The column whose values part the rows into lines or colours.
    public var series: String?
}

/// A column of a report's result.
public struct ReportColumn: Sendable, Hashable {
    /// What a column's values are.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case text
        case integer
        case real
        /// A part of one: 0.25 is a quarter.
        case share
        /// A day in UTC, `2024-02-29`.
        case date
        /// A month in UTC, `2024-02`.
        case month
        /// A moment in UTC, `2024-02-29T12:00:00Z`.
        case time

        /// Whether values are amounts, which people compare digit below digit.
        public var isNumber: Bool {
            switch self {
            case .integer, .real, .share: true
            case .text, .date, .month, .time: false
            }
        }
    }

    public var name: String
    public var kind: Kind
    /// The unit, given in brackets after the type: `integer(days)`.
    public var unit: String?
    public var meaning: String
}
