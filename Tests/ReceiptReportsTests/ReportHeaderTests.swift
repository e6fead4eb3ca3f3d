internal import Testing

@testable import MillConfiguration
@testable import MillRun
@testable import ReceiptReports
@testable import ReceiptWarehouse
@testable import ReportHeaders

@Suite struct ReportHeaderTests {
    private static let lines = [
        "-- by-day: Purchases by day",
        "-- How many a day,",
        "-- and of what?",
        "--",
        "-- Grain: one row per day",
        "--",
        "-- Parameters:",
        "--   :label  text     'two words'  a text",
        "--   :least  integer  null         least number, which is a long story",
        "--                                 told on two lines",
        "--",
        "-- Columns:",
        "--   day  date           the day",
        "--   age  integer(days)  how long ago",
        "--",
        "-- Notes:",
        "--   One: two.",
        "--",
        "--   Three.",
        "--",
        "-- Example:",
        "--   receiptmill report by-day --database mill.sqlite",
        "",
        "SELECT 1;",
    ]

    @Test("A header is read whole")
    func whole() throws {
        let header = try ReportHeader(parsing: Self.lines.joined(separator: "\n"))
        #expect(header.name == "by-day")
        #expect(header.title == "Purchases by day")
        #expect(header.question == "How many a day, and of what?")
        #expect(header.grain == ["day"])
        #expect(
            header.parameters == [
                ReportParameter(name: "label", kind: .text, defaultText: "two words", meaning: "a text"),
                ReportParameter(
                    name: "least", kind: .integer, defaultText: nil,
                    meaning: "least number, which is a long story told on two lines"),
            ])
        #expect(
            header.columns == [
                ReportColumn(name: "day", kind: .date, unit: nil, meaning: "the day"),
                ReportColumn(name: "age", kind: .integer, unit: "days", meaning: "how long ago"),
            ])
        #expect(header.notes == "One: two.\n\nThree.")
        #expect(header.lineCount == 22)
    }

    @Test("Optional columns are asked for by the parameter of the first one's name, and never needed otherwise")
    func optional() throws {
        let label = "--   :label  text     'two words'  a text"
        let asked = Self.lines.map { $0 == label ? "--   :age  integer  0  a text" : $0 }
        let text = asked.joined(separator: "\n")
        let section = { (text: String, names: String) in
            text.replacing("-- Notes:", with: "-- Optional: \(names)\n-- Notes:")
        }
        let header = try ReportHeader(parsing: section(text, "age"))
        #expect(header.optional == ["age"])
        #expect(header.answering(false).columns.map(\.name) == ["day"])
        #expect(header.answering(true).columns.map(\.name) == ["day", "age"])
        for (text, names, what) in [
            (Self.lines.joined(separator: "\n"), "age", "no parameter is named as the first optional column, age"),
            (text, "rage", "Optional names rage, which is no column"),
            (text.replacing(":age ", with: ":day "), "day", "day is optional, and always needed"),
        ] {
            let error = #expect(throws: MalformedReportHeader.self) { try ReportHeader(parsing: section(text, names)) }
            #expect(error?.message == what)
        }
    }

    private static func header(parameter: String) throws -> ReportHeader {
        var lines = Self.lines
        lines[8] = "--   :least  " + parameter
        lines[9] = "--"
        return try ReportHeader(parsing: lines.joined(separator: "\n"))
    }

    @Test(
        "Brackets behind a parameter's type say which values it takes",
        arguments: [
            ("text(low, high)  low  how much", .values(["low", "high"])),
            ("integer(1..)  5  how many", .bounds(minimum: .value("1"), maximum: nil)),
            ("integer(0..400)  5  how many", .bounds(minimum: .value("0"), maximum: .value("400"))),
            ("real(..1)  0.5  how much", .bounds(minimum: nil, maximum: .value("1"))),
            ("date(2008-01-01..)  null  since when", .bounds(minimum: .value("2008-01-01"), maximum: nil)),
            ("text(..:label)  null  a text", nil), ("text(:label..)  x  a text", nil),
            ("bundle  all  an app", .any), ("environments  A,B  environments", .any),
        ] as [(String, ParameterRange?)])
    func range(text: String, range: ParameterRange?) {
        #expect((try? Self.header(parameter: text))?.parameters.last?.range == range)
    }

    @Test(
        "A range that can't be right is explained with its line",
        arguments: [
            ("text(low,,high)  low  how much", ":least can't be told what it takes by text(low,,high)"),
            ("text(low, low)  low  how much", ":least can't be told what it takes by text(low, low)"),
            ("integer(1)  1  how many", ":least can't be told what it takes by integer(1)"),
            ("integer(..)  1  how many", ":least can't be told what it takes by integer(..)"),
            ("integer(one..)  1  how many", ":least can't be told what it takes by integer(one..)"),
            ("bundle(a, b)  a  an app", ":least can't be told what it takes by bundle(a, b)"),
            ("text(low, high)  middle  how much", "the default of :least, middle, is not one of low, high"),
            ("integer(1..)  0  how many", "the default of :least, 0, is less than 1"),
            ("integer(..9)  10  how many", "the default of :least, 10, is more than 9"),
            ("date(..2024-01-01)  2024-01-02  a day", "the default of :least, 2024-01-02, is after 2024-01-01"),
            ("integer(:most..)  1  how many", ":least is bounded by :most, which is no other parameter of its type"),
            ("integer(:label..)  1  how many", ":least is bounded by :label, which is no other parameter of its type"),
            ("integer(:least..)  1  how many", ":least is bounded by :least, which is no other parameter of its type"),
            ("integer(1..  1  how many", "a parameter lacks type or default"),
        ])
    func brokenRange(text: String, what: String) {
        let error = #expect(throws: MalformedReportHeader.self) { _ = try Self.header(parameter: text) }
        #expect(error?.line == 9)
        #expect(error?.message == what)
    }

    @Test("The values may go on on the next line")
    func longRange() throws {
        var lines = Self.lines
        lines[8] = "--   :least  text(low,"
        lines[9] = "--           high)  high  how much"
        let header = try ReportHeader(parsing: lines.joined(separator: "\n"))
        #expect(header.parameters.last?.range == .values(["low", "high"]))
        #expect(header.parameters.last?.meaning == "how much")
    }

    private static func header(chart: String) throws -> ReportHeader {
        var lines = Self.lines
        lines[14] = "-- Chart: " + chart
        return try ReportHeader(parsing: lines.joined(separator: "\n"))
    }

    @Test("A chart names its columns by their role")
    func chart() throws {
        #expect(
            try Self.header(chart: "lines  x=day  y=age  series=day").charts
                == [ReportChart(kind: .lines, x: "day", y: ["age"], series: "day")])
        #expect(try ReportHeader(parsing: Self.lines.joined(separator: "\n")).charts.isEmpty)
    }

    @Test("A chart of a list counts rows")
    func chartOfRows() throws {
        #expect(
            try Self.header(chart: "bars  x=day  y=rows").charts == [ReportChart(kind: .bars, x: "day", y: ["rows"])])
    }

    @Test("A line beneath a chart is another chart")
    func charts() throws {
        let charts = try Self.header(chart: "bars  x=day  y=age\n--        heat  x=age  y=age  series=day  n=age")
            .charts
        #expect(
            charts == [
                ReportChart(kind: .bars, x: "day", y: ["age"]),
                ReportChart(kind: .heat, x: "age", y: ["age"], series: "day", count: "age"),
            ])
    }

    @Test(
        "A chart that can't be drawn is explained with its line",
        arguments: [
            ("pie  x=day  y=age", "there is no chart of kind pie"),
            ("lines  x=day", "the chart lacks x or y, or has two of x, series, n or line"),
            ("heat  x=day  y=age", "a heat map has one measure, a column's, and a series for its rows"),
            ("lines  x=day  y=age  n=day", "the chart rests on day, which is no count"),
            ("lines  x=week  y=age", "the chart shows week, which is no column"),
            ("lines  x=age  y=day", "the chart measures day, which is no number"),
            ("lines  x=day  z=age", "z=age says nothing of a chart"),
            ("lines  x=day  y=age  line=age", "a line stands over flows alone"),
            ("bars  x=day  y=rows,age", "the chart shows rows, which is no column"),
            ("heat  x=day  y=rows  series=age", "a heat map has one measure, a column's, and a series for its rows"),
        ])
    func brokenChart(text: String, what: String) {
        let error = #expect(throws: MalformedReportHeader.self) { _ = try Self.header(chart: text) }
        #expect(error?.line == 15)
        #expect(error?.message == what)
    }

    private static func header(panel lines: [String]) throws -> ReportHeader {
        try header(chart: "bars  x=day  y=age\n-- Panel:\n" + lines.map { "--   " + $0 }.joined(separator: "\n"))
    }

    @Test("A panel is named as its report unless it has a name of its own, and shows its own chart")
    func panels() throws {
        let header = try Self.header(panel: [
            "place  2", "title  Age by day", "chart  lines  x=day  y=age", "settings  by=month from=2024-01",
            "missing  No age is known.", "place  7  ages", "title  Ages", "chart  bars  x=age  y=rows",
            "alone  unknown  No age", "       is known.", "missing  Nothing.",
        ])
        let (first, second) = (header.panels[0], header.panels[1])
        #expect(
            (first.place, first.id, first.title, first.missing) == (2, header.name, "Age by day", "No age is known."))
        #expect(
            first.settings == [.init(name: "by", text: "month"), .init(name: "from", text: "2024-01")]
                && first.isByMonth)
        #expect(first.chart == ReportChart(kind: .lines, x: "day", y: ["age"]) && first.alone == nil)
        #expect((second.place, second.id, second.isByMonth) == (7, "ages", false))
        #expect(second.alone == ReportPanel.OnlySeries(series: "unknown", text: "No age is known."))
        #expect(header.showing(second).charts == [ReportChart(kind: .bars, x: "age", y: ["rows"])])
        #expect(header.showing(second).title == "Ages")
    }

    @Test(
        "A panel that can't be read is explained",
        arguments: [
            (["title  Ages"], "title says nothing of a panel here"),
            (["place  first"], "place says nothing of a panel here"),
            (["place  1", "colour  red"], "colour says nothing of a panel here"),
            (["place  1", "settings  by"], "by says nothing of a panel here"),
            (["place  1", "settings  by=a by=b"], "by=b says nothing of a panel here"),
            (["place  1  a\"><script>"], "a\"><script> says nothing of a panel here"),
            (["place  1", "alone  unknown"], "alone says nothing of a panel here"),
            (["place  1", "chart  bars  x=week  y=age"], "the chart shows week, which is no column"),
            (["place  1", "title  Ages", "missing  Nothing."], "lacks its title, its chart or the sentence missing"),
        ])
    func brokenPanel(lines: [String], what: String) {
        let error = #expect(throws: MalformedReportHeader.self) { _ = try Self.header(panel: lines) }
        #expect(error?.message.contains(what) == true, "\(String(describing: error))")
    }

    @Test(
        "A broken header is explained with the line",
        arguments: [
            (1, "SELECT 1", 1, "the report has no title"),
            (1, "-- By Day: Purchases", 1, "the first line is not a name and a title"),
            (5, "-- Grain: days", 5, "the grain names no columns"),
            (5, "-- Grain: one row per week", 5, "the grain names week, which is no column"),
            (8, "--   label  text  null  a text", 8, "label is no parameter's name"),
            (8, "--   :label  word  null  a text", 8, ":label has the unknown type word"),
            (
                9, "--   :least  integer  many  least number", 9,
                "the default of :least, many, is not a whole number of 64 bits"
            ),
            (13, "--   day  date", 13, "a column lacks a name in lower-snake-case, a type or a meaning"),
            (14, "--   age  days  how long ago", 14, "age has the unknown type days"),
            (9, "--   :label  integer  1  a number", 9, "the parameter :label stands twice"),
            (14, "--   day  integer  the same", 14, "the column day stands twice"),
            (14, "--   age  integer(  days", 14, "a column lacks a name in lower-snake-case, a type or a meaning"),
            (14, "--   age  integer()  days", 14, "age has the unknown type integer()"),
            (16, "-- Remarks:", 16, "there is no section Remarks"),
            (18, "-- Grain: one row per age", 18, "the section Grain stands twice"),
            (22, "--", 21, "the header says nothing under Example"),
        ])
    func broken(line: Int, text: String, blamed: Int, what: String) {
        var lines = Self.lines
        lines[line - 1] = text
        #expect {
            try ReportHeader(parsing: lines.joined(separator: "\n"))
        } throws: { error in
            let error = error as? MalformedReportHeader
            return error?.line == blamed && error?.message == what && error?.hint.isEmpty == false
        }
    }

    @Test("A header that ends early is reported with what it lacks")
    func endsEarly() {
        var lines = Self.lines
        lines[10] = ""
        let error = #expect(throws: MalformedReportHeader.self) {
            _ = try ReportHeader(parsing: lines.joined(separator: "\n"))
        }
        #expect(error?.line == 10)
        #expect(error?.message == "the header says nothing under Columns")
    }

    private static func header(section: String) throws -> ReportHeader {
        var lines = Self.lines
        lines[13] = "--   age  integer(days)  how long ago\n--   paid  money(coin)  how much\n--   coin  text  of what"
        lines[14] = "-- " + section
        return try ReportHeader(parsing: lines.joined(separator: "\n"))
    }

    @Test("Sections say under which names a report is found, and how people see it")
    func tables() throws {
        let header = try Self.header(
            section: "Aliases: daily, by-date\n-- Shown: coin, paid,\n--        day\n-- Total: age, paid\n"
                + "-- Triangle: rows=day  columns=age  value=paid")
        #expect(header.aliases == ["daily", "by-date"])
        #expect(header.shown == ["coin", "paid", "day"])
        #expect(header.totals == ["age", "paid"])
        #expect(header.triangle == ReportTriangle(rows: "day", columns: "age", value: "paid"))
        #expect(header.columns[2].currencyColumn == "coin")
        let plain = try Self.header(section: "")
        #expect(plain.shown == nil && plain.aliases.isEmpty && plain.totals.isEmpty && plain.triangle == nil)
    }

    @Test(
        "A section that says nothing useful is explained with its line",
        arguments: [
            ("Aliases: Daily", "Daily is no other name for the report"),
            ("Aliases: by-day", "by-day is no other name for the report"),
            ("Aliases: a, a", "Aliases is no list of names, each of them once"),
            ("Shown: day,, age", "Shown is no list of names, each of them once"),
            ("Shown:", "Shown is no list of names, each of them once"),
            ("Shown: week", "Shown names week, which is no column"),
            ("Total: coin", "coin can't be added"), ("Total: day", "day can't be added"),
            ("Total: week", "Total names week, which is no column"),
            ("Triangle: rows=day  columns=age", "the triangle lacks rows, columns or value"),
            ("Triangle: rows=day  columns=day  value=paid", "the triangle lacks rows, columns or value"),
            ("Triangle: rows=day  columns=age  value=week", "Triangle names week, which is no column"),
        ])
    func brokenTable(text: String, what: String) {
        let error = #expect(throws: MalformedReportHeader.self) { _ = try Self.header(section: text) }
        #expect(error?.line == 17)
        #expect(error?.message == what)
    }

    @Test(
        "Money of no currency is explained with its line",
        arguments: [
            ("money", "age is money of no currency"), ("money(of you)", "age is money of no currency"),
            ("money(day)", "the currency of age, day, is no column of text"),
            ("money(coin)", "the currency of age, coin, is no column of text"),
        ])
    func brokenMoney(type: String, what: String) {
        var lines = Self.lines
        lines[13] = "--   age  \(type)  how much"
        let error = #expect(throws: MalformedReportHeader.self) {
            _ = try ReportHeader(parsing: lines.joined(separator: "\n"))
        }
        #expect(error?.line == 14)
        #expect(error?.message == what)
    }

    @Test("A day has to be one of the calendar")
    func days() {
        let kind = ParameterKind.date
        for day in ["2024-02-29", "2000-02-29", "0001-01-01"] { #expect(kind.accepts(day)) }
        for day in ["2023-02-29", "1900-02-29", "2024-13-01", "2024-1-1", "2024-00-01", "+024-01-01", "", "today"] {
            #expect(!kind.accepts(day))
        }
    }
}
