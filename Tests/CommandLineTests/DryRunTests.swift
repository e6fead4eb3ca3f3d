internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill run --dry-run` says and ends with what the run after it does.
@Suite struct DryRunTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func write(_ more: String = "", archives: String = "{path: in/*.gz}") throws -> String {
        try workdir.write(
            "database: mill.sqlite\ncreate: true\ntrust: {anchors: [\(Samples.root)]}\narchives:\n  - \(archives)\n\(more)",
            to: "night.yaml")
    }

    private func deliver() throws {
        try FileManager.default.createDirectory(
            at: workdir.url.appending(path: "in"), withIntermediateDirectories: true)
        try Samples.copyBeginning(to: workdir.path("in/a.gz"))
    }

    /// All that is there but what SQLite makes beside a database that is read.
    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: workdir.url.path).filter {
            !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }.sorted()
    }

    @Test("A dry run announces an archive that will not be deleted")
    func keptArchive() throws {
        try deliver()
        let file = try write(archives: "{path: in/*.gz, after: delete}")
        #expect(try Mill.run(["run", file]).status == 0)
        let plan = try Mill.run(["run", file, "--dry-run"])
        let run = try Mill.run(["run", file])
        let kept = try #require(run.errors.firstMatch(of: /not deleted, (\d+) of its lines/)).1
        #expect(plan.output.contains("a.gz: loaded before, not deleted: \(kept) of its lines were rejected"), "\(plan)")
        #expect(plan.status == 0 && run.status == 0)
    }

    @Test("An archive that the dry run announces as deleted is deleted")
    func deletedArchive() throws {
        try deliver()
        let keeping = try write("dead_letters: {file: r.gz}\n")
        #expect(try Mill.run(["run", keeping]).status == 0)
        let file = try write("dead_letters: {file: r.gz}\n", archives: "{path: in/*.gz, after: delete}")
        #expect(try Mill.run(["run", file, "--dry-run"]).output.contains("a.gz: loaded before, delete\n"))
        #expect(try Mill.run(["run", file, "--format", "json"]).output.contains(#""archives_deleted":1"#))
    }

    private static let longName = String(repeating: "x", count: 256)
    private static let longPath = String(repeating: "xxxxxxx/", count: 600) + "done"

    @Test(
        "What the run can't do is reported with its status",
        arguments: [
            ("", "{path: in/none.gz}", "can't be opened"),
            ("reports: [{name: refunds, output: no/r.csv}]\n", "{path: in/*.gz}", "can't be made"),
            ("dashboard: no/d.html\n", "{path: in/*.gz}", "can't be made"),
            ("dashboard: folder.html\n", "{path: in/*.gz}", "Is a directory"),
            ("reports: [{name: refunds, output: \(longName).csv}]\n", "{path: in/*.gz}", "File name too long"),
            ("metrics: no/m.prom\n", "{path: in/*.gz}", "can't be made"),
            ("dead_letters: {file: no/r.gz}\n", "{path: in/*.gz}", "can't be made"),
            ("dead_letters: {file: own.gz}\n", "{path: in/*.gz}", "is no dead-letter file"),
            ("", "{path: in/*.gz, after: move, move_to: file/done}", "can't be moved"),
            ("", "{path: in/*.gz, after: move, move_to: \(longName)/done}", "can't be moved"),
            ("", "{path: in/*.gz, after: move, move_to: done/\(longName)}", "can't be moved"),
            ("", "{path: in/*.gz, after: move, move_to: \(longPath)}", "can't be moved"),
            ("pseudonym_key: key\n", "{path: in/*.gz}", "holds devices and accounts as they are"),
        ])
    func impossible(more: String, archives: String, what: String) throws {
        try deliver()
        #expect(try Mill.run(["run", try write()]).status == 0)
        try workdir.write("mine\n", to: "own.gz")
        try workdir.write("no folder", to: "file")
        try FileManager.default.createDirectory(
            at: workdir.url.appending(path: "folder.html"), withIntermediateDirectories: false)
        try workdir.write(String(repeating: "k", count: 32), to: "key")
        let file = try write(more, archives: archives)
        let before = try files()
        let plan = try Mill.run(["run", file, "--dry-run"])
        #expect(try files() == before)
        let run = try Mill.run(["run", file])
        #expect(plan.status == run.status && run.status != 0, "\(plan) \(run)")
        #expect(plan.errors.contains(what) && run.errors.contains(what), "\(plan) \(run)")
    }

    @Test("An archive whose name leaves no room for its digest is reported")
    func nameWithoutRoom() throws {
        try deliver()
        let name = String(repeating: "x", count: 240) + ".gz"
        let file = try write(archives: "{path: in/x*.gz, after: move, move_to: done}")
        try workdir.write("another", to: "in/\(name)")
        #expect(try Mill.run(["run", file]).status == 0)
        try Samples.copyBeginning(to: workdir.path("in/\(name)"))
        for options in [["--dry-run"], []] {
            let result = try Mill.run(["run", file] + options)
            #expect(result.status == 73 && result.errors.contains("File name too long"), "\(result)")
        }
    }

    @Test("A lock file that belongs to root is reported", .enabled(if: geteuid() == 0))
    func rootsLock() throws {
        try deliver()
        let file = try write()
        #expect(try Mill.run(["run", file]).status == 0)
        try #require(chmod(workdir.url.path, 0o777) == 0 && chown(workdir.path("mill.sqlite"), 65_534, 65_534) == 0)
        try workdir.write("", to: "mill.sqlite-lock")
        try #require(chmod(workdir.path("mill.sqlite-lock"), 0o600) == 0)
        for options in [["--dry-run"], []] {
            let result = try Mill.run(["run", file] + options, asNobody: true)
            #expect(result.status == 73 && result.errors.contains("it belongs to root"), "\(result)")
        }
    }

    @Test(
        "A sticky folder of another user is reported", .enabled(if: geteuid() == 0),
        arguments: ["delete", "move, move_to: done"])
    func stickyFolder(after: String) throws {
        try deliver()
        try #require(chmod(workdir.path("in/a.gz"), 0o644) == 0 && chmod(workdir.path("in"), 0o1777) == 0)
        try #require(chmod(workdir.url.path, 0o777) == 0)
        let file = try write("dead_letters: {file: r.gz}\n", archives: "{path: in/*.gz, after: \(after)}")
        for options in [["--dry-run"], []] {
            let result = try Mill.run(["run", file] + options, asNobody: true)
            #expect(result.status == 73 && result.errors.contains("Operation not permitted"), "\(result)")
        }
        #expect(FileManager.default.fileExists(atPath: workdir.path("in/a.gz")))
    }

    @Test("A folder behind a symbolic link is made where the link leads")
    func linkedFolder() throws {
        try deliver()
        try FileManager.default.createSymbolicLink(atPath: workdir.path("done"), withDestinationPath: "disk/done")
        let file = try write(archives: "{path: in/*.gz, after: move, move_to: done}")
        #expect(try Mill.run(["run", file, "--dry-run"]).status == 0)
        let run = try Mill.run(["run", file])
        #expect(run.status == 0, "\(run)")
        #expect(FileManager.default.fileExists(atPath: workdir.path("disk/done/a.gz")))
    }

    @Test("A database named with a trailing slash is reported")
    func databaseAsFolder() throws {
        let result = try Mill.run(["ingest", Samples.archive, "--database", workdir.path("mill.sqlite") + "/"])
        #expect(result.status == 73 && result.errors.contains("ends in a slash"), "\(result)")
        #expect(try files() == [])
    }

    @Test("A lock that no run wrote is reported")
    func foreignLock() throws {
        try deliver()
        let file = try write()
        #expect(try Mill.run(["run", file]).status == 0)
        try FileManager.default.createSymbolicLink(
            atPath: workdir.path("mill.sqlite-lock"), withDestinationPath: "other")
        for options in [["--dry-run"], []] {
            let result = try Mill.run(["run", file] + options)
            #expect(result.status == 73 && result.errors.contains("is no file of a run's"), "\(result)")
        }
    }

    @Test("A database that can't be made is reported")
    func databaseNotMade() throws {
        try deliver()
        let file = try workdir.write(
            "database: no/mill.sqlite\ncreate: true\narchives: [{path: in/*.gz}]\n", to: "night.yaml")
        for options in [["--dry-run"], []] {
            let result = try Mill.run(["run", file] + options)
            #expect(result.status == 73 && result.errors.contains("can't be made"), "\(result)")
        }
    }
}
