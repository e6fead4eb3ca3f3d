internal import Testing

@testable import ReceiptReports
@testable import ReportHeaders

/// What all rows of a table have in common stands above it.
@Suite struct TableFormatTests {
    private typealias Row = (app: String, product: String, version: String)

    private static func table(_ rows: [Row], columns: ColumnChoice = .main, width: Int? = nil) throws -> String {
        let header = try ReportHeader(
            parsing: """
                -- sold: Sold
                -- What was sold?
                --
                -- Grain: one row per app, product, version
                --
                -- Columns:
                --   app      text     its app
                --   product  text     the product
                --   version  text     the app's version
                --   sales    integer  how often
                --   first    date     when it was sold first
                --
                -- Shown: app, product, version, sales
                -- Total: sales
                --
                -- Example:
                --   receiptmill report sold --database mill.sqlite
                """)
        var format = ReportFormatName.table.makeFormat(layout: TableLayout(width: width), columns: columns)
        var text = ""
        format.begin(header, into: &text)
        for row in rows {
            format.row([.text(row.app), .text(row.product), .text(row.version), .integer(7), .null], into: &text)
        }
        format.end(into: &text)
        return text
    }

    private static let atlas: [Row] = [
        ("org.atlas", "org.atlas.pro.month", "1.2.3"), ("org.atlas", "org.atlas.pro.year", "1.2.4"),
    ]

    @Test("Texts of one value and the beginning of identifiers stand once, above the rows")
    func common() throws {
        #expect(
            try Self.table(Self.atlas) == """
                Sold
                What was sold?

                app: org.atlas
                product: org.atlas.pro.…

                product  version  sales
                ───────  ───────  ─────
                month    1.2.3        7
                year     1.2.4        7
                ───────  ───────  ─────
                total                14

                2 rows; 4 of 5 columns, --columns all shows all

                """)
    }

    @Test("Words that stand for several identifiers keep their place among them")
    func words() throws {
        let text = try Self.table(Self.atlas + [("org.atlas", "(none)", "1")])
        #expect(text.contains("\nmonth    1.2.3        7\nyear     1.2.4        7\n(none)   1            7\n"))
    }

    @Test("A column of all is left out")
    func everything() throws {
        let text = try Self.table([("org.atlas", "(all)", "1"), ("org.borea", "(all)", "2")])
        #expect(text.contains("\n\napp        version  sales\n") && !text.contains("(all)"))
    }

    @Test("An identifier that begins otherwise leaves all as they are, so that no two look alike")
    func other() throws {
        let text = try Self.table([("a", "org.atlas.pro.1", "1"), ("b", "org.atlas.pro.2", "1"), ("c", "1", "1")])
        #expect(text.contains("org.atlas.pro.1") && text.contains("org.atlas.pro.2") && !text.contains("…"))
    }

    @Test("A line above the rows is as wide as the terminal at most")
    func narrow() throws {
        let long = String(repeating: "x", count: 100)
        let text = try Self.table([(long, "a", "1"), (long, "b", "1")], width: 40)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("app: ") })
        #expect(line.count == 40 && line.hasSuffix("…"))
    }

    @Test("From a thousand rows on, which are not held back, each row has all of its values")
    func many() throws {
        func isAbove(_ count: Int) throws -> Bool {
            try Self.table((1...count).map { ("org.atlas", "product \($0)", "1") }).contains("app: org.atlas\n")
        }
        #expect(try isAbove(999))
        #expect(try !isAbove(1000))
    }

    @Test("A table of all columns has every value in its row")
    func all() throws {
        #expect(try Self.table(Self.atlas, columns: .all).contains("org.atlas  org.atlas.pro.month  1.2.3        7"))
    }

    @Test("A single row has its values in their columns")
    func single() throws {
        #expect(try Self.table([Self.atlas[0]]).contains("org.atlas  org.atlas.pro.month  1.2.3        7"))
    }
}
