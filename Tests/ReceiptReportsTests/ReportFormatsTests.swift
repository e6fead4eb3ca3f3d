internal import Foundation
internal import TestSupport
internal import Testing

@testable import MillJSON
@testable import MillSystem
@testable import ReceiptReports
@testable import ReportHeaders

/// Each format's whole text for values that are easily written wrong.
@Suite struct ReportFormatsTests {
    private static func output(
        _ name: ReportFormatName, layout: TableLayout = TableLayout(), columns: ColumnChoice = .main
    ) throws -> String {
        let header = try ReportHeader(
            parsing: """
                -- odd-values: Odd <values>
                -- What is easily written wrong?
                --
                -- Grain: one row per label
                --
                -- Columns:
                --   label   text     a text
                --   amount  integer  a whole number
                --   part    share    a part
                --
                -- Example:
                --   receiptmill report odd-values --database mill.sqlite
                """)
        let rows: [[ReportValue]] = [
            [.text("a,\"b\"\r\nc"), .integer(.max), .real(0.1)],
            [.text("日本|\\<i>\t"), .integer(-1), .real(1)],
            [.text(""), .null, .real(1e-7)],
            [.null, .integer(0), .blob([0, 255])],
        ]
        var format = name.makeFormat(layout: layout, columns: columns)
        var text = ""
        format.begin(header, into: &text)
        for row in rows { format.row(row, into: &text) }
        format.end(into: &text)
        return text
    }

    @Test("CSV quotes only what it must and distinguishes null from empty")
    func csv() throws {
        #expect(
            try Self.output(.csv) == "label,amount,part\r\n\"a,\"\"b\"\"\r\nc\",9223372036854775807,0.1\r\n"
                + "日本|\\<i>\t,-1,1.0\r\n\"\",,1e-07\r\n,0,00ff\r\n")
    }

    /// What a sender may choose: beginnings that spreadsheets run (OWASP, CSV injection).
    private static let formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]

    private static func formulaRows(
        _ name: ReportFormatName, isExact: Bool, of formulas: [String] = formulas
    ) throws -> String {
        let header = try ReportHeader(
            parsing: """
                -- formulas: Formulas
                -- What would a spreadsheet run?
                --
                -- Grain: one row per device
                --
                -- Columns:
                --   device  text     an identifier
                --   day     date     a day
                --   change  integer  a number
                --
                -- Example:
                --   receiptmill report formulas --database mill.sqlite
                """)
        var format = name.makeFormat(isExact: isExact)
        var text = ""
        format.begin(header, into: &text)
        for formula in formulas { format.row([.text(formula), .text("2024-02-29"), .integer(-1)], into: &text) }
        format.end(into: &text)
        return text
    }

    @Test(
        "In columns of text, CSV and TSV put an apostrophe before what a spreadsheet would run, and leave numbers alone"
    )
    func formulas() throws {
        #expect(
            try Self.formulaRows(.csv, isExact: false) == "device,day,change\r\n'=1+1,2024-02-29,-1\r\n"
                + "'+1,2024-02-29,-1\r\n'-1,2024-02-29,-1\r\n'@SUM(A1),2024-02-29,-1\r\n'\t=1,2024-02-29,-1\r\n"
                + "'\\u{d}=1,2024-02-29,-1\r\n")
        #expect(
            try Self.formulaRows(.tsv, isExact: false) == "device\tday\tchange\n'=1+1\t2024-02-29\t-1\n"
                + "'+1\t2024-02-29\t-1\n'-1\t2024-02-29\t-1\n'@SUM(A1)\t2024-02-29\t-1\n'\\t=1\t2024-02-29\t-1\n"
                + "'\\r=1\t2024-02-29\t-1\n")
    }

    @Test(
        "A formula in wide form, or behind white space or what isn't seen, gets an apostrophe, too",
        arguments: [
            "＝1+1", "＋1", "－1", "＠SUM(A1)", "−1", " =1", "\u{a0}=1", "\u{3000}＝1", "\n=1", "\u{feff}=1",
            "\u{200b}\u{2060}@A1", "\u{ad}+1", "\u{e0020}=1", "\u{1b} -1", "\u{202e}=1",
        ])
    func hiddenFormulas(formula: String) throws {
        let exact = try Self.formulaRows(.csv, isExact: true, of: [formula])
        #expect(exact.contains(formula) && !exact.contains("'"))
        for name in [ReportFormatName.csv, .tsv] {
            let text = try Self.formulaRows(name, isExact: false, of: [formula])
            #expect(
                text.split(whereSeparator: \.isNewline)[1].drop { $0 == "\"" }.unicodeScalars.first == "'",
                "\(text.debugDescription)")
        }
    }

    @Test("A text that is not a formula gets no apostrophe", arguments: ["a=1", " a", "１＋１", "_=1", "日本", "#=1"])
    func harmlessTexts(text: String) throws {
        #expect(try Self.formulaRows(.csv, isExact: false, of: [text]).contains("\r\n\(text),2024"))
    }

    @Test("CSV writes texts like the Python package, according to one list worked out by hand")
    func oneRuleWithPython() throws {
        let file = Repository.file("python/tests/spreadsheet-texts.json")
        let texts = try JSONDecoder().decode([[String: String]].self, from: Data(contentsOf: file))
        #expect(texts.count > 30)
        for one in texts {
            let (text, field) = (try #require(one["text"]), try #require(one["csv"]))
            let csv = try Self.formulaRows(.csv, isExact: false, of: [text])
            #expect(csv == "device,day,change\r\n\(field),2024-02-29,-1\r\n", "\(text.debugDescription)")
        }
    }

    @Test("HTML shows control characters, direction marks and invisible characters, wherever a text is")
    func visibleInHTML() throws {
        let text = try Self.formulaRows(.html, isExact: false, of: ["a\u{0}\u{1b}[2J\u{9b}\u{202e}\u{200b}\nb<"])
        #expect(text.contains(#"<td>a\u{0}\u{1b}[2J\u{9b}\u{202e}\u{200b}\u{a}b&lt;</td>"#))
        #expect(
            !text.unicodeScalars.contains { $0 != "\n" && $0.value < 0x20 || $0.properties.isDefaultIgnorableCodePoint }
        )
    }

    @Test("A text in a column of numbers or days is as foreign as another, and a number's sign stays")
    func otherColumns() throws {
        var csv = ReportFormatName.csv.makeFormat()
        var text = ""
        let header = try ReportHeader(
            parsing: """
                -- kinds: Kinds
                -- Which columns?
                --
                -- Grain: one row per day
                --
                -- Columns:
                --   day     date     a day
                --   change  integer  a number
                --
                -- Example:
                --   receiptmill report kinds --database mill.sqlite
                """)
        csv.begin(header, into: &text)
        csv.row([.text("=HYPERLINK(1)"), .text("-1.50")], into: &text)
        #expect(text == "day,change\r\n'=HYPERLINK(1),-1.50\r\n")
    }

    @Test(
        "Controls and marks of direction are visible in files, unless they are to be exact",
        arguments: [
            (.csv, #"a\u{1b}[2J\u{202e}b"#), (.tsv, #"a\u{1b}[2J\u{202e}b"#), (.markdown, #"a\\u{1b}\[2J\\u{202e}b"#),
        ] as [(ReportFormatName, String)])
    func controls(name: ReportFormatName, shown: String) throws {
        let hostile = "a\u{1b}[2J\u{202e}b"
        #expect(try Self.formulaRows(name, isExact: false, of: [hostile]).contains(shown))
        let exact = try Self.formulaRows(name, isExact: true, of: [hostile])
        #expect(exact.contains("\u{1b}") && exact.contains("\u{202e}"))
    }

    @Test("Exact, CSV writes texts as they are")
    func exactFormulas() throws {
        #expect(
            try Self.formulaRows(.csv, isExact: true) == "device,day,change\r\n=1+1,2024-02-29,-1\r\n"
                + "+1,2024-02-29,-1\r\n-1,2024-02-29,-1\r\n@SUM(A1),2024-02-29,-1\r\n\t=1,2024-02-29,-1\r\n"
                + "\"\r=1\",2024-02-29,-1\r\n")
    }

    @Test(
        "A table cuts a cell of any length, and pads no other cell beyond", arguments: ["x", "日", "\u{301}", "\u{1b}"])
    func longCells(unit: String) throws {
        let header = try ReportHeader(
            parsing: """
                -- long: Long
                -- How long?
                --
                -- Grain: one row per device
                --
                -- Columns:
                --   device  text     an identifier
                --   change  integer  a number
                --
                -- Example:
                --   receiptmill report long --database mill.sqlite
                """)
        var format = ReportFormatName.table.makeFormat()
        var text = ""
        format.begin(header, into: &text)
        format.row([.text("a" + String(repeating: unit, count: 1_000_000)), .integer(1)], into: &text)
        format.row([.text("short"), .integer(2)], into: &text)
        format.end(into: &text)
        #expect(text.contains("…  "))
        #expect(text.utf8.count < 10_000)
    }

    @Test("TSV escapes tabs, line ends and backslashes")
    func tsv() throws {
        #expect(
            try Self.output(.tsv) == "label\tamount\tpart\na,\"b\"\\r\\nc\t9223372036854775807\t0.1\n"
                + "日本|\\\\<i>\\t\t-1\t1.0\n\t\t1e-07\n\t0\t00ff\n")
    }

    private static let objects = [
        #"{"label":"a,\"b\"\r\nc","amount":9223372036854775807,"part":0.1}"#,
        #"{"label":"日本|\\<i>\t","amount":-1,"part":1.0}"#,
        #"{"label":"","amount":null,"part":1e-07}"#,
        #"{"label":null,"amount":0,"part":"00ff"}"#,
    ]

    @Test("JSON keeps the order of columns and every digit")
    func json() throws {
        #expect(try Self.output(.json) == "[\n  " + Self.objects.joined(separator: ",\n  ") + "\n]\n")
        #expect(try Self.output(.jsonl) == Self.objects.map { $0 + "\n" }.joined())
    }

    @Test("JSON escapes control characters and has no number for infinity")
    func jsonOddities() {
        var text = ""
        JSONText.append([.text("\u{1}"), .real(.infinity)], under: ["\"a\"", "\"b\""], to: &text)
        #expect(text == #"{"a":"\u0001","b":null}"#)
    }

    @Test("Markdown takes no value for markup")
    func markdown() throws {
        #expect(
            try Self.output(.markdown) == """
                # Odd &lt;values&gt;

                What is easily written wrong?

                | label | amount | part |
                | --- | ---: | ---: |
                | a,"b"<br>c | 9223372036854775807 | 0.1 |
                | 日本\\|\\\\&lt;i&gt;\t | -1 | 1.0 |
                |  |  | 1e-07 |
                |  | 0 | 00ff |

                """)
    }

    @Test("HTML takes no value for markup")
    func html() throws {
        let text = try Self.output(.html)
        #expect(text.contains("<title>Odd &lt;values&gt;</title>"))
        #expect(
            text.contains(
                "<tr><td>日本|\\&lt;i&gt;\\u{9}</td><td class=\"number\">-1</td><td class=\"number\">1.0</td></tr>"))
        #expect(text.hasSuffix("</html>\n"))
    }

    @Test("HTML draws the charts of the header behind the rows, and says so before them")
    func htmlCharts() throws {
        let header = try ReportHeader(
            parsing: """
                -- left: Left
                -- Who left?
                --
                -- Grain: one row per account_id
                --
                -- Columns:
                --   account_id  text  account
                --   product_id  text  product
                --
                -- Chart: bars  x=product_id  y=rows
                --
                -- Example:
                --   receiptmill report left --database mill.sqlite
                """)
        var format = ReportFormatName.html.makeFormat()
        var text = ""
        format.begin(header, into: &text)
        for (account, product) in [("a", "gems"), ("b", "gems"), ("c", "<i>")] {
            format.row([.text(account), .text(product)], into: &text)
        }
        format.end(into: &text)
        let parts = text.split(separator: "<h2 id=\"charts\">")
        #expect(parts.count == 2 && parts[0].contains("<a href=\"#charts\">") && parts[0].contains("<td>c</td>"))
        #expect(parts[1].contains("<title>gems: 2 rows</title>"))
        #expect(parts[1].contains("<title>&lt;i&gt;: 1 rows</title>"))
    }

    @Test("Cells of HTML that name a case lead to it, whatever bytes the name has, and others lead nowhere")
    func caseLinks() throws {
        let header = try ReportHeader(
            parsing: """
                -- seen: Seen
                -- Who was seen?
                --
                -- Grain: one row per account_id
                --
                -- Columns:
                --   account_id  text  account
                --   owner       text  owner
                --   detail      text  detail
                --
                -- Example:
                --   receiptmill report seen --database mill.sqlite
                """)
        var format = ReportFormatName.html.makeFormat(caseLinks: try CaseLinks(address: "https://d.example/mill/"))
        var text = ""
        format.begin(header, into: &text)
        format.row([.text("a&\"é\n"), .text("u 1"), .text("a")], into: &text)
        format.row([.null, .text("(none)"), .null], into: &text)
        format.end(into: &text)
        #expect(
            text.contains(
                "<tr><td><a href=\"https://d.example/mill/fraud-case?case=a%26%22%C3%A9%0A\">a&amp;&quot;é\\u{a}</a></td>"
                    + "<td><a href=\"https://d.example/mill/entitlement-case?owner=u%201\">u 1</a></td><td>a</td></tr>")
        )
        #expect(text.contains("<tr><td></td><td>(none)</td><td></td></tr>"))
        #expect(throws: MillError.self) { try CaseLinks(address: "javascript:alert(1)//") }
    }

    @Test("A table lines numbers up on the right and shows control characters harmlessly")
    func table() throws {
        #expect(
            try Self.output(.table) == #"""
                Odd <values>
                What is easily written wrong?

                label                          amount     part
                ────────────────  ───────────────────  ───────
                a,"b"\u{d}\u{a}c  9223372036854775807   10.0 %
                日本|\<i>\u{9}                     -1  100.0 %
                                                    –    0.0 %
                –                                   0     00ff

                4 rows

                """#)
    }

    @Test("A table of all columns that is wider than the terminal becomes a block for each row")
    func blocks() throws {
        let text = try Self.output(.table, layout: TableLayout(width: 20), columns: .all)
        #expect(text.contains("label   –\namount  0\npart    00ff\n\n4 rows\n"))
    }
}
