internal import Foundation
internal import TestSupport
internal import Testing

/// A database that is lost is never mistaken for a new beginning.
@Suite struct NewBeginningTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        try #require(mkdir(workdir.path("in"), 0o700) == 0)
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("in/a.gz"))
    }

    private func run(_ more: String = "", _ options: String...) throws -> Mill.Result {
        let file = try workdir.write(
            "database: mill.sqlite\ntrust: {anchors: [\(Samples.root)]}\narchives: [{path: in/*.gz}]\n"
                + "metrics: m.prom\n\(more)", to: "night.yaml")
        return try Mill.run(["run", file] + options)
    }

    private func make() throws -> Mill.Result { try Mill.run(["init", "--database", database]) }
    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: workdir.path(name)) }
    private func remove() { for ending in ["", "-wal", "-shm"] { unlink(database + ending) } }
    private func backup(_ options: String...) throws -> Mill.Result {
        try Mill.run(["backup", workdir.path("copy.sqlite"), "--database", database] + options)
    }

    @Test("A night makes no database, and its metrics say so")
    func missing() throws {
        for options in [[], ["--dry-run"]] {
            let result = options.isEmpty ? try run() : try run("", options[0])
            #expect(result.status == 66, "\(result)")
            #expect(result.errors.contains("receiptmill init --database"), "\(result)")
            #expect(!exists("mill.sqlite"))
        }
        #expect(String(decoding: try workdir.read("m.prom"), as: UTF8.self).contains("run_exit_status 66"))
        try workdir.write([], to: "mill.sqlite")
        let empty = try run()
        #expect(empty.status == 66 && empty.errors.contains("the database's file is empty"), "\(empty)")
        #expect(try workdir.read("mill.sqlite").isEmpty)
    }

    @Test("init makes an empty database that a night loads, and nothing else")
    func initialise() throws {
        let made = try make()
        #expect(made.status == 0 && made.output.isEmpty && made.errors.isEmpty, "\(made)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workdir.url.path).sorted() == ["in", "mill.sqlite"])
        #expect(try Stored(database).lines("PRAGMA application_id") == ["\(0x5263_4d6c)"])
        #expect(try Stored(database).lines("PRAGMA user_version") == ["8"])
        #expect(try make().status == 73)
        #expect(try run().status == 0)
        #expect(try Stored(database).lines("SELECT count(*) > 0 FROM submissions") == ["1"])
        #expect(try make().status == 73)
    }

    @Test("create: true makes a database, and says so where the last run had one")
    func create() throws {
        let first = try run("create: true\n")
        #expect(first.status == 0 && first.errors.isEmpty, "\(first)")
        remove()
        let result = try run()
        #expect(result.status == 66 && result.errors.contains("the database of the last run is gone"), "\(result)")
        #expect(!exists("mill.sqlite"))
        let second = try run("create: true\n")
        #expect(second.status == 0 && second.errors.contains("the database of the last run is gone"), "\(second)")
        #expect(try run("create: true\n").errors.isEmpty)
    }

    @Test("Another database in the place of the last run's is refused; a copy of it is not")
    func exchanged() throws {
        #expect(try make().status == 0)
        #expect(try run().status == 0)
        #expect(try backup().status == 0)
        let other = workdir.path("other.sqlite")
        #expect(try Mill.run(["init", "--database", other]).status == 0)
        remove()
        try FileManager.default.copyItem(atPath: other, toPath: database)
        for options in [[], ["--dry-run"]] {
            let result = options.isEmpty ? try run() : try run("", options[0])
            #expect(result.status == 73, "\(result)")
            #expect(result.errors.contains("is another database than the last run's"), "\(result)")
        }
        remove()
        try FileManager.default.copyItem(atPath: workdir.path("copy.sqlite"), toPath: database)
        #expect(try run().status == 0)
    }

    @Test("An empty identity file is a message and not a stopped night, and no leave to begin anew")
    func emptyIdentity() throws {
        #expect(try make().status == 0)
        #expect(try run().status == 0)
        let identity = try workdir.read("mill.sqlite-identity")
        // As a full disk or a power cut leaves it.
        try workdir.write("", to: "mill.sqlite-identity")
        let night = try run()
        #expect(night.status == 0 && night.errors.contains("mill.sqlite-identity: is empty"), "\(night)")
        #expect(try workdir.read("mill.sqlite-identity") == identity)
        #expect(try run().errors.isEmpty)
        try workdir.write("", to: "mill.sqlite-identity")
        remove()
        #expect(try run().status == 66)
        let anew = try run("create: true\n")
        #expect(anew.status == 0 && anew.errors.contains("the database of the last run is gone"), "\(anew)")
    }

    @Test("A database of another program is refused by its application_id")
    func foreign() throws {
        let sqlite = try Command("sqlite3", [database, "PRAGMA application_id = 7; CREATE TABLE archive (id)"]).run()
        try #require(sqlite.status == 0)
        let result = try run()
        #expect(result.status == 73 && result.errors.contains("another program's (application_id 7)"), "\(result)")
    }

    // MARK: Backups

    @Test("A backup replaces no copy of another database, and none with more lines, unless it is told to")
    func guardedCopies() throws {
        #expect(try make().status == 0)
        let empty = try workdir.read("mill.sqlite")
        #expect(try run().status == 0)
        #expect(try backup().status == 0)
        let good = try workdir.read("copy.sqlite")
        remove()
        try workdir.write(empty, to: "mill.sqlite")
        let fewer = try backup("--metrics", workdir.path("b.prom"))
        #expect(fewer.status == 73 && fewer.errors.contains("and the database only 0"), "\(fewer)")
        #expect(String(decoding: try workdir.read("b.prom"), as: UTF8.self).contains("backup_exit_status 73"))
        remove()
        #expect(try make().status == 0)
        let other = try backup()
        #expect(other.status == 73 && other.errors.contains("is a copy of another database"), "\(other)")
        #expect(try workdir.read("copy.sqlite") == good)
        #expect(try backup("--replace").status == 0)
    }

    @Test("A new copy is in its place though former ones can't be moved, and the next backup moves them")
    func copyBeforeFormerOnes() throws {
        #expect(try make().status == 0)
        func runs(_ name: String) throws -> [String] {
            try Stored(workdir.path(name)).lines("SELECT count(*) FROM runs")
        }
        // No file takes the name of a folder that holds one.
        try #require(mkdir(workdir.path("copy.sqlite.1"), 0o700) == 0)
        try workdir.write("x", to: "copy.sqlite.1/x")
        #expect(try run().status == 0)
        #expect(try backup("--keep", "2").status == 0)
        #expect(try run().status == 0)
        let stuck = try backup("--keep", "2")
        #expect(stuck.status == 73 && stuck.errors.contains("copy.sqlite.1"), "\(stuck)")
        #expect(try runs("copy.sqlite") == ["2"])
        try FileManager.default.removeItem(atPath: workdir.path("copy.sqlite.1"))
        #expect(try run().status == 0)
        #expect(try backup("--keep", "3").status == 0)
        #expect(try ["", ".1", ".2"].map { try runs("copy.sqlite" + $0) } == [["3"], ["2"], ["1"]])
        // A backup that was killed between the two steps has left the copy two names.
        try #require(link(workdir.path("copy.sqlite"), workdir.path("copy.sqlite.former")) == 0)
        #expect(try run().status == 0)
        #expect(try backup("--keep", "3").status == 0)
        #expect(try ["", ".1", ".2"].map { try runs("copy.sqlite" + $0) } == [["4"], ["3"], ["2"]])
        #expect(!exists("copy.sqlite.former"))
    }

    @Test("A backup keeps as many copies as it is told, the newest under its own name")
    func generations() throws {
        #expect(try make().status == 0)
        func runs(_ name: String) throws -> [String] {
            try Stored(workdir.path(name)).lines("SELECT count(*) FROM runs")
        }
        for count in 1...4 {
            #expect(try run().status == 0)
            let result = try backup("--keep", "3", "--metrics", workdir.path("b.prom"))
            #expect(result.status == 0, "\(result)")
            #expect(try runs("copy.sqlite") == ["\(count)"])
        }
        #expect(try runs("copy.sqlite.1") == ["3"])
        #expect(try runs("copy.sqlite.2") == ["2"])
        #expect(!exists("copy.sqlite.3"))
        let metrics = String(decoding: try workdir.read("b.prom"), as: UTF8.self)
        let lines = try Stored(database).lines("SELECT sum(lines) FROM archives")
        #expect(metrics.contains("receiptmill_backup_exit_status 0.0"))
        #expect(metrics.contains("receiptmill_backup_lines \(lines[0]).0"))
    }
}
