internal import Foundation
internal import TestSupport
internal import Testing

/// Links among the archives that another user made, as who delivers them can.
@Suite(.enabled(if: geteuid() == 0)) struct ForeignLinkTests: NightFolder {
    let workdir: Workdir

    init() throws {
        workdir = try Workdir()
        try deliver()
    }

    private func link(_ name: String, to target: String, of user: uid_t = 65_534) throws {
        try FileManager.default.createSymbolicLink(atPath: workdir.path(name), withDestinationPath: target)
        try #require(lchown(workdir.path(name), user, user) == 0)
    }

    /// The run, and the dry run before it, which has to end alike.
    private func night(_ archives: String, _ more: String = "") throws -> Mill.Result {
        let file = try write(more, archives: archives)
        let plan = try Mill.run(["run", file, "--dry-run"])
        let run = try Mill.run(["run", file])
        #expect(plan.status == run.status, "\(plan) \(run)")
        return run
    }

    @Test(
        "A link to the database stops no night: it is passed over with a warning, and the others are loaded",
        arguments: ["after: keep", "after: delete", "after: move, move_to: done"])
    func database(after: String) throws {
        try link("in/b.gz", to: "../mill.sqlite")
        try #require(chown(workdir.path("in"), 65_534, 65_534) == 0)
        let result = try night("  - {path: in/*.gz, \(after)}\n", "dead_letters: {file: letters.gz}\n")
        #expect(result.status == 66 && result.errors.contains("in/b.gz: is a link that belongs to "), "\(result)")
        #expect(try lines("SELECT name FROM archives") == ["a.gz"])
        var status = stat()
        #expect(lstat(workdir.path("in/b.gz"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(exists("mill.sqlite") && exists("in/a.gz") == after.contains("keep"))
    }

    @Test("What the service alone may read is not read through it", arguments: ["in/b.gz", "in/s/b.gz"])
    func secret(name: String) throws {
        try workdir.write("the service's own\n", to: "secret.gz")
        try #require(mkdir(workdir.path("far"), 0o700) == 0)
        try FileManager.default.copyItem(atPath: workdir.path("secret.gz"), toPath: workdir.path("far/b.gz"))
        if name == "in/s/b.gz" {
            try link("in/s", to: "../far")
        } else {
            // Over a link of root's own, whose target is another's.
            try link("other.gz", to: "secret.gz")
            try link("in/b.gz", to: "../other.gz", of: 0)
        }
        let result = try night("  - path: in/*.gz\n  - path: in/*/*.gz\n")
        #expect(result.status == 66 && result.errors.contains("\(name): is a link that belongs to "), "\(result)")
        #expect(try lines("SELECT name FROM archives") == ["a.gz"])
    }

    @Test("A path without a pattern that is one is not read either")
    func path() throws {
        try link("in/b.gz", to: "a.gz")
        let result = try night("  - path: in/b.gz\n  - path: in/a.gz\n")
        #expect(result.status == 66 && result.errors.contains("in/b.gz: is a link that belongs to "), "\(result)")
        #expect(
            try lines("SELECT folder, name FROM archive_place") == [
                "\(workdir.url.resolvingSymlinksInPath().path)/in|a.gz"
            ])
    }

    @Test("Links of root and of the run's user are followed")
    func own() throws {
        try #require(mkdir(workdir.path("far"), 0o755) == 0)
        try FileManager.default.moveItem(atPath: workdir.path("in/a.gz"), toPath: workdir.path("far/a.gz"))
        try link("in/a.gz", to: "../far/a.gz", of: 0)
        #expect(try night("  - path: in/*.gz\n").status == 0)
        #expect(try lines("SELECT name FROM archives") == ["a.gz"])
    }

    @Test("A thousand are told in a few lines")
    func thousand() throws {
        for number in 0..<1_000 { try link("in/link\(number).gz", to: "a.gz") }
        let result = try Mill.run(["run", try write()])
        #expect(result.status == 66, "\(result)")
        let told = result.errors.split(separator: "\n")
        #expect(told.count == 21 && told.last?.contains("980 more links of others are passed over") == true)
    }
}
