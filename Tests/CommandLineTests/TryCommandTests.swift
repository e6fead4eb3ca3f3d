internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill try` as a newcomer runs it.
@Suite struct TryCommandTests {
    private let folder: Workdir

    init() throws { folder = try Workdir() }

    private func mill(_ arguments: String...) throws -> Mill.Result { try Mill.run(arguments, in: folder.url) }

    @Test("makes a database, a page and three answers of the sample, and says how to go on and to remove them")
    func sample() throws {
        let result = try mill("try")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        for words in [
            "$ receiptmill ingest ", "$ receiptmill report recurring-revenue ", "$ receiptmill report refunds ",
            "$ receiptmill report fraud-queue ", "file://", "receiptmill ingest YOUR-ARCHIVE.jsonl.gz",
            "rm -r receiptmill-sample removes it",
        ] {
            #expect(result.output.contains(words), "\(words)")
        }
        let page = try String(contentsOfFile: folder.path("receiptmill-sample/page.html"), encoding: .utf8)
        #expect(page.contains("com.example.lumen") && page.contains("USD"))
    }

    @Test("loads what the sample's truth states")
    func truth() throws {
        #expect(try mill("try", "made").status == 0)
        let truth = try #require(
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: Samples.folder.appending(path: "company/truth.json"))) as? [String: Any])
        let totals = try #require(truth["totals"] as? [String: Any])
        let stored = try Stored(folder.path("made/mill.sqlite"))
        #expect(
            try stored.lines("SELECT lines FROM archives") == [String(try #require(totals["lines"] as? Int))])
        #expect(
            try stored.lines("SELECT count(*) FROM receipts") == [String(try #require(totals["receipts"] as? Int))])
        #expect(
            try stored.lines("SELECT count(*) FROM purchases") == [String(try #require(totals["purchases"] as? Int))])
    }

    @Test("quotes a folder's name in the commands that it shows")
    func quotedName() throws {
        let result = try mill("try", "my data")
        #expect(result.status == 0 && result.output.contains("rm -r 'my data' removes it"), "\(result)")
    }

    @Test("leaves a folder that is there as it is")
    func folderIsThere() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("receiptmill-sample"), withIntermediateDirectories: false)
        let result = try mill("try")
        #expect(result.status == 73 && result.errors.contains("is there already"), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("receiptmill-sample")).isEmpty)
    }
}
