internal import Foundation
internal import ReceiptFormat
internal import Testing

@testable import ReceiptReports
@testable import ReportHeaders

/// Rows to panels and series, and those to shapes with coordinates worked by hand.
@Suite struct ChartTests {
    static func header(_ chart: String, columns: String, grain: String) throws -> ReportHeader {
        try ReportHeader(
            parsing: """
                -- sales: Sales
                -- What was sold?
                --
                -- Grain: one row per \(grain)
                --
                -- Columns:
                \(columns.split(separator: "\n").map { "--   \($0)" }.joined(separator: "\n"))
                --
                -- Chart: \(chart)
                --
                -- Example:
                --   receiptmill report sales --database mill.sqlite

                SELECT 1;
                """)
    }

    static func data(
        _ chart: String, columns: String, grain: String, rows: [[ReportValue]], together: ChartData.Together? = nil
    ) throws -> ChartData {
        let header = try header(chart, columns: columns, grain: grain)
        var data = ChartData(try #require(header.charts.first), of: header, together: together)
        for row in rows { data.add(row) }
        data.finish()
        return data
    }

    private static let byMonth = "bundle_id  text  app\nmonth  month  month\nsold  integer(sales)  sales"

    private static func line(_ kind: String) throws -> String {
        let data = try data(
            "\(kind)  x=month  y=sold", columns: byMonth, grain: "bundle_id, month",
            rows: [
                [.text("cards"), .text("2024-01"), .integer(0)], [.text("cards"), .text("2024-02"), .integer(4)],
                [.text("cards"), .text("2024-03"), .integer(2)],
            ])
        return svg(of: data)
    }

    private static func svg(of data: ChartData) -> String {
        ChartDrawing(data: data, panel: data.panels[0], size: .init(width: 241, height: 226))
            .svg(id: "a", class: "small", title: "Sales")
    }

    // The vertical axis goes from 24 down to 226 − 26 = 200, so that 4 steps are
    // 44 each. Labels of one character need 6.8, so the frame goes from 16.8 to
    // 229, and months from 24.8 to 221, 98.1 apart.
    @Test("Three months are drawn as a line through three points")
    func lines() throws {
        let svg = try Self.line("lines")
        #expect(svg.contains("d=\"M24.8 200L122.9 24L221 112\""))
        #expect(svg.contains("cx=\"122.9\" cy=\"24\""))
        #expect(svg.contains("<title>2024-02: 4 sales</title>"))
    }

    // Three months share the frame, from 16.8 to 229, and each has 70.73 of it.
    @Test("A field over each month tells its value")
    func fields() throws {
        let svg = try Self.line("bars")
        let field = "<rect class=\"field\" x=\"87.5\" y=\"24\" width=\"70.7\" height=\"176\">"
        #expect(svg.contains(field + "<title>2024-02: 4 sales</title></rect>"))
        #expect(svg.components(separatedBy: "class=\"field\"").count == 4)
    }

    @Test("A field tells the values of all series, a line each, and that a month is not known in full")
    func severalSeries() throws {
        let data = try Self.data(
            "lines  x=month  y=sold  series=product_id",
            columns: Self.byMonth + "\nproduct_id  text  product", grain: "bundle_id, month, product_id",
            rows: [("2024-01", 1, "gems"), ("2024-01", 2, "<gold>"), ("2024-02", 3, "gems")].map {
                [.text("cards"), .text($0), .integer($1), .text($2)]
            }, together: .init(horizon: "2024-02-10"))
        let svg = Self.svg(of: data)
        #expect(svg.contains("<title>2024-01\ngems: 1 sales\n&lt;gold&gt;: 2 sales</title>"))
        #expect(svg.contains("<title>gems, 2024-02: 3 sales\nnot known in full yet</title>"))
    }

    @Test("Names of series leave out the beginning that all have in common")
    func commonNames() throws {
        let data = try Self.data(
            "lines  x=month  y=sold  series=bundle_id", columns: Self.byMonth, grain: "bundle_id, month",
            rows: [("org.atlas.maps", 1), ("org.atlas.walks", 2)].map { [.text($0), .text("2024-01"), .integer($1)] })
        #expect(data.shownNames == ["org.atlas.maps": "maps", "org.atlas.walks": "walks"])
        let svg = Self.svg(of: data)
        #expect(svg.contains("<title>2024-01\nmaps: 1 sales\nwalks: 2 sales</title>"))
        #expect(svg.contains("Lines over month: maps, walks."))
    }

    @Test("A line is broken where a month has no row, and a single point is a dot")
    func brokenLine() throws {
        let data = try Self.data(
            "lines  x=month  y=sold", columns: Self.byMonth, grain: "bundle_id, month",
            rows: [("2024-01", 4), ("2024-02", 2), ("2024-04", 4)].map {
                [.text("cards"), .text($0), .integer($1)]
            })
        // From 24.8 to 221 are 3 months of 65.4.
        let svg = Self.svg(of: data)
        #expect(svg.contains("d=\"M24.8 24L90.2 112\""))
        #expect(svg.components(separatedBy: "<path").count == 2)
        #expect(svg.contains("cx=\"221\" cy=\"24\""))
    }

    @Test("Rows of a list are counted by day, by series and app; one without a moment is not drawn")
    func countedRows() throws {
        let data = try Self.data(
            "bars  x=ended_at  y=rows  series=state",
            columns: "bundle_id  text  app\nowner  text  owner\nended_at  time  end\nstate  text  state",
            grain: "bundle_id, owner",
            rows: [
                ("cards", "2024-01-01T00:00:00Z", "lost"), ("cards", "2024-01-01T23:59:59Z", "lost"),
                ("cards", "2024-01-01T12:00:00Z", "open"), ("cards", "2024-01-03T12:00:00Z", "open"),
                ("chess", "2024-01-03T12:00:00Z", "open"),
            ].enumerated().map { [.text($1.0), .text("u\($0)"), .text($1.1), .text($1.2)] }
                + [[.text("cards"), .text("u9"), .null, .text("open")]])
        #expect(data.panels.map(\.name) == ["cards", "chess"])
        #expect(data.panels[0].values == ["lost": ["2024-01-01": 2], "open": ["2024-01-01": 1, "2024-01-03": 1]])
        #expect(data.panels[1].values == ["open": ["2024-01-03": 1]])
        #expect(data.isWhole && data.unit == "rows" && data.calendar == .days)
    }

    @Test("Bars are not drawn where all are of zero, as of an archive without lines; a line is")
    func zeros() throws {
        func panels(_ kind: String) throws -> Int {
            try Self.data(
                "\(kind)  x=month  y=sold", columns: Self.byMonth, grain: "bundle_id, month",
                rows: [[.text("cards"), .text("2024-01"), .integer(0)]]
            ).panels.count
        }
        #expect(try panels("bars") == 0 && panels("lines") == 1)
    }

    @Test("Bars over days stand in the order of days, too many to fill or not")
    func orderedDays() throws {
        var data = try Self.data(
            "bars  x=ended_at  y=rows", columns: "owner  text  owner\nended_at  time  end", grain: "owner",
            rows: [
                [.text("a"), .text("2024-01-03T12:00:00Z")], [.text("b"), .text("2024-01-01T12:00:00Z")],
            ])
        data.fillCalendar(upTo: 2)
        #expect(data.panels[0].categories == ["2024-01-01", "2024-01-03"])
        data.fillCalendar(upTo: 3)
        #expect(data.panels[0].categories == ["2024-01-01", "2024-01-02", "2024-01-03"])
    }

    @Test("An area is the line and the way back along the one below it")
    func area() throws {
        #expect(try Self.line("area").contains("d=\"M24.8 200L122.9 24L221 112L221 200L122.9 200L24.8 200Z\""))
    }

    @Test("A chart says what it shows to who can't see it")
    func description() throws {
        let svg = try Self.line("lines")
        #expect(svg.contains("role=\"img\" aria-labelledby=\"a-title a-desc\""))
        #expect(svg.contains("<title id=\"a-title\">Sales</title>"))
        #expect(
            svg.contains(
                "<desc id=\"a-desc\">Lines over month. Maximum value: 2024-02: 4 sales. "
                    + "The table holds all values.</desc>"))
    }

    @Test("Areas go down to zero between days without a row")
    func gaps() {
        #expect(ChartDrawing.withGapsClosed([10, 11, 20], isCalendar: true) == [10, 11, 12, 19, 20])
        #expect(ChartDrawing.withGapsClosed([10], isCalendar: true) == [9, 10, 11])
        #expect(ChartDrawing.withGapsClosed([10, 20], isCalendar: false) == [10, 20])
    }

    // The frame goes from 16.8 to 228, with 2 bands of 105.6; a bar has at most
    // 48. 0 lies at 198, 4 at 24: each unit is 43.5 high.
    @Test("Bars of one category stand on one another where they add up")
    func stackedBars() throws {
        let data = try Self.data(
            "bars  x=product  y=sold  series=era",
            columns: "product  text  product\nera  text  era\nsold  integer(sales)  sales", grain: "product, era",
            rows: [
                [.text("a"), .text("paid"), .integer(1)], [.text("a"), .text("free"), .integer(3)],
                [.text("b"), .text("paid"), .integer(2)],
            ])
        let svg = ChartDrawing(data: data, panel: data.panels[0], size: .init(width: 240, height: 240))
            .svg(id: "a", class: "small", title: "Sales")
        #expect(svg.contains("class=\"fill s0\" x=\"45.6\" y=\"154.5\" width=\"48\" height=\"43.5\""))
        #expect(svg.contains("class=\"fill s1\" x=\"45.6\" y=\"24\" width=\"48\" height=\"130.5\""))
        #expect(svg.contains("class=\"fill s0\" x=\"151.2\" y=\"111\" width=\"48\" height=\"87\""))
    }

    // The axis goes from -2 at 200 up to 4 at 24, so that 0 lies at 141.3 and each unit is 29.3 high. The frame goes from
    // 23.6 to 228, with 2 bands of 102.2; a bar has 48.
    @Test("Flows go up and down from zero on one another, and a line shows what they come to")
    func flows() throws {
        let data = try Self.data(
            "flows  x=month  y=new,churn,lost  line=closing",
            columns: """
                month  month  month
                new  integer  new
                churn  integer  left
                lost  integer  lost
                closing  integer  all
                """,
            grain: "month",
            rows: [
                [.text("2024-01"), .integer(3), .integer(-1), .integer(-1), .integer(1)],
                [.text("2024-02"), .integer(1), .integer(-1), .integer(0), .integer(1)],
            ])
        let svg = ChartDrawing(data: data, panel: data.panels[0], size: .init(width: 240, height: 226))
            .svg(id: "a", class: "small", title: "Customers")
        #expect(svg.contains("class=\"fill s0\" x=\"50.7\" y=\"53.3\" width=\"48\" height=\"88\""))
        #expect(svg.contains("class=\"fill s1\" x=\"50.7\" y=\"141.3\" width=\"48\" height=\"29.3\""))
        #expect(svg.contains("class=\"fill s2\" x=\"50.7\" y=\"170.7\" width=\"48\" height=\"29.3\""))
        #expect(svg.contains("class=\"line rest\" d=\"M74.7 112L176.9 112\""))
    }

    // Each month has 196.8 / 3 = 65.6, and the axis goes from 0 at 200 to 4 at 24.
    @Test("Months in which nothing moved keep their line, which is broken where a month has no value")
    func stillFlows() throws {
        let data = try Self.data(
            "flows  x=month  y=new,churn  line=closing",
            columns: "month  month  month\nnew  integer  new\nchurn  integer  left\nclosing  integer  all",
            grain: "month",
            rows: [
                [.text("2024-01"), .integer(0), .integer(0), .integer(4)], [.text("2024-02"), .null, .null, .null],
                [.text("2024-03"), .integer(0), .integer(0), .integer(4)],
            ])
        let svg = ChartDrawing(
            data: data, panel: try #require(data.panels.first), size: .init(width: 225.6, height: 226)
        )
        .svg(id: "a", class: "small", title: "Customers")
        #expect(
            !svg.contains("<path") && svg.contains("cx=\"49.6\" cy=\"24\"") && svg.contains("cx=\"180.8\" cy=\"24\""))
        #expect(svg.contains("; a line for closing"))
    }

    @Test("Amounts are summed over what the chart does not name; each app has a panel, the greatest first")
    func panels() throws {
        let data = try Self.data(
            "lines  x=month  y=sold,back  series=product",
            columns: """
                bundle_id  text  app
                product  text  product
                month  month  month
                sold  integer  sales
                back  integer  returns
                """,
            grain: "bundle_id, product, month",
            rows: [
                [.text("chess"), .text("gems"), .text("2024-01"), .integer(1), .null],
                [.text("cards"), .text("gems"), .text("2024-01"), .integer(2), .integer(1)],
                [.text("cards"), .text("gold"), .text("2024-01"), .integer(5), .integer(0)],
            ])
        #expect(data.panels.map(\.name) == ["cards", "chess"])
        #expect(data.series == ["sold", "back"])
        #expect(data.panels[0].values == ["sold": ["2024-01": 7], "back": ["2024-01": 1]])
        #expect(data.panels[1].values == ["sold": ["2024-01": 1]])
    }

    @Test("Shares are not summed: each product has a panel")
    func shares() throws {
        let data = try Self.data(
            "lines  x=month  y=rate", columns: "product  text  product\nmonth  month  month\nrate  share  rate",
            grain: "product, month",
            rows: [
                [.text("gems"), .text("2024-01"), .real(0.5)], [.text("gold"), .text("2024-01"), .real(0.75)],
                [.text("gold"), .text("2024-02"), .null], [.text("gold"), .text("2024-03"), .real(.infinity)],
            ])
        #expect(data.panels.map(\.name) == ["gems", "gold"])
        #expect(data.panels[1].values == ["rate": ["2024-01": 0.75]])
    }

    @Test("Bars of months have a category for each month between the first and the last")
    func filledMonths() throws {
        var data = try Self.data(
            "bars  x=month  y=sold", columns: Self.byMonth, grain: "bundle_id, month",
            rows: ["2023-11", "2024-02"].map { [.text("cards"), .text($0), .integer(1)] })
        data.fillCalendar(upTo: 4)
        #expect(data.panels[0].categories == ["2023-11", "2023-12", "2024-01", "2024-02"])
    }

    @Test("A line of counts is zero in months without a row, and open where a row has no value")
    func zeroMonths() throws {
        var data = try Self.data(
            "lines  x=month  y=sold  series=bundle_id", columns: Self.byMonth, grain: "bundle_id, month",
            rows: [
                [.text("cards"), .text("2023-11"), .integer(4)], [.text("chess"), .text("2023-12"), .integer(1)],
                [.text("cards"), .text("2023-12"), .null], [.text("cards"), .text("2024-02"), .integer(2)],
            ])
        data.fillLines(upTo: 4)
        let values = data.panels.reduce(into: [:]) { $0.merge($1.values) { first, _ in first } }
        #expect(values == ["cards": ["2023-11": 4, "2024-01": 0, "2024-02": 2], "chess": ["2023-12": 1]])
    }

    @Test("A line of shares, or one longer than is drawn, is open in months without a row")
    func openMonths() throws {
        let rows: [[ReportValue]] = ["2023-11", "2024-02"].map { [.text("cards"), .text($0), .integer(1)] }
        for (columns, count) in [(Self.byMonth.replacing("integer(sales)", with: "share"), 4), (Self.byMonth, 3)] {
            var data = try Self.data("lines  x=month  y=sold", columns: columns, grain: "bundle_id, month", rows: rows)
            data.fillLines(upTo: count)
            #expect(data.panels[0].values.values.map(\.count) == [2])
        }
    }

    @Test("Of more series than colours, the smallest are summed where they stack")
    func others() throws {
        var data = try Self.data(
            "area  x=month  y=sold  series=bundle", columns: Self.byMonth.replacing("bundle_id", with: "bundle"),
            grain: "bundle, month",
            rows: [("a", 5), ("b", 1), ("c", 7), ("d", 2)].map { [.text($0), .text("2024-01"), .integer($1)] })
        let rest = data.keepSeries(3)
        #expect(rest == 2)
        #expect(data.series == ["a", "c", "others"])
        #expect(data.panels[0].values["others"] == ["2024-01": 3])
    }

    @Test("Of more names than fit, those with most stay in their order")
    func categories() throws {
        var data = try Self.data(
            "bars  x=product  y=sold", columns: "product  text  product\nsold  integer  sales", grain: "product",
            rows: [("1.9", 5), ("1.10", 1), ("1.11", 7)].map { [.text($0), .integer($1)] })
        let left = data.keepCategories(2, ofPanel: 0)
        #expect(left == 1)
        #expect(data.panels[0].categories == ["1.9", "1.11"])
    }
}
