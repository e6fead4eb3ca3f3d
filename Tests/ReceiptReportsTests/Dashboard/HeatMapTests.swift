internal import Foundation
internal import ReceiptFormat
internal import Testing

@testable import ReceiptReports
@testable import ReportHeaders

/// Cohorts as rows of cells, worked by hand.
@Suite struct HeatMapTests {
    private static func data(_ rows: [(String, Int64, Int64, Double)]) throws -> ChartData {
        try ChartTests.data(
            "heat  x=period  y=retention  series=cohort  n=known",
            columns: """
                cohort     month                   cohort
                period     integer                 renewals
                known      integer(subscriptions)  known
                retention  share                   retention
                """,
            grain: "cohort, period", rows: rows.map { [.text($0), .integer($1), .integer($2), .real($3)] })
    }

    private static let cohorts =
        [
            ("2024-01", 0, 40, 1), ("2024-01", 1, 40, 0.5), ("2024-01", 2, 20, 0.25), ("2024-03", 0, 8, 1),
            ("2024-03", 1, 8, 0), ("2024-04", 0, 5, 1),
        ] as [(String, Int64, Int64, Double)]

    @Test("A month without a cohort is a row, what is not known yet a cell, and who is gone is neither")
    func cells() throws {
        let data = try Self.data(Self.cohorts)
        let map = HeatMap(data.panels[0], of: data)
        #expect(map.columns == ["0", "1", "2"])
        #expect(
            map.rows == [
                .init(name: "2024-01", count: 40, cells: [.value(1), .value(0.5), .value(0.25)]),
                .init(name: "2024-02", count: nil, cells: [.nobody, .nobody, .nobody]),
                .init(name: "2024-03", count: 8, cells: [.value(1), .value(0), .nobody]),
                .init(name: "2024-04", count: 5, cells: [.value(1), .unknown, .unknown]),
            ])
    }

    @Test("The newest cohorts are shown, with the columns that they have")
    func newest() throws {
        let months = (1...12).map { $0 < 10 ? "0\($0)" : "\($0)" }
        let old = months.map { ("2022-\($0)", Int64(5), Int64(1), 1.0) }
        let new = months.map { ("2023-\($0)", Int64(0), Int64(1), 1.0) }
        let data = try Self.data(old + new + months.map { ("2024-\($0)", Int64(1), Int64(1), 1.0) })
        let map = HeatMap(data.panels[0], of: data)
        #expect(map.rows.map(\.name).first == "2023-07" && map.rows.map(\.name).last == "2024-12")
        #expect(map.rows.count == HeatMap.maximum.rows)
        #expect(map.leftOut == 18)
        #expect(map.columns == ["0", "1"])
    }

    @Test("Shares are coloured from none to all, amounts from zero to their greatest")
    func steps() throws {
        let data = try Self.data(Self.cohorts)
        let map = HeatMap(data.panels[0], of: data)
        #expect([0, 0.09, 0.1, 0.55, 1, 1.2, -1].map(map.step) == [0, 0, 1, 5, 9, 9, 0])
    }

    // Names of 7 characters need 47.6, counts of 2 need 13.6 and the gaps 22: cells begin at
    // 83.2. Three columns share 240 − 83.2 = 156.8, 52.3 each. The first row lies at 38, and
    // each is 22 high.
    @Test("Cells are rectangles with their numbers, beside the cohort and its size")
    func drawing() throws {
        let data = try Self.data(Self.cohorts)
        let svg = ChartDrawing(data: data, panel: data.panels[0], size: .init(width: 240, height: 226))
            .svg(id: "a", class: "small", title: "Retention")
        #expect(svg.contains("viewBox=\"0 0 240 130\""))
        #expect(svg.contains("<rect class=\"fill h5\" x=\"135.5\" y=\"38\" width=\"51.3\" height=\"21\">"))
        #expect(svg.contains("<title>2024-01, period 1: 50 %, n = 40</title>"))
        #expect(svg.contains("<text class=\"t5\" x=\"161.1\" y=\"53\" text-anchor=\"middle\">50 %</text>"))
        #expect(svg.contains("<text x=\"75.2\" y=\"75\" text-anchor=\"end\">–</text>"))
        #expect(svg.contains("<title>2024-04, period 2: not known yet</title>"))
        #expect(svg.components(separatedBy: "<rect").count == 1 + 8)
    }
}
