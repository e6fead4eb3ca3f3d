internal import Foundation
internal import TestSupport
internal import Testing

/// What a command reads, its outputs leave alone.
@Suite struct GuardedFileTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }
    private var archive: String { workdir.path("a.gz") }

    init() throws {
        workdir = try Workdir()
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("a.gz"))
        try FileManager.default.createSymbolicLink(
            atPath: workdir.path("link.sqlite"), withDestinationPath: "mill.sqlite")
    }

    private func ingest(_ options: String...) throws -> Mill.Result {
        try Mill.run(["ingest", archive, "--trust", Samples.root, "--database", database, "--quiet"] + options)
    }

    @Test(
        "A load does not overwrite what it reads",
        arguments: [
            (["--dead-letters", "a.gz"], "an archive"), (["--metrics", "a.gz"], "an archive"),
            (["--metrics", "mill.sqlite"], "the database"), (["--metrics", "link.sqlite"], "the database"),
            (["--dead-letters", "mill.sqlite-wal"], "the database"),
            (["--dead-letters", "r.gz", "--metrics", "r.gz"], "the dead letters"),
        ])
    func loadKeepsInput(options: [String], owner: String) throws {
        let paths = options.map { $0.hasPrefix("--") ? $0 : workdir.path($0) }
        let result = try Mill.run(["ingest", archive, "--trust", Samples.root, "--database", database] + paths)
        #expect(result.status == 64 && result.errors.contains("is \(owner), which would be overwritten"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: database))
        #expect(try workdir.read("a.gz") == [UInt8](try Data(contentsOf: URL(filePath: Samples.archive))))
    }

    @Test(
        "Outputs need the file name endings that a pipeline file asks for",
        arguments: [
            ["ingest", "--metrics", "m.txt"], ["ingest", "--dead-letters", "r.jsonl"], ["load", "--dead-letters", "r"],
        ])
    func outputEndings(command: [String]) throws {
        let result = try Mill.run([command[0], archive, "--database", database, command[1], workdir.path(command[2])])
        #expect(result.status == 64 && result.errors.contains("\(command[2]) does not end in ."), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: database))
        let page = try Mill.run(["report", "--html-dashboard", workdir.path("page"), "--database", database])
        #expect(page.status == 64 && page.errors.contains("page does not end in .html"), "\(page)")
    }

    @Test("Outputs may go to standard output")
    func standardOutput() throws {
        let result = try ingest("--metrics", "/dev/stdout")
        #expect(result.status == 0 && result.output.contains("receiptmill_run_exit_status 0"), "\(result)")
        let page = try Mill.run(["report", "--html-dashboard", "/dev/stdout", "--database", database])
        #expect(page.status == 0 && page.output.hasSuffix("</html>\n"))
    }

    @Test("Metrics written to a pipe leave its mode as it is")
    func metricsToPipe() throws {
        let pipe = workdir.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(try ingest("--metrics", pipe).status == 0)
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(
        "A report does not overwrite the database",
        arguments: [
            ["refunds", "--output"], ["refunds", "--format", "csv", "--output"], ["--html-dashboard"],
            ["--all", "--output"],
        ])
    func reportKeepsDatabase(options: [String]) throws {
        try Samples.copyDatabase(into: workdir)
        let before = try workdir.read("mill.sqlite")
        for name in ["mill.sqlite", "link.sqlite", "mill.sqlite-wal"] {
            let result = try Mill.run(["report"] + options + [workdir.path(name), "--database", database])
            #expect(result.status == 64 && result.errors.contains("is the database"), "\(result)")
        }
        #expect(try workdir.read("mill.sqlite") == before)
    }

    @Test("A load of decoded lines does not overwrite them")
    func loadKeepsDecodedLines() throws {
        let lines = try workdir.write("lines", to: "decoded.gz")
        let result = try Mill.run(["load", lines, "--database", database, "--dead-letters", lines])
        #expect(result.status == 64 && result.errors.contains("is a file of decoded lines"), "\(result)")
        #expect(try workdir.read("decoded.gz") == Array("lines".utf8))
    }

    @Test("A run whose metrics can't be written is incomplete")
    func metricsNotWritten() throws {
        let result = try ingest("--metrics", workdir.path("no/x.prom"))
        #expect(result.status == 73 && result.errors.contains("no/x.prom"), "\(result)")
        #expect(try Stored(database).lines("SELECT outcome FROM runs") == ["incomplete"])
    }

    // MARK: Patterns

    private func night(_ archives: String, _ more: String = "") throws -> String {
        try workdir.write(
            "database: mill.sqlite\ncreate: true\ntrust: {anchors: [\(Samples.root)]}\narchives:\n\(archives)\(more)",
            to: "night.yaml")
    }

    private func submissions() throws -> Int? {
        try Stored(database).lines("SELECT count(*) FROM submissions").first.flatMap { Int($0) }
    }

    @Test("A pipe among archives is reported and the others are loaded", .timeLimit(.minutes(1)))
    func pipeAmongArchives() throws {
        try #require(mkfifo(workdir.path("b.gz"), 0o600) == 0)
        let file = try night("  - path: '*.gz'\n")
        let result = try Mill.run(["run", file])
        #expect(result.status == 66 && result.errors.contains("b.gz: is a pipe"), "\(result)")
        #expect(result.errors.contains(#""hint":"#))
        #expect(try submissions() ?? 0 > 0)
        let plan = try Mill.run(["run", file, "--dry-run"])
        #expect(plan.status == 66 && plan.output.contains("b.gz: is a pipe"), "\(plan)")
    }

    @Test("A pattern whose folder is missing is reported and the others are loaded")
    func missingFolder() throws {
        try workdir.write("", to: "file")
        for folder in ["none", "none/*", "file"] {
            let file = try night("  - path: \(folder)/*.gz\n  - path: '*.gz'\n")
            let result = try Mill.run(["run", file, "--format", "json"])
            #expect(result.status == 66 && result.errors.contains("/\(folder)/*.gz: the folder"), "\(result)")
            #expect(result.output.contains(#""outcome":"incomplete""#))
            #expect(try submissions() ?? 0 > 0)
            let plan = try Mill.run(["run", file, "--dry-run"])
            #expect(plan.status == 66 && plan.output.contains("/*.gz: the folder"), "\(plan)")
        }
    }

    @Test("A folder that a pattern can't read is reported", .enabled(if: geteuid() != 0))
    func unreadableFolder() throws {
        for folder in ["in", "in/a", "in/b"] { try #require(mkdir(workdir.path(folder), 0o700) == 0) }
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("in/b/b.gz"))
        try #require(chmod(workdir.path("in/a"), 0) == 0)
        for pattern in ["in/*/*.gz", "in/*/b.gz", "in/[ab]/b.gz"] {
            let result = try Mill.run(["run", try night("  - path: '\(pattern)'\n")])
            #expect(
                result.status == 66 && result.errors.contains("/in/a can't be read: Permission denied"), "\(result)")
            #expect(try submissions() ?? 0 > 0)
        }
    }

    @Test("A pattern without matches is no error")
    func patternWithoutFiles() throws {
        try #require(mkdir(workdir.path("in"), 0o700) == 0)
        for pattern in ["in/*.gz", "'in[x]/*.gz'", "'in/*/a.gz'"] {
            let result = try Mill.run(["run", try night("  - path: \(pattern)\n")])
            #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        }
    }
}
