internal import ReceiptFormat
internal import TestSupport
internal import Testing

@testable import ReceiptReports
@testable import ReportHeaders

/// Names of apps and products come from receipts that nobody trusts, too.
@Suite("A chart of names that a stranger chose")
struct HostileNamesTests {
    private static func data(_ names: [(app: String, product: String)]) throws -> ChartData {
        try ChartTests.data(
            "bars  x=product_id  y=sold  series=bundle_id",
            columns: "bundle_id  text  app\nproduct_id  text  product\nsold  integer(sales)  sales",
            grain: "bundle_id, product_id", rows: names.map { [.text($0.app), .text($0.product), .integer(1)] })
    }

    @Test("is drawn in no time, whatever they are")
    func takesNoTime() throws {
        let text = HostileText.combining(bytes: 500_000)
        let time = try HostileText.processorTime {
            var data = try Self.data((0..<12).map { ("\($0 % 3)" + text, text + "\($0)") })
            #expect(data.keepSeries(2) == 2)
            #expect(data.keepCategories(8, ofPanel: 0) == 4)
            let svg = ChartDrawing(data: data, panel: data.panels[0], size: .small)
                .svg(id: "a", class: "small", title: "Names")
            #expect(svg.hasSuffix("</svg>\n"))
        }
        // By canonical equivalence it takes minutes.
        #expect(time < 30, "\(time) s")
    }

    @Test("keeps those apart that are the same to a reader of Unicode")
    func keepsBytesApart() throws {
        let data = try Self.data([("a", "caf\u{e9}"), ("a", "cafe\u{301}")])
        #expect(data.panels.map(\.categories) == [["caf\u{e9}", "cafe\u{301}"]])
        #expect(ReportValue.text("caf\u{e9}") != .text("cafe\u{301}"))
    }
}
