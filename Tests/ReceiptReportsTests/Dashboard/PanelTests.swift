internal import ReceiptFormat
internal import Testing

@testable import ReceiptReports

/// What each panel of a chart tells: one app, one currency, one meaning of a colour.
@Suite struct PanelTests {
    private static let money = """
        bundle_id       text                 app
        month           month                month
        currency        text                 currency
        net_milliunits  integer(milliunits)  what is left
        """

    private static func sales(_ chart: String, _ rows: [(String, String, String, Int64?)]) throws -> ChartData {
        try ChartTests.data(
            chart, columns: money, grain: "bundle_id, month, currency",
            rows: rows.map { [.text($0), .text($1), .text($2), $3.map(ReportValue.integer) ?? .null] })
    }

    @Test("Each currency has a panel and an axis of its own, in its own unit", arguments: ["", "  series=currency"])
    func currencies(series: String) throws {
        let data = try Self.sales(
            "lines  x=month  y=net_milliunits" + series,
            [
                ("cards", "2024-01", "JPY", 120_000_000), ("cards", "2024-01", "EUR", 4_990),
                ("cards", "2024-02", "EUR", -1_250),
            ])
        // EUR has more rows; which amount is the greater nobody can say.
        #expect(data.panels.map(\.name) == ["EUR", "JPY"])
        #expect(data.panels.map(\.unit) == ["EUR", "JPY"])
        #expect(
            data.panels.map { $0.values.values.first ?? [:] } == [
                ["2024-01": 4.99, "2024-02": -1.25], ["2024-01": 120_000],
            ])
        #expect(data.panels.allSatisfy { $0.values.count == 1 })
        let svg = ChartDrawing(data: data, panel: data.panels[0], size: .small).svg(
            id: "a", class: "small", title: "Net")
        #expect(svg.contains(">EUR</text>") && svg.contains("<title>2024-01: 4.99 EUR</title>"))
    }

    @Test("What has no price has no panel")
    func unpriced() throws {
        let data = try Self.sales(
            "lines  x=month  y=net_milliunits", [("cards", "2024-01", "(none)", nil), ("cards", "2024-01", "USD", 990)])
        #expect(data.panels.map(\.unit) == ["USD"])
    }

    @Test("Money in the list's whole units stays as it is, by currency")
    func listPrices() throws {
        let data = try ChartTests.data(
            "bars  x=product_id  y=refunded  series=currency",
            columns: "product_id  text  product\ncurrency  text  currency\nrefunded  real(currency)  refunded",
            grain: "product_id, currency",
            rows: [[.text("gems"), .text("EUR"), .real(1.5)], [.text("gems"), .text("USD"), .real(2.5)]])
        #expect(data.panels.map { $0.values.values.first?["gems"] } == [1.5, 2.5])
    }

    // The frame goes from 16.8 to 229, months from 24.8 to 221, 98.1 apart: the month of the
    // newest document, the last, begins half a month before it, at 171.95, and 57.05 are left.
    @Test("What lies behind the newest document of a panel's app is shaded, and no other app's")
    func horizon() throws {
        let rows = ["2024-01", "2024-02", "2024-03"]
        let data = try ChartTests.data(
            "lines  x=month  y=sold",
            columns: "environment  text  e\nbundle_id  text  app\nmonth  month  month\nsold  integer  sales",
            grain: "environment, bundle_id, month",
            rows: ["cards", "chess"].flatMap { app in
                rows.map { [.text("Production"), .text(app), .text($0), .integer(4)] }
            }, horizons: [["Production", "cards"]: "2024-03-10", ["Production", "chess"]: "2024-04-01"])
        let drawn = data.panels.map {
            ChartDrawing(data: data, panel: $0, size: .init(width: 241, height: 226)).svg(
                id: "a", class: "small", title: "")
        }
        #expect(drawn[0].contains("<rect class=\"unknown\" x=\"172\" y=\"24\" width=\"57.1\" height=\"176\">"))
        #expect(drawn[0].contains("Shaded from 2024-03-10: not known in full."))
        #expect(!drawn[1].contains("unknown"))
    }

    @Test("High is red and stands first, whatever the order of the rows")
    func severities() throws {
        let data = try ChartTests.data(
            "bars  x=signal  y=lines  series=severity",
            columns: "signal  text  signal\nseverity  text  severity\nlines  integer  lines", grain: "signal, severity",
            rows: ["low", "odd", "high"].map { [.text("shared"), .text($0), .integer(1)] })
        #expect(data.series == ["high", "low", "odd"])
        #expect(data.series.indices.map { ChartDrawing.colour($0, of: data) } == ["high", "low", "s2"])
    }

    @Test("Of months as series the newest are kept, not those with most")
    func newest() throws {
        var data = try ChartTests.data(
            "lines  x=age  y=rate  series=cohort",
            columns: "cohort  month  cohort\nage  integer  age\nrate  share  rate",
            grain: "cohort, age",
            rows: [("2024-01", 0), ("2024-01", 1), ("2024-02", 0), ("2024-03", 0)].map {
                [.text($0), .integer($1), .real(1)]
            })
        let rest = data.keepSeries(2)
        #expect(rest == 1)
        #expect(data.series == ["2024-02", "2024-03"])
    }

    @Test("A second chart follows the first one's panels and names")
    func following() throws {
        let columns = "bundle_id  text  app\nversion  text  version\nowners  integer  owners\nrate  share  rate"
        let rows: [[ReportValue]] = [
            [.text("cards"), .text("1.0"), .integer(1), .real(0.5)],
            [.text("chess"), .text("1.0"), .integer(9), .real(0)],
            [.text("cards"), .text("1.1"), .integer(3), .real(1)],
        ]
        let grain = "bundle_id, version"
        var counts = try ChartTests.data("bars  x=version  y=owners", columns: columns, grain: grain, rows: rows)
        let left = counts.keepCategories(1, ofPanel: 1)
        #expect(left == 1)
        var rates = try ChartTests.data("bars  x=version  y=rate", columns: columns, grain: grain, rows: rows)
        rates.follow(counts)
        #expect(rates.panels.map(\.name) == ["chess", "cards"])
        #expect(rates.panels.map(\.categories) == [["1.0"], ["1.1"]])
    }
}
