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
        #expect(result.status == 74 && result.errors.contains("not enough disk space: about "), "\(result)")
        #expect(result.errors.contains(workdir.url.path) && result.errors.contains("--no-preflight"), "\(result)")
        // ingest alone removes a database that it made.
        #expect(FileManager.default.fileExists(atPath: database) == (command == "load"))
    }

    @Test(
        "A night passes over a file of holes, with a fault that names it, and loads the rest",
        arguments: ["after: keep", "after: delete", "after: move, move_to: done, damaged_to: bad"])
    func holes(after: String) throws {
        let huge = try hugeArchive()
        try Samples.copyBeginning(to: workdir.path("a.gz"))
        let night = try workdir.write(
            "database: \(database)\ncreate: true\ntrust: {anchors: [\(Samples.root)]}\n"
                + "archives: [{path: \(workdir.path("*.gz")), \(after)}]\n", to: "night.yaml")
        for options in [["--dry-run"], [], ["--no-preflight"]] {
            let result = try Mill.run(["run", night] + options)
            #expect(result.status == 65, "\(result)")
            #expect(
                (result.output + result.errors).contains("huge.gz: is mostly holes: 8796093022208 bytes long"),
                "\(result)")
            #expect(FileManager.default.fileExists(atPath: huge))
        }
        #expect(try Stored(database).lines("SELECT name FROM archives") == ["a.gz"])
    }

    @Test(
        "A night passes over an archive that alone needs more room than there is, and loads the rest",
        .enabled(if: geteuid() == 0))
    func tooLarge() throws {
        // No file of holes: all of it was written.
        try workdir.write([UInt8](repeating: 0x20, count: 240 << 20), to: "huge.jsonl")
        try Samples.copyBeginning(to: workdir.path("small.gz"))
        try workdir.write(
            "database: \(workdir.path("full/mill.sqlite"))\ncreate: true\ntrust: {anchors: [\(Samples.root)]}\n"
                + "archives: [{path: \(workdir.path("*.jsonl"))}, {path: \(workdir.path("*.gz"))}]\n", to: "night.yaml")
        // A disk of 24 MiB, which this process's mounts alone have.
        let script = """
            mkdir full && mount -t tmpfs -o size=24m none full && export SQLITE_TMPDIR=full
            "$0" run night.yaml --dry-run; "$0" run night.yaml; echo "status $?"
            "$0" report archive-loads --database full/mill.sqlite --format csv
            """
        let result = try Command("unshare", ["-m", "sh", "-c", script, Mill.binary.path], in: workdir.url).run()
        #expect(result.errors.contains("huge.jsonl: can't be loaded: not enough disk space: about "), "\(result)")
        #expect(result.output.contains("status 65") && result.output.contains("small.gz"), "\(result)")
        #expect(!result.output.contains(",huge.jsonl"), "\(result)")
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
        #expect(!FileManager.default.fileExists(atPath: database))
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
