internal import Foundation
internal import TestSupport
internal import Testing

/// Room that is asked for before anything is done.
@Suite struct PreflightTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws { workdir = try Workdir() }

    /// A file with holes, far larger than any disk, that begins as gzip does.
    private func hugeArchive() throws -> String {
        let path = try workdir.write([0x1f, 0x8b], to: "huge.gz")
        try #require(truncate(path, 8 << 40) == 0)
        return path
    }

    @Test("An archive for which the disk has no room is told before anything is loaded", arguments: ["ingest", "load"])
    func archive(command: String) throws {
        try Samples.copyBeginning(to: workdir.path("a.gz"))
        let result = try Mill.run([command, workdir.path("a.gz"), hugeArchive(), "--database", database, "--quiet"])
        #expect(result.status == 74 && result.errors.contains("not enough room: about "), "\(result)")
        #expect(result.errors.contains(workdir.url.path) && result.errors.contains("--no-preflight"), "\(result)")
        #expect(try Stored(database).lines("SELECT count(*) FROM archives") == ["0"])
    }

    @Test("A dry run of a pipeline file tells of it, too")
    func dryRun() throws {
        let night = try workdir.write(
            "database: \(database)\ncreate: true\narchives: [{path: \(try hugeArchive())}]\n", to: "night.yaml")
        for options in [["--dry-run"], []] {
            let result = try Mill.run(["run", night] + options)
            #expect(result.status == 74, "\(result)")
            #expect((result.output + result.errors).contains("not enough room"), "\(result)")
        }
    }

    @Test(
        "A folder for temporary files that can't be used is told with its variable",
        arguments: ["SQLITE_TMPDIR", "TMPDIR"])
    func temporaryFolder(variable: String) throws {
        try Samples.copyBeginning(to: workdir.path("a.gz"))
        var command = try Command(
            Mill.binary.path, ["ingest", workdir.path("a.gz"), "--trust", Samples.root, "--database", database])
        command.environment = [variable: "/nowhere"]
        let result = try command.run()
        #expect(result.status == 73 && result.errors.contains("/nowhere: \(variable) names it"), "\(result)")
        #expect(try Stored(database).lines("SELECT count(*) FROM archives") == ["0"])
    }

    @Test("--no-preflight asks for no room")
    func noPreflight() throws {
        try Samples.copyBeginning(to: workdir.path("a.gz"))
        var command = try Command(
            Mill.binary.path,
            [
                "ingest", workdir.path("a.gz"), "--trust", Samples.root, "--database", database, "--no-preflight",
                "--quiet",
            ])
        command.environment = ["SQLITE_TMPDIR": "/nowhere"]
        let result = try command.run()
        #expect(result.status == 0, "\(result)")
    }
}
