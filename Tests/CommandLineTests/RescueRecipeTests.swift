internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The commands of docs/operations.md that save the readable part of a damaged database.
@Suite(.enabled(if: Command.find("sqlite3") != nil)) struct RescueRecipeTests: NightFolder {
    let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws { workdir = try Workdir() }

    /// Runs the commands as written on the page.
    private func rescue() throws -> Command.Result {
        let page = try String(contentsOf: Repository.file("docs/operations.md"), encoding: .utf8)
        let lines = page.components(separatedBy: "\n")
        let begin = try #require(lines.firstIndex { $0.hasSuffix("umask 077") })
        let end = try #require(lines[begin...].firstIndex { $0.contains("check --database saved.sqlite") })
        try FileManager.default.createSymbolicLink(
            atPath: workdir.path("receiptmill"), withDestinationPath: Mill.binary.path)
        let script = "PATH=.:$PATH\n" + lines[begin...end].joined(separator: "\n")
        return try Command("sh", ["-c", script], in: workdir.url).run()
    }

    private static let counts = [
        "receipt", "purchase", "submission", "rejection", "raw_receipt", "archive", "receipt_digest", "receipt_lineage",
    ].map { "(SELECT count(*) FROM \($0))" }.joined(separator: ", ")

    private func night() throws -> String {
        let file = try write("keep_receipts: true\n")
        try deliver()
        try #require(try Mill.run(["run", file]).status == 0)
        return file
    }

    @Test("With a damaged index nothing is lost: check finds nothing, and nightly runs continue")
    func index() throws {
        let file = try night()
        let counts = try lines("SELECT \(Self.counts)")
        try DamagedFile.overwrite("purchase_by_original_transaction", of: database)
        #expect(try Mill.run(["check", "--database", database, "--quiet"]).status == 65)
        let saved = try rescue()
        #expect(saved.status == 0, "\(saved)")
        #expect(try Stored(workdir.path("saved.sqlite")).lines("SELECT \(Self.counts)") == counts)
        for ending in ["", "-wal", "-shm"] { unlink(database + ending) }
        try FileManager.default.moveItem(atPath: workdir.path("saved.sqlite"), toPath: database)
        try Samples.copyBeginning(to: workdir.path("in/b.gz"))
        let next = try Mill.run(["run", file])
        #expect(next.status == 0 && !exists("mill.sqlite-fault"), "\(next)")
        #expect(try Mill.run(["check", "--database", database, "--quiet"]).status == 0)
    }

    @Test("With a damaged table, the other tables are saved, and check names what is missing")
    func table() throws {
        _ = try night()
        let others = "SELECT (SELECT count(*) FROM receipt), (SELECT count(*) FROM submission)"
        let counts = try lines(others)
        try DamagedFile.overwrite("purchase", of: database)
        let saved = try rescue()
        #expect(saved.status == 65 && saved.output.contains("transaction_unmerged: "), "\(saved)")
        #expect(try Stored(workdir.path("saved.sqlite")).lines(others) == counts)
    }
}
