import MillTestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptReports

/// Amounts as they are written: by the digits of ISO 4217, exactly.
@Suite struct MoneyTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase() }

    private static func report(_ rows: String) throws -> Report {
        try Report(
            sql: """
                -- sums: Sums
                -- How much?
                -- Grain: one row per place
                -- Columns:
                --   place     integer          place
                --   currency  text             currency
                --   net       money(currency)  amount
                -- Chart: bars  x=place  y=net
                -- Example:
                --   receiptmill report sums --database mill.sqlite

                SELECT column1 AS place, column2 AS currency, column3 AS net FROM (VALUES \(rows))
                """, fileName: "sums", topic: nil, origin: .init(path: "sums.sql"))
    }

    @Test(
        "Money has the digits of its currency, and more only where the amount has them",
        arguments: [
            ("'USD', 9990", "9.99"), ("'USD', 9995", "9.995"), ("'EUR', 1000", "1.00"), ("'EUR', -500", "-0.50"),
            ("'EUR', 0", "0.00"), ("'EUR', -1", "-0.001"), ("'JPY', 1200000", "1200"), ("'JPY', 1200500", "1200.5"),
            ("'JPY', 0", "0"), ("'KRW', -9900000", "-9900"), ("'KWD', 1500", "1.500"),
            ("'KWD', 9007199254740993", "9007199254740.993"),
            ("'CLF', 1500", "1.5000"), ("'XTS', 10", "0.01"), ("NULL, 5", "0.005"), ("'(none)', 20000", "20.00"),
            ("'USD', 9223372036854775807", "9223372036854775.807"),
            ("'USD', -9223372036854775807 - 1", "-9223372036854775.808"), ("'USD', NULL", ""),
        ])
    func digits(row: String, text: String) throws {
        let output = try database.output(of: Self.report("(1, \(row))"))
        #expect(
            output.split(separator: "\r\n").last?.split(separator: ",", omittingEmptySubsequences: false).last
                == text[...])
    }

    @Test(
        "Every format writes the same digits; a table separates thousands",
        arguments: [
            (.tsv, "1\tUSD\t9.90\n"), (.json, #"{"place":1,"currency":"USD","net":9.90}"#),
            (.jsonl, #"{"place":2,"currency":"JPY","net":1200}"#), (.markdown, "| 1 | USD | 9.90 |"),
            (.table, "    1  USD        9.90\n    2  JPY       1,200\n"), (.html, "<td class=\"number\">9.90</td>"),
        ] as [(ReportFormatName, String)])
    func formats(format: ReportFormatName, text: String) throws {
        let output = try database.output(of: Self.report("(1, 'USD', 9900), (2, 'JPY', 1200000)"), as: format)
        #expect(output.contains(text))
    }

    @Test("A table rounds to the digits of the currency, half away from zero; CSV is exact")
    func rounded() throws {
        let report = try Self.report("(1, 'USD', 8335), (2, 'USD', -1234565), (3, 'JPY', 1200500)")
        let table = try database.output(of: report, as: .table)
        #expect(
            table.contains("    1  USD            8.34\n    2  USD       -1,234.57\n    3  JPY           1,201\n"),
            "\(table)")
        let exact = try database.output(of: report, as: .csv)
        #expect(exact.hasSuffix("1,USD,8.335\r\n2,USD,-1234.565\r\n3,JPY,1200.5\r\n"), "\(exact)")
    }

    @Test("Charts draw amounts in whole units, each currency by itself")
    func charts() throws {
        let output = try database.output(of: Self.report("(1, 'USD', 9900), (2, 'JPY', 1200000)"), as: .html)
        #expect(output.contains("<figcaption>JPY</figcaption>"))
        #expect(output.contains(": 9.9 "))
        #expect(output.contains(": 1,200 "))
    }

    @Test("A schema calls money a number")
    func schema() throws {
        let schema = try Self.report("(1, 'USD', 1)").header.tableSchema(as: .csv)
        #expect(schema.contains(#"{"name":"net","type":"number","unit":"currency","description":"amount"}"#))
    }

    @Test("What is no whole number of milliunits is refused, since it may not be exact", arguments: ["9.99", "'9.99'"])
    func inexact(value: String) throws {
        let report = try Self.report("(1, 'USD', \(value))")
        let error = #expect(throws: MillError.self) { try database.output(of: report) }
        #expect(error?.what == "net is money, and the statement gives 9.99")
        #expect(error?.line == 7)
        #expect(error?.exitStatus == .configuration)
    }
}
