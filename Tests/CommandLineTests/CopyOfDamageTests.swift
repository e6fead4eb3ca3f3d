internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// A damaged database never replaces a good copy.
@Suite struct CopyOfDamageTests: NightFolder {
    let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }
    private var copies: [String] { ["copy.sqlite", "copy.sqlite.1"] }

    init() throws { workdir = try Workdir() }

    private func backup(_ more: String...) throws -> Mill.Result {
        try Mill.run(["backup", workdir.path("copy.sqlite"), "--keep", "2", "--database", database] + more)
    }

    /// A run, and two good copies.
    private func prepare() throws -> String {
        let file = try write()
        try deliver()
        try #require(try Mill.run(["run", file]).status == 0)
        for _ in 0..<2 { try #require(try backup().status == 0) }
        return file
    }

    private func contents() throws -> [[UInt8]] { try copies.map { try workdir.read($0) } }

    @Test("One flipped bit in an index: copy, run and every later copy are refused; status calls none verified")
    func flippedBit() throws {
        let file = try prepare()
        let good = try contents()
        try DamagedFile.flipBit(in: "purchase_by_original_transaction", of: database)
        let first = try backup()
        #expect(first.status == 65 && first.errors.contains("copy is damaged"), "\(first)")
        #expect(exists("mill.sqlite-fault"))
        let night = try Mill.run(["run", file])
        #expect(night.status == 74 && night.errors.contains("is not loaded into"), "\(night)")
        let second = try backup()
        #expect(second.status == 74 && second.errors.contains("mill.sqlite-fault"), "\(second)")
        #expect(second.errors.contains("purchase_by_original_transaction"), "\(second)")
        // A person may force a copy, but not replace a good copy by a damaged one.
        #expect(try backup("--replace").status == 65)
        #expect(try contents() == good)
        let screen = try StatusScreen("--pipeline", file)
        let line = try #require(screen.line("backup"))
        #expect(screen.needed.contains("fault_mark") && screen.needed.contains("backup"), "\(screen)")
        #expect(!line.text.contains("verified") && line.text.hasSuffix(workdir.path("copy.sqlite")), "\(line)")
    }

    @Test("A mark protects the copies until a run finds the database intact, or a person forces a copy")
    func mark() throws {
        let file = try prepare()
        let good = try contents()
        try workdir.write("SQLite: disk I/O error\n", to: "mill.sqlite-fault")
        let refused = try Mill.run(
            ["backup", workdir.path("copy.sqlite"), "--database", database, "--metrics", workdir.path("m.prom")])
        #expect(refused.status == 74 && refused.errors.contains("disk I/O error"), "\(refused)")
        #expect(String(decoding: try workdir.read("m.prom"), as: UTF8.self).contains("backup_exit_status 74"))
        #expect(try Mill.run(["backup", workdir.path("other.sqlite"), "--database", database]).status == 74)
        #expect(try contents() == good && !exists("other.sqlite"))
        // The forced copy is newer than the damage; the one before it is not.
        #expect(try backup("--replace").status == 0)
        let marked = try #require(try StatusScreen("--database", database).line("backup"))
        #expect(marked.text.contains("older than the damage") && !marked.text.contains("verified"), "\(marked)")
        #expect(marked.text.hasSuffix(workdir.path("copy.sqlite.1")), "\(marked)")
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(!exists("mill.sqlite-fault"))
        #expect(try backup().status == 0)
        let whole = try #require(try StatusScreen("--database", database).line("backup"))
        #expect(whole.text.hasPrefix("verified"), "\(whole)")
    }

    @Test(
        "A check that finds damage leaves the mark, and status names the copies that are older than the last good check"
    )
    func check() throws {
        let file = try prepare()
        #expect(try Mill.run(["check", "--database", database, "--quiet"]).status == 0)
        try DamagedFile.flipBit(in: "purchase_by_original_transaction", of: database)
        #expect(try Mill.run(["check", "--database", database, "--quiet"]).status == 65)
        #expect(exists("mill.sqlite-fault"))
        #expect(try backup().status == 74)
        #expect(try Mill.run(["run", file]).status == 74)
    }

    @Test("Damage that SQLite can't find: a copy made after the last good check is not called older than it")
    func promise() throws {
        _ = try prepare()
        #expect(try Mill.run(["check", "--database", database, "--quiet"]).status == 0)
        #expect(try backup().status == 0)
        try DatabaseQueue(path: database).write {
            try $0.execute(sql: "UPDATE purchase SET as_of = as_of - 100000000000")
        }
        let check = try Mill.run(["check", "--database", database, "--quiet"])
        #expect(check.status == 65 && check.output.contains("purchase_outdated"), "\(check)")
        let screen = try StatusScreen("--database", database)
        #expect(screen.needed == ["backup", "check"], "\(screen)")
        let line = try #require(screen.line("backup"))
        #expect(line.text.hasSuffix(workdir.path("copy.sqlite.1")) && !line.text.contains("verified"), "\(line)")
        let good = try contents()
        let refused = try backup()
        #expect(refused.status == 74 && refused.errors.contains("purchase_outdated"), "\(refused)")
        #expect(try contents() == good)
        try DatabaseQueue(path: database).write {
            try $0.execute(sql: "UPDATE purchase SET as_of = as_of + 100000000000")
        }
        #expect(try Mill.run(["check", "--database", database, "--quiet"]).status == 0)
        #expect(try backup().status == 0)
    }

    @Test("A check that finds the database whole removes the mark, and copies are made again")
    func repaired() throws {
        _ = try prepare()
        try workdir.write("SQLite: disk I/O error\n", to: "mill.sqlite-fault")
        #expect(try backup().status == 74)
        #expect(try Mill.run(["check", "--database", database, "--quiet"]).status == 0)
        #expect(!exists("mill.sqlite-fault"))
        #expect(try backup().status == 0)
    }
}
