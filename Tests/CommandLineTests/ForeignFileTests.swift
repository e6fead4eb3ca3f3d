internal import Foundation
internal import TestSupport
internal import Testing

/// Names that SQLite would take for something else, and what other users put in the place of
/// our files.
@Suite struct ForeignFileTests {
    private let workdir: Workdir
    private var folder: String { workdir.url.path }

    init() throws { workdir = try Workdir() }

    private func ingest(_ database: String, _ options: String..., asNobody: Bool = false) throws -> Mill.Result {
        try Mill.run(
            ["ingest", Samples.archive, "--trust", Samples.root, "--database", database, "--quiet"] + options,
            in: workdir.url, asNobody: asNobody)
    }

    private func mode(_ name: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(workdir.path(name), &status) == 0)
        return status.st_mode & 0o7777
    }

    @Test("A database may have any name of a file", arguments: [":memory:", "file:a.sqlite?mode=memory", "file:b"])
    func databaseNames(name: String) throws {
        let result = try ingest(name)
        #expect(result.status == 0, "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
        #expect(try mode(name) == 0o600)
        let report = try Mill.run(["report", "receipts-by-month", "--database", name], in: workdir.url)
        #expect(report.status == 0 && report.output.contains("trusted"), "\(report)")
        let copy = try Mill.run(["backup", "file:copy", "--database", name], in: workdir.url)
        #expect(copy.status == 0, "\(copy)")
        #expect(try mode("file:copy") == 0o600)
        #expect(try Mill.run(["check", "--database", "file:copy"], in: workdir.url).status == 0)
    }

    @Test("Outputs have the documented modes, whatever stood there")
    func modes() throws {
        for name in ["letters.jsonl.gz", "mill.prom"] {
            try workdir.write([], to: name)
            #expect(chmod(workdir.path(name), 0o666) == 0)
        }
        try workdir.write("no receipt\n", to: "bad.jsonl")
        let result = try ingest(
            "mill.sqlite", "bad.jsonl", "--dead-letters", "letters.jsonl.gz", "--metrics", "mill.prom")
        #expect(result.status == 0, "\(result)")
        #expect(try mode("letters.jsonl.gz") == 0o600)
        #expect(try mode("mill.prom") == 0o644)
    }

    /// A folder of root's that all may write to, as `/tmp` is.
    private static let isRoot = geteuid() == 0
    private static let other: uid_t = 12345

    @Test("Links of other users are not followed", .enabled(if: isRoot, "only root can make another's files"))
    func foreignLinks() throws {
        #expect(chmod(folder, 0o1777) == 0)
        try workdir.write("kept", to: "target.prom")
        for (name, target) in [("mill.prom", "target.prom"), ("mill.sqlite", "elsewhere.sqlite")] {
            try #require(symlink(workdir.path(target), workdir.path(name)) == 0)
            try #require(lchown(workdir.path(name), Self.other, Self.other) == 0)
        }
        let metrics = try ingest("own.sqlite", "--metrics", "mill.prom")
        #expect(metrics.status == 73 && metrics.errors.contains("is a link that belongs to user 12345"), "\(metrics)")
        #expect(try workdir.read("target.prom") == Array("kept".utf8))
        let database = try ingest("mill.sqlite")
        #expect(database.status == 73 && database.errors.contains("is a link that belongs to"), "\(database)")
        #expect(!FileManager.default.fileExists(atPath: workdir.path("elsewhere.sqlite")))
    }

    @Test("A database that another user made is refused", .enabled(if: isRoot, "only root can make another's files"))
    func foreignDatabase() throws {
        #expect(chmod(folder, 0o1777) == 0)
        try workdir.write([], to: "mill.sqlite")
        try #require(chmod(workdir.path("mill.sqlite"), 0o666) == 0)
        try #require(chown(workdir.path("mill.sqlite"), Self.other, Self.other) == 0)
        let isLoaded = try [false, true].map { asNobody in
            let result = try ingest("mill.sqlite", asNobody: asNobody)
            #expect(result.errors.contains("belongs to user 12345, who could read and change it"), "\(result)")
            return result.status == 0
        }
        #expect(isLoaded == [false, false])
        #expect(try workdir.read("mill.sqlite").isEmpty)
        // In its owner's folder it is the owner's choice.
        try #require(chown(folder, Self.other, Self.other) == 0)
        #expect(try ingest("mill.sqlite").status == 0)
    }
}
