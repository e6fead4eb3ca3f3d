internal import Foundation
internal import TestSupport
internal import Testing

/// Paths as short as a path can be, which are not there yet.
@Suite struct RelativePathTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: workdir.path(name)) }

    private func mill(_ arguments: String...) throws -> Mill.Result { try Mill.run(arguments, in: workdir.url) }

    @Test("Outputs named by one character are made")
    func outputs() throws {
        try #require(try mill("ingest", Samples.archive, "--trust", Samples.root, "--database", "m").status == 0)
        #expect(try mill("report", "refunds", "--database", "m", "--output", "o").status == 0)
        #expect(try mill("backup", "b", "--database", "m").status == 0)
        #expect(exists("m") && exists("o") && exists("b"))
        #expect(try mill("report", "--all", "--output", "a", "--database", "m").status == 0)
        #expect(exists("a/refunds.csv"))
        let missing = try mill("ingest", "q", "--database", "m")
        #expect(missing.status == 66 && missing.errors.contains("q: can't be opened"), "\(missing)")
        let letters = try mill("ingest", Samples.archive, "--database", "m", "--dead-letters", "r")
        #expect(letters.status == 64 && letters.errors.contains("r does not end in .gz"), "\(letters)")
    }

    @Test("A pipeline file may name outputs of one character")
    func inPipelineFile() throws {
        for folder in ["i", "d", "w", "r"] { try #require(mkdir(workdir.path(folder), 0o700) == 0) }
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("i/a.gz"))
        try workdir.write(
            """
            database: d/m.sqlite
            create: true
            archives:
              - {path: "i/?.gz", after: move, move_to: l}
            trust: {anchors: [\(Samples.root)]}
            dashboard: w/d.html
            dead_letters: {file: r/r.gz}
            """, to: "q")
        let result = try mill("run", "q")
        #expect(result.status == 0, "\(result)")
        #expect(exists("d/m.sqlite") && exists("l/a.gz") && exists("w/d.html") && exists("r/r.gz"))
    }

    @Test(
        "Missing folders named by one character are reported",
        arguments: [
            ("database: d/m.sqlite\n", "{path: a.gz}"), ("database: m\ndashboard: w/d.html\n", "{path: a.gz}"),
            ("database: m\ndead_letters: {file: r/r.gz}\n", "{path: a.gz}"),
        ])
    func missingFolders(outputs: String, archives: String) throws {
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("a.gz"))
        try workdir.write("create: true\n\(outputs)archives:\n  - \(archives)\n", to: "q.yaml")
        let result = try mill("run", "q.yaml")
        #expect(result.status == 73 && result.errors.contains("can't be made"), "\(result)")
    }
}
