internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// What a night finds among its archives and what is none: nothing is taken for
/// one, and nothing is passed over in silence.
@Suite struct SpoolTests {
    private let workdir: Workdir

    init() throws {
        workdir = try Workdir()
        for folder in ["in", "own"] { try #require(mkdir(workdir.path(folder), 0o700) == 0) }
    }

    private func write(
        _ archives: String, _ more: String = "", database: String = "mill.sqlite", alarms: String = "untrusted_share: 1"
    ) throws -> String {
        try workdir.write(
            "database: \(database)\ncreate: true\narchives:\n  - \(archives)\nalarms: {\(alarms)}\n\(more)",
            to: "night.yaml")
    }

    private func deliver(_ name: String = "in/a.gz") throws {
        try Samples.copyBeginning(to: workdir.path(name))
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: workdir.path(name)) }

    /// The run, and the dry run before it, which has to end alike.
    private func night(_ file: String) throws -> Mill.Result {
        let plan = try Mill.run(["run", file, "--dry-run"])
        let run = try Mill.run(["run", file])
        #expect(plan.status == run.status, "\(plan) \(run)")
        return run
    }

    // MARK: What is no archive

    @Test(
        "Files that the run itself needs are refused as archives",
        arguments: [
            ("{path: 'in/*', after: delete}", "", "in/mill.sqlite", "in/mill.sqlite is the database", 4),
            ("{path: 'in/*', after: move, move_to: done}", "", "in/mill.sqlite", "is the database", 4),
            ("{path: 'in/*'}", "", "in/mill.sqlite", "is the database, which would be loaded as an archive", 4),
            ("{path: 'in/*-wal', after: delete}", "", "in/mill.sqlite", "in/mill.sqlite-wal is the database", 4),
            ("{path: in/mill.sqlite-lock, after: delete}", "", "in/mill.sqlite", "mill.sqlite-lock is the database", 4),
            ("{path: '*/*.sqlite', after: delete}", "", "far/mill.sqlite", "far/mill.sqlite is the database", 4),
            ("{path: 'link/*', after: delete}", "", "far/mill.sqlite", "far/mill.sqlite is the database", 4),
            ("{path: 'in/*', after: move, move_to: done}", "", "done/mill.sqlite", "is the database", 4),
            ("{path: './*', after: move, move_to: done}", "", "own/mill.sqlite", "night.yaml is the pipeline file", 4),
            ("{path: 'in/*', after: move, move_to: done}", "pseudonym_key: in/key\n", "m", "in/key is the key", 4),
            ("{path: 'in/*', after: delete}", "trust: {anchors: [in/root.pem]}\n", "m", "in/root.pem is an anchor", 4),
            (
                "{path: 'in/*', after: delete}", "trust: {anchors_without_markers: [in/root.pem]}\n", "m",
                "in/root.pem is an anchor", 4
            ),
            (
                "{path: 'in/*', after: delete}", "trust: {intermediates: [in/root.pem]}\n", "m",
                "in/root.pem is a certificate", 4
            ),
            ("{path: 'own/*.sql', after: delete}", "report_folder: own\n", "m", "own/mine.sql is a report of yours", 4),
        ])
    func ownFiles(
        archives: String, more: String, database: String, what: String, line: Int
    ) throws {
        try #require(mkdir(workdir.path("far"), 0o700) == 0 && mkdir(workdir.path("done"), 0o700) == 0)
        try FileManager.default.createSymbolicLink(atPath: workdir.path("link"), withDestinationPath: "far")
        try workdir.write(String(repeating: "k", count: 32), to: "in/key")
        try FileManager.default.copyItem(atPath: Samples.root, toPath: workdir.path("in/root.pem"))
        try workdir.write("-- mine: Mine\n", to: "own/mine.sql")
        let file = try write(archives, more, database: database)
        let before = try FileManager.default.subpathsOfDirectory(atPath: workdir.url.path).sorted()
        let result = try night(file)
        #expect(result.status == 78 && result.errors.contains(what), "\(result)")
        #expect(result.errors.contains("night.yaml:\(line): archives[0].path: "), "\(result)")
        #expect(result.errors.contains("in a folder of their own"), "\(result)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: workdir.url.path).sorted() == before)
    }

    @Test("The database is never taken for an archive, through links either")
    func linkToDatabase() throws {
        try deliver()
        try FileManager.default.createSymbolicLink(
            atPath: workdir.path("in/b.gz"), withDestinationPath: "../mill.sqlite")
        let file = try write("{path: in/*.gz, after: delete}", "dead_letters: {file: r.gz}\n")
        let result = try night(file)
        #expect(result.status == 78 && result.errors.contains("mill.sqlite is the database"), "\(result)")
        #expect(exists("in/a.gz") && !exists("mill.sqlite"))
        let loading = ["ingest", workdir.path("in/a.gz"), "--database", workdir.path("mill.sqlite")]
        #expect(try Mill.run(loading + ["--trust", Samples.root]).status == 0)
        let given = try Mill.run(["ingest", workdir.path("mill.sqlite"), "--database", workdir.path("mill.sqlite")])
        #expect(given.status == 66 && given.errors.contains("is the database"), "\(given)")
    }

    // MARK: What is there and can't be loaded

    @Test("A symbolic link that leads nowhere is a missing archive")
    func brokenLink() throws {
        try deliver()
        try FileManager.default.createSymbolicLink(atPath: workdir.path("in/b.gz"), withDestinationPath: "/none/b.gz")
        try FileManager.default.createSymbolicLink(atPath: workdir.path("in/c.gz"), withDestinationPath: "c.gz")
        let result = try night(try write("{path: in/*.gz, after: move, move_to: done}"))
        #expect(result.status == 66 && result.errors.contains("in/b.gz: can't be opened"), "\(result)")
        #expect(result.errors.contains("a link to what is not there (/none/b.gz)"), "\(result)")
        #expect(result.errors.contains("in/c.gz: can't be opened"), "\(result)")
        #expect(exists("done/a.gz") && !exists("done/b.gz"))
    }

    @Test("A file name that is not UTF-8 is reported")
    func nameNotUTF8() throws {
        try deliver()
        // café.gz in ISO 8859-1.
        let name = Array(workdir.path("in/caf").utf8) + [0xE9] + Array(".gz".utf8) + [0]
        try name.withUnsafeBytes { bytes in
            let path = try #require(bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            try #require(link(workdir.path("in/a.gz"), path) == 0)
        }
        defer { name.withUnsafeBytes { _ = $0.baseAddress.map { unlink($0.assumingMemoryBound(to: CChar.self)) } } }
        let result = try night(try write("{path: in/*.gz}"))
        #expect(result.status == 66 && result.errors.contains(#"in/caf\\xE9.gz: its name"#), "\(result)")
        #expect(result.errors.contains("rename it"), "\(result)")
        let shell = try Command(
            "sh", ["-c", #""$0" ingest in/caf*.gz --database m.sqlite 2>&1"#, Mill.binary.path], in: workdir.url
        ).run()
        #expect(shell.status == 66 && shell.output.contains("not UTF-8"), "\(shell)")
    }

    // MARK: Archives without a line

    @Test("An empty file with a gzip name counts as damaged and stays")
    func emptyGzip() throws {
        // An empty text is loaded, and its content is the same.
        try workdir.write("", to: "in/a.jsonl")
        for name in ["in/b.gz", "in/c.GZ"] { try workdir.write("", to: name) }
        let result = try night(try write("{path: in/*, after: move, move_to: done}"))
        #expect(result.status == 65 && result.errors.contains("in/b.gz: is empty, and no gzip file"), "\(result)")
        #expect(exists("done/a.jsonl") && exists("in/b.gz") && exists("in/c.GZ"))
    }

    @Test("An archive without lines does not end the alarm of a missing archive")
    func archiveWithoutLines() throws {
        let file = try write("{path: in/*}", alarms: "untrusted_share: 1, archive_missing_days: 2")
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        try DatabaseQueue(path: workdir.path("mill.sqlite")).write { db in
            try db.execute(sql: "UPDATE archive_place SET found_at = found_at - 172900000")
        }
        // gzip -n < /dev/null
        try workdir.write(
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0], to: "in/b.gz")
        try workdir.write("", to: "in/c.jsonl")
        let missed = try Mill.run(["run", file])
        #expect(missed.status == 66 && missed.errors.contains("archive_missing"), "\(missed)")
        try workdir.write("{}\n", to: "in/d.jsonl")
        let come = try Mill.run(["run", file])
        #expect(come.status == 0, "\(come)")
    }
}
