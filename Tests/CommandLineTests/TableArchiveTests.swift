internal import Foundation
internal import TestSupport
internal import Testing

/// Archives that are tables: CSV with a header.
@Suite("An archive that is a table")
struct TableArchiveTests {
    private let workdir: Workdir
    /// The header and rows.
    private let lines: [String]

    init() throws {
        workdir = try Workdir()
        lines = try Self.table.get()
    }

    private static let table = Result {
        let text = try Command("gzip", ["-dc", Samples.archive]).run().output
        let rows = try text.split(separator: "\n").compactMap { line -> String? in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let receipt = object?["receipt"] as? String, let account = object?["account_id"] as? String else {
                return nil
            }
            return "\(account),\"\(receipt)\"\n"
        }
        return ["account_id,receipt\n"] + rows.prefix(12)
    }

    private func ingest(_ archive: String, into database: String, _ options: String...) throws -> Mill.Result {
        try Mill.run(
            [
                "ingest", workdir.path(archive), "--database", workdir.path(database), "--trust", Samples.root,
                "--no-preflight", "--max-rejected", "1",
            ] + options)
    }

    private func query(_ database: String, _ sql: String) throws -> [String] {
        try Stored(workdir.path(database), isReadOnly: true).lines(sql)
    }

    /// What databases of one table have in common, with the numbers of lines.
    private func content(_ database: String) throws -> [String] {
        try query(
            database,
            "SELECT substr(submission_id, instr(submission_id, ':')), account_id FROM submissions ORDER BY 1, 2")
            + query(database, "SELECT line, reason, detail, dismissed FROM rejections ORDER BY 1")
            + query(database, "SELECT lines, loaded_lines, complete FROM archives")
    }

    private func expectWhole(_ database: String) throws {
        try workdir.write(lines.joined(), to: "whole.csv")
        #expect(try ingest("whole.csv", into: "whole.sqlite").status == 0)
        let (found, whole) = (try content(database), try content("whole.sqlite"))
        #expect(found == whole)
        #expect(whole.contains("1|table_header|the line is the header of a table|1"), "\(whole)")
        #expect(whole.last == "\(lines.count)|\(lines.count - 1)|1" && lines.count > 10)
        let check = try Mill.run(["check", "--database", workdir.path(database), "--quiet"])
        #expect(check.status == 0, "\(check)")
    }

    @Test("and grows has its further rows loaded, with their accounts and the numbers of their lines")
    func grown() throws {
        for count in [1, 2, 5, lines.count] {
            try workdir.write(lines.prefix(count).joined(), to: "day.csv")
            let result = try ingest("day.csv", into: "grown.sqlite")
            #expect(result.status == 0, "\(result)")
        }
        try expectWhole("grown.sqlite")
    }

    @Test("and is retried has its rejected rows read by its header")
    func retried() throws {
        try workdir.write(lines.joined(), to: "day.csv")
        #expect(try ingest("day.csv", into: "mill.sqlite", "--ignore-key", "receipt").status == 0)
        #expect(try query("mill.sqlite", "SELECT count(*) FROM submissions") == ["0"])
        let result = try Mill.run([
            "retry", workdir.path("day.csv"), "--database", workdir.path("mill.sqlite"), "--trust", Samples.root,
        ])
        #expect(result.status == 0, "\(result)")
        try expectWhole("mill.sqlite")
    }

    @Test("and is decoded and loaded is as if it was loaded, and verify answers its rows alone")
    func decoded() throws {
        try workdir.write(lines.joined(), to: "day.csv")
        let decoded = try Mill.run(["decode", workdir.path("day.csv"), "--trust", Samples.root])
        #expect(decoded.status == 0)
        try workdir.write(decoded.output, to: "day.decoded")
        let load = try Mill.run([
            "load", workdir.path("day.decoded"), "--database", workdir.path("mill.sqlite"), "--quiet",
        ])
        #expect(load.status == 0, "\(load)")
        try expectWhole("mill.sqlite")
        let verify = try Mill.run(["verify", workdir.path("day.csv"), "--trust", Samples.root, "--batch"])
        #expect(verify.output.split(separator: "\n").count == lines.count - 1, "\(verify)")
        #expect(verify.output.contains(#""line":2,"#) && !verify.output.contains(#""line":1,"#), "\(verify)")
    }

    @Test("and has a row with another number of fields names the line in the file")
    func misfit() throws {
        try workdir.write(lines[0] + lines[1] + "a," + lines[2], to: "day.csv")
        #expect(try ingest("day.csv", into: "mill.sqlite").status == 0)
        #expect(
            try query("mill.sqlite", "SELECT line, reason, detail FROM rejections WHERE dismissed = 0")
                == ["3|invalid_json|3 fields where the header has 2"])
    }
}
