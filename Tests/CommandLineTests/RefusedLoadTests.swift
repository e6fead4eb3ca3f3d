internal import Foundation
internal import TestSupport
internal import Testing

/// A first load with a wrong setting: nothing is kept of it, and the error says what to set.
@Suite struct RefusedLoadTests {
    private let folder: Workdir

    init() throws { folder = try Workdir() }

    private var database: String { folder.path("mill.sqlite") }
    private var isThere: Bool {
        ["", "-wal", "-shm"].contains { FileManager.default.fileExists(atPath: database + $0) }
    }

    private func ingest(_ arguments: String..., input: String? = nil) throws -> Mill.Result {
        try Mill.run(["ingest", "--database", database] + arguments, input: input)
    }

    private func lines(_ count: Int, _ line: String = #"{"foo":"bar"}"#) -> String {
        String(repeating: line + "\n", count: count)
    }

    @Test("An archive that is not there makes no database")
    func absent() throws {
        let result = try ingest(folder.path("absent.gz"))
        #expect(result.status == 66 && result.errors.contains("not made"), "\(result)")
        #expect(!isThere)
    }

    @Test("Lines of which most are rejected are not loaded, and the error counts them")
    func rejected() throws {
        let result = try ingest(try folder.write(lines(20), to: "a.jsonl"))
        #expect(result.status == 65 && result.errors.contains("20 of the first 20 lines are rejected"), "\(result)")
        #expect(result.errors.contains("no_receipt") && result.errors.contains("receiptmill inspect"))
        #expect(!isThere)
    }

    @Test("Of standard input, lines of which most are rejected are not loaded either")
    func rejectedStream() throws {
        let result = try ingest("-", input: try folder.write(lines(30), to: "a.jsonl"))
        #expect(result.status == 65 && !isThere, "\(result)")
    }

    @Test("One bad archive before a good one refuses nothing")
    func badBeforeGood() throws {
        let bad = try folder.write(lines(25), to: "a.jsonl")
        let result = try ingest(bad, Samples.archive, "--trust", Samples.root)
        #expect(result.status == 0, "\(result)")
        #expect(try Stored(database).lines("SELECT count(*) FROM archives") == ["2"])
    }

    @Test("Nothing is committed before the first lines are judged, however small a transaction is")
    func smallWindow() throws {
        let result = try ingest(try folder.write(lines(40), to: "a.jsonl"), "--window", "10")
        #expect(result.status == 65 && !isThere, "\(result)")
    }

    @Test("What waits to be judged is stored as in one transaction, whatever the transaction's size")
    func judgedInParts() throws {
        let counts =
            "SELECT (SELECT count(*) FROM submissions), (SELECT count(*) FROM purchases), "
            + "(SELECT sum(purchase_count) FROM receipts)"
        func stored(_ options: String...) throws -> [String] {
            let database = folder.path("\(UUID()).sqlite")
            let arguments = ["ingest", Samples.archive, "--trust", Samples.root, "--database", database, "--quiet"]
            #expect(try Mill.run(arguments + options).status == 0)
            return try Stored(database).lines(counts)
        }
        #expect(try stored("--window", "3") == stored())
    }

    @Test("A file that was there stays, and so does a database that another command made")
    func notOurs() throws {
        try folder.write("", to: "mill.sqlite")
        #expect(try ingest(folder.path("absent.gz")).status == 66 && isThere)
        try FileManager.default.removeItem(atPath: database)
        #expect(try Mill.run(["init", "--database", database]).status == 0)
        #expect(try ingest(try folder.write(lines(20), to: "a.jsonl")).status == 65)
        #expect(try Stored(database).lines("SELECT count(*) FROM rejections") == ["0"])
    }

    @Test("Fewer than twenty lines are loaded")
    func loaded() throws {
        #expect(try ingest(try folder.write(lines(19), to: "few.jsonl")).status == 0)
        #expect(try Stored(database).lines("SELECT count(*) FROM rejections") == ["19"])
    }

    @Test("Lines of which most are rejected are loaded where --no-preflight or --max-rejected 1 asks for it")
    func wanted() throws {
        let archive = try folder.write(lines(20), to: "a.jsonl")
        #expect(try ingest(archive, "--max-rejected", "1").status == 0)
        try FileManager.default.removeItem(atPath: database)
        #expect(try ingest(archive, "--no-preflight").status == 65)
        #expect(try Stored(database).lines("SELECT count(*) FROM rejections") == ["20"])
    }

    @Test("Documents below one root that is no anchor are not loaded, and the error names the root's file")
    func root() throws {
        let archive = folder.path("archive.gz")
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: archive)
        let unnamed = try ingest(archive)
        #expect(unnamed.status == 65 && unnamed.errors.contains("which is no anchor; nothing was loaded"), "\(unnamed)")
        #expect(!unnamed.errors.contains("did you mean") && !isThere)
        try FileManager.default.copyItem(atPath: Samples.root, toPath: folder.path("root.pem"))
        let named = try ingest(archive)
        #expect(named.errors.contains("did you mean --trust \(folder.path("root.pem"))?"), "\(named)")
    }

    @Test("A database that was begun without the anchor says so when the anchor is named")
    func anchorNamedLater() throws {
        #expect(try ingest(Samples.archive, "--no-preflight").status == 0)
        let again = try ingest(Samples.archive, "--trust", Samples.root)
        #expect(again.status == 0 && again.errors.contains("names that root as an anchor"), "\(again)")
        #expect(again.errors.contains("receiptmill retract") && !again.errors.contains("receiptmill regrade"))
        try FileManager.default.removeItem(atPath: database)
        #expect(try ingest(Samples.archive, "--no-preflight", "--keep-receipts").status == 0)
        #expect(try ingest(Samples.archive, "--trust", Samples.root).errors.contains("receiptmill regrade"))
        #expect(try Mill.run(["regrade", "--database", database, "--trust", Samples.root]).status == 0)
        #expect(!(try ingest(Samples.archive, "--trust", Samples.root).errors.contains("names that root")))
    }
}
