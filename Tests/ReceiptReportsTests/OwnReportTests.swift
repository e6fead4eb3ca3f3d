internal import Foundation
import MillTestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptReports

/// Reports of the user's: what is wrong with one is told with file and line.
@Suite struct OwnReportTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase() }

    private static let header = [
        "-- mine: Mine", "-- What?", "-- Grain: one row per n", "-- Columns:", "--   n  integer  a number",
        "-- Example:", "--   receiptmill report mine", "",
    ].joined(separator: "\n")

    private var folder: String { database.folder.appending(path: "own").path }

    private func run(_ bytes: [UInt8]) throws -> String {
        _ = try database.write("", to: "own/mine.sql")
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/mine.sql"))
        return try database.output(of: ReportCatalog(folder: folder).report(named: "mine"))
    }

    /// Writes a report of one column and runs it; its statement begins on line 8.
    private func run(_ statement: String, header: String = Self.header) throws -> String {
        try run(Array((header + statement).utf8))
    }

    private func failure(_ body: () throws -> String) -> MillError? {
        #expect(throws: MillError.self) { _ = try body() }
    }

    @Test(
        "A report of the user's runs",
        arguments: [
            "WITH one AS (SELECT 1 AS n) SELECT n FROM one;\n-- the end\n", "select 1 as n",
            "/* why */ SELECT 1 AS n;;",
            "SELECT 1 AS n -- ; SELECT 2", "SELECT 1 AS [n] WHERE ';' <> '''' || '?'",
        ])
    func runs(statement: String) throws {
        #expect(try run(statement) == "n\r\n1\r\n")
    }

    @Test(
        "A report that is not one SELECT as its header states is refused with the line",
        arguments: [
            ("SELECT 1 AS n;\n\nSELECT 2 AS n;", 10, "the file holds more than one statement"),
            ("SELECT 1 AS n;\nnonsense(", 9, "the file holds more than one statement"),
            ("\nDELETE FROM receipt;", 9, "the statement does not start with SELECT or WITH"),
            ("WITH x AS (SELECT 1) DELETE FROM receipt RETURNING receipt_id AS n;", 8, "the statement is no query"),
            ("PRAGMA user_version;", 8, "the statement does not start with SELECT or WITH"),
            ("\n-- nothing", 7, "there is no statement below the header"),
            ("SELECT 1 AS m;", 5, "the header's columns are n; the statement's are m"),
            ("SELECT 1 AS n, 2 AS m;", 5, "the header's columns are n; the statement's are n, m"),
            ("SELECT ':y' AS n -- :z\nWHERE 1 = :x;", 9, "the header does not describe the parameter :x"),
            (
                "SELECT '?' AS n\nWHERE 1 = ?;", 9,
                "the statement has the parameter ?, which does not begin with a colon"
            ),
            ("SELECT ?1 AS n;", 8, "the statement has the parameter ?1, which does not begin with a colon"),
            ("SELECT\n@x AS n;", 9, "the statement has the parameter @x, which does not begin with a colon"),
            ("SELECT 1 AS n\nFROM nothing_of_the_kind;", 9, "no such table: nothing_of_the_kind"),
            ("SELECT 1 AS n\nFROM main.quantum;", 9, "no such table: main.quantum"),
            ("SELECT\n    quantum AS n\nFROM purchases;", 9, "no such column: quantum"),
            ("SELECT\n    quantum(1) AS n;", 9, "no such function: quantum"),
            ("SELECT 1 AS n\nWHERE 1 = = 2;", 9, "near \"=\": syntax error"),
            ("SELECT 1 AS n\nFROM (\n", 9, "incomplete input"),
            (
                "SELECT 1 AS n\nUNION SELECT 1, 2;", 8,
                "SELECTs to the left and right of UNION do not have the same number of result columns"
            ),
            ("SELECT 1 AS n ORDER BY n COLLATE\nnowhere;", 9, "no such collation sequence: nowhere"),
            ("SELECT\nabs(-9223372036854775807 - 1) AS n;", 8, "integer overflow"),
        ])
    func refused(statement: String, line: Int, what: String) {
        let error = failure { try run(statement) }
        #expect(error?.what == what)
        #expect(error?.line == line)
        #expect(error?.exitStatus == .configuration)
        #expect(error?.path?.hasSuffix("own/mine.sql") == true)
        #expect(error?.hint != nil)
    }

    @Test("A parameter that the statement does not use is reported with its line in the header")
    func unused() {
        let header = Self.header.replacing("-- Example", with: "-- Parameters:\n--   :x  text  a  a text\n-- Example")
        let error = failure { try run("SELECT ':x' AS n;", header: header) }
        #expect(error?.what == "the statement does not use the parameter :x")
        #expect(error?.line == 7)
    }

    @Test(
        "Any ends of lines and a byte order mark do no harm",
        arguments: [("\r\n", false), ("\r", false), ("\n", true), ("\r\n", true)])
    func lineEnds(end: String, isMarked: Bool) throws {
        let text = (Self.header + "SELECT 1 AS n;\n").replacing("\n", with: end)
        #expect(try run((isMarked ? [0xef, 0xbb, 0xbf] : []) + Array(text.utf8)) == "n\r\n1\r\n")
        let broken = (Self.header + "SELECT\nquantum AS n;\n").replacing("\n", with: end)
        #expect(failure { try run(Array(broken.utf8)) }?.line == 9)
    }

    @Test(
        "A file that is no report's text is reported with the first line at fault",
        arguments: [
            ([], 1, "the file is empty"), (Array("\n \n".utf8), 1, "the file is empty"),
            (Array("SELECT 1 AS n;".utf8), 1, "the report has no title"),
            (
                Array(Self.header.utf8) + Array("SELECT '".utf8) + [0xe4] + Array("' AS n;".utf8), 8,
                "the line is not UTF-8"
            ),
            (Array("-- mine: Mine\r\n-- W".utf8) + [0xc3], 2, "the line is not UTF-8"),
            (Array(Self.header.utf8) + Array("SELECT 1 AS n;\n".utf8) + [0], 9, "the line holds a null character"),
            ([0xff, 0xfe, 0x2d, 0x00], 1, "the file is UTF-16"),
        ] as [([UInt8], Int, String)])
    func noText(bytes: [UInt8], line: Int, what: String) {
        let error = failure { try run(bytes) }
        #expect(error?.what == what)
        #expect(error?.line == line)
        #expect(error?.exitStatus == .configuration)
    }

    @Test("A file that no report could fill is not read whole")
    func large() {
        let error = failure { try run(Array(repeating: 0x2d, count: 3 << 20)) }
        #expect(error?.what == "the file has more than 1 MiB")
    }

    @Test("What is named like a report and is no file is passed over")
    func noFiles() throws {
        _ = try database.write("", to: "own/folder.sql/note.txt")
        #expect(mkfifo(folder + "/pipe.sql", 0o600) == 0)
        let names = try ReportCatalog(folder: folder).names
        #expect(!names.contains("folder") && !names.contains("pipe"))
    }
}
