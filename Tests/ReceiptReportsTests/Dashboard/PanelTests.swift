internal import ReceiptFormat
internal import Testing

@testable import ReceiptReports
@testable import ReportHeaders

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
    @Test("What lies behind the newest document is shaded, and nothing where no value lies behind it")
    func horizon() throws {
        let drawn = try ["2024-03-10", "2024-04-01"].map { horizon in
            let data = try ChartTests.data(
                "lines  x=month  y=sold",
                columns: "environment  text  e\nbundle_id  text  app\nmonth  month  month\nsold  integer  sales",
                grain: "environment, bundle_id, month",
                rows: ["2024-01", "2024-02", "2024-03"].map {
                    [.text("Production"), .text("cards"), .text($0), .integer(4)]
                }, together: .init(horizon: horizon))
            return ChartDrawing(data: data, panel: data.panels[0], size: .init(width: 241, height: 226)).svg(
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

    /// Shares of two apps, in a page's one panel.
    private static func together(_ rows: [(String, String, Double?, Int64)], keeping count: Int = 8) throws -> ChartData
    {
        let header = try ChartTests.header(
            "lines  x=month  y=churn  series=bundle_id  n=active",
            columns:
                "environment  text  e\nbundle_id  text  app\nmonth  month  month\nchurn  share  lost\nactive  integer  n",
            grain: "environment, bundle_id, month")
        var data = ChartData(try #require(header.charts.first), of: header, together: .init())
        for row in rows {
            data.add([
                .text("Production"), .text(row.0), .text(row.1), row.2.map(ReportValue.real) ?? .null, .integer(row.3),
            ])
        }
        data.finish()
        _ = data.keepSeries(count)
        data.average()
        return data
    }

    // Of chess and dice 10 × 0.5 + 30 × 0.1 = 8 of 40 were lost; cards have more.
    @Test("Shares of what is not shown by itself are averaged by what they rest on; of nothing there is none")
    func averages() throws {
        let rows: [(String, String, Double?, Int64)] = [
            ("chess", "2024-01", 0.5, 10), ("cards", "2024-01", 0.25, 80), ("dice", "2024-01", 0.1, 30),
            ("cards", "2024-02", nil, 80), ("chess", "2024-02", 0, 0),
        ]
        let data = try Self.together(rows, keeping: 2)
        #expect(data.panels.count == 1 && data.series == ["cards", "others"])
        #expect(data.panels.first?.values["cards"] == ["2024-01": 0.25])
        let others = try #require(data.panels.first?.values["others"]?["2024-01"])
        #expect(abs(others - 0.2) < 1e-12)
        #expect(data.panels.first?.values["others"]?.count == 1)
        #expect(data.panels.first?.counts["others"]?["2024-01"] == 40)
        #expect(try Self.together(rows).panels.first?.values["dice"] == ["2024-01": 0.1])
    }

    @Test("A page draws amounts of one currency, the greatest by value, and the rest as one")
    func oneCurrency() throws {
        let header = try ChartTests.header(
            "bars  x=month  y=net  series=bundle_id",
            columns: "bundle_id  text  app\nmonth  month  month\ncurrency  text  c\nnet  money(currency)  net",
            grain: "bundle_id, month, currency")
        var data = ChartData(
            try #require(header.charts.first), of: header,
            together: .init(currency: "EUR", apps: ["cards", "chess", "dice"]))
        let amount = { (milliunits: Int64) in ReportValue.money(MoneyAmount(milliunits: milliunits, digits: 2)) }
        // Of cards there are more rows, of chess more money.
        for row in [("cards", 1_000), ("cards", 2_000), ("dice", 500), ("chess", 9_000)] as [(String, Int64)] {
            data.add([.text(row.0), .text("2024-01"), .text("EUR"), amount(row.1)])
        }
        data.add([.text("cards"), .text("2024-01"), .text("JPY"), amount(900_000)])
        data.finish()
        #expect(data.keepSeries(2) == 2)
        #expect(data.series == ["chess", "others"])
        #expect(data.panels.map(\.unit) == ["EUR"])
        #expect(data.panels.first?.values == ["chess": ["2024-01": 9], "others": ["2024-01": 3.5]])
        // An app has its colour in every chart.
        #expect(ChartDrawing.colour(0, of: data) == "s1" && ChartDrawing.colour(1, of: data) == "rest")
    }
}
