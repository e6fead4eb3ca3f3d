internal import Testing

@testable import MillSystem
@testable import ReceiptReports
@testable import ReportHeaders

/// The schema beside what a report writes.
@Suite struct TableSchemaTests {
    private static let header = Result {
        try ReportHeader(
            parsing: """
                -- kinds: Kinds "of" columns
                -- What is a column?
                --
                -- Grain: one row per version, day
                --
                -- Columns:
                --   version  text           a version
                --   day      date           a day
                --   month    month          a month
                --   at       time           a moment
                --   age      integer(days)  an age
                --   price    real           a price
                --   part     share          a part
                --
                -- Example:
                --   receiptmill report kinds --database mill.sqlite
                """)
    }

    @Test("Columns have the types of the standard Table Schema, with units and meanings")
    func csv() throws {
        #expect(
            try Self.header.get().tableSchema(as: .csv) == """
                {
                  "title": "Kinds \\"of\\" columns",
                  "description": "What is a column?",
                  "fields": [
                    {"name":"version","type":"string","description":"a version"},
                    {"name":"day","type":"date","description":"a day"},
                    {"name":"month","type":"yearmonth","description":"a month"},
                    {"name":"at","type":"datetime","description":"a moment"},
                    {"name":"age","type":"integer","unit":"days","description":"an age"},
                    {"name":"price","type":"number","description":"a price"},
                    {"name":"part","type":"number","description":"a part"}
                  ],
                  "missingValues": [""],
                  "primaryKey": ["version", "day"]
                }

                """)
    }

    @Test(
        "What stands for null is the format's",
        arguments: [(.table, #"["–"]"#), (.json, "[]"), (.tsv, #"[""]"#)] as [(ReportFormatName, String)])
    func missing(format: ReportFormatName, values: String) throws {
        #expect(try Self.header.get().tableSchema(as: format).contains("\"missingValues\": \(values)"))
    }
}
