import Foundation
import ReceiptMint
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptPipeline

/// Archives of lines that can be read (`good`, numbered) and lines that can't.
@Suite("A rejects file")
struct RejectsFileTests {
    private let workdir: Workdir
    private let minted: MintedArchive
    /// Lines of receipts that can be read, without their newlines.
    private let good: [String]
    private static let bad = ["{\"receipt\":\"AAAA\"}", "not a line", "{}", "{\"receipt\":\"*\"}"]

    init() throws {
        workdir = try Workdir()
        minted = try Self.shared.get()
        good = try Self.readable.get()
    }

    static let shared = Result { try MintedArchive(count: 60, archives: 1) }
    static let readable = Result {
        let minted = try shared.get()
        let database = minted.workdir.path("readable.sqlite")
        _ = try minted.ingest(into: database).run()
        let archive = minted.truth.archives[0].name
        let text = try Gzip.recover(minted.workdir.read(archive), in: minted.workdir).output
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return try Stored(database).lines("SELECT min(line) FROM submissions GROUP BY receipt_sha256 ORDER BY 1").map {
            String(lines[try #require(Int($0)) - 1])
        }
    }

    @discardableResult
    private func load(
        _ lines: [String], as name: String = "a.jsonl", limits: Limits = Limits(), again: Bool = false
    ) throws -> IngestSummary {
        try load(workdir.write(lines.map { $0 + "\n" }.joined(), to: name), limits: limits, again: again)
    }

    @discardableResult
    private func load(
        _ archive: String, limits: Limits = Limits(), again: Bool = false, receiptKey: String? = nil,
        rejects: String? = "out/rejects.gz"
    ) throws -> IngestSummary {
        var ingest = try minted.ingest(into: workdir.path("mill.sqlite"))
        ingest.archives = [archive]
        ingest.rejects = rejects.map(workdir.path)
        ingest.limits = limits
        if let receiptKey { ingest.keys.receipt = [receiptKey] }
        ingest.readsRejectedAgain = again
        ingest.jobs = 1
        return try ingest.run()
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            at: workdir.url.appending(path: "out"), withIntermediateDirectories: true)
    }

    private func rejects() throws -> String {
        String(decoding: try Gzip.recover(workdir.read("out/rejects.gz"), in: workdir).output, as: UTF8.self)
    }

    private func rejections() throws -> [String] {
        try Stored(workdir.path("mill.sqlite")).lines("SELECT archive, line FROM rejections ORDER BY 1, 2")
    }

    private func submissions() throws -> [String] {
        try Stored(workdir.path("mill.sqlite")).lines("SELECT count(*) FROM submissions")
    }

    /// Promises that the database breaks.
    private func broken() throws -> [String] {
        try DatabaseCheck(path: workdir.path("mill.sqlite")).run().filter { $0.count > 0 }.map(\.name)
    }

    /// Loads four lines that can't be read, and two that can.
    private func loadBad() throws {
        try makeFolder()
        let bad = Self.bad
        #expect(try load([bad[0], good[0], bad[1], bad[2], good[1], bad[3]]).rejectsLines == 4)
        #expect(try rejections() == ["a.jsonl|1", "a.jsonl|3", "a.jsonl|4", "a.jsonl|6"])
    }

    @Test("holds the lines as they were, in order, for its owner alone")
    func holdsLines() throws {
        try makeFolder()
        let odd = ["\u{1}\r", "", " {\"receipt\" : \"Ä\"}\t"]
        let summary = try load([odd[0], good[0], odd[1], odd[2]])
        #expect(try rejects() == odd.map { $0 + "\n" }.joined())
        #expect(summary.rejectsLines == 3 && summary.rejectsAbsent == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: workdir.path("out/rejects.gz"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        // A night later, what stands is still there, and the new follows.
        try load(["more"], as: "b.jsonl")
        #expect(try rejects() == (odd + ["more"]).map { $0 + "\n" }.joined())
    }

    @Test("lacks lines that are too long, and the summary counts them")
    func lacksOverlongLines() throws {
        try makeFolder()
        var limits = Limits()
        limits.lineBytes = 100
        let summary = try load([String(repeating: "x", count: 101), "bad"], limits: limits)
        #expect(summary.rejectsLines == 1 && summary.rejectsAbsent == 1)
        #expect(try rejects() == "bad\n")
    }

    /// What a mended file holds, in place of the four lines that are bad: `g` and a
    /// number is a line that can be read, `b` and a number the bad one as it was,
    /// `x` another that can't be read.
    @Test(
        "clears what was mended, and nothing else",
        arguments: [
            // Mended in place.
            ("g2 b1 b2 b3", "3 4 6", 1), ("b0 b1 g2 g3", "1 3", 2), ("g2 g3 g4 g5", "", 4),
            // Still broken: it stays rejected where it was.
            ("x b1 g2 b3", "1 3 6", 1),
            // Lines removed: what stands between lines that are known counts.
            ("b1 g2 b3", "1 3 6", 1), ("b0 g2 b2", "1 4 6", 1), ("b3", "1 3 4 6", 0),
            // Moved: lines that are known in another order divide nothing twice.
            ("b1 b0 b2 b3", "1 3 4 6", 0),
        ])
    func clears(file: String, standing: String, loaded: Int) throws {
        try loadBad()
        let lines = lines(of: file)
        try load(lines, as: "rejects.gz")
        #expect(try rejections() == standing.split(separator: " ").map { "a.jsonl|\($0)" })
        #expect(try submissions() == ["\(2 + loaded)"])
        #expect(try broken() == [])
        // Twice is once.
        #expect(try load(lines, as: "rejects.gz").submissions == 0)
        #expect(try rejections() == standing.split(separator: " ").map { "a.jsonl|\($0)" })
        #expect(try submissions() == ["\(2 + loaded)"])
    }

    private func lines(of file: String) -> [String] {
        file.split(separator: " ").map { word in
            word == "x" ? "other" : (word.first == "g" ? good : Self.bad)[Int(word.dropFirst()) ?? 0]
        }
    }

    @Test(
        "of which nothing tells what a line stands for is refused as a whole, and says how many there are",
        arguments: [
            // Lines removed, added, moved.
            ("g2 b3", 1), ("g2 g3 g4", 3), ("b0 g2", 1), ("b0 b1 g2 g3 b3", 2), ("g2 g3 g4 g5 g6", 5),
            ("b3 b2 b1 g2", 1),
        ])
    func refusesStrangers(file: String, strangers: Int) throws {
        try loadBad()
        let summary = try load(lines(of: file), as: "rejects.gz")
        let failure = try #require(summary.failures.first)
        #expect(failure.exitStatus == .badData && failure.what.hasPrefix("\(strangers) of its lines"), "\(failure)")
        #expect(try rejections().count == 4 && submissions() == ["2"] && broken() == [])
    }

    @Test("saved with other line endings is the same file", arguments: [("", "\r"), ("\r", "")])
    func lineEndings(first: String, second: String) throws {
        try loadBad()
        for ending in [first, second] { try load(good[2...5].map { $0 + ending }, as: "rejects.gz") }
        #expect(try rejections().isEmpty && submissions() == ["6"] && broken() == [])
        // Also where lines of another night stand rejected that it could be taken for.
        try load(["new", "newer", "newest", "last"], as: "b.jsonl")
        try load(good[2...5].map { $0 + "\r\r" }, as: "rejects.gz")
        #expect(try rejections().count == 4 && submissions() == ["6"] && broken() == [])
    }

    @Test("that says again what was mended before clears no other rejection")
    func saysAgain() throws {
        try loadBad()
        try load(Array(good[2...5]), as: "rejects.gz")
        try load(["new", "newer", "newest", "last"], as: "b.jsonl")
        let summary = try load(good[2...5].map { $0 + " " }, as: "out/rejects.gz")
        #expect(summary.submissions == 0 && summary.repeatedLines == 4 && summary.failures.isEmpty)
        #expect(try rejections() == (1...4).map { "b.jsonl|\($0)" } && submissions() == ["6"] && broken() == [])
    }

    @Test("that was passed over is passed over when rejected lines are read again")
    func passedOver() throws {
        try loadBad()
        try load(Array(good[2...5]), as: "rejects.gz")
        try load(["new", "newer", "newest", "last"], as: "b.jsonl")
        let over = good[2...5].map { $0 + " " }
        try load(over, as: "out/rejects.gz")
        try load(Array(good[6...9]), as: "out/rejects.gz")
        let summary = try load(over, as: "out/rejects.gz", again: true)
        #expect(summary.failures.isEmpty && summary.submissions == 0, "\(summary.failures)")
        #expect(try rejections().isEmpty && submissions() == ["10"] && broken() == [])
    }

    @Test("of a former night clears nothing of a later one that had as many lines")
    func formerNight() throws {
        try loadBad()
        try load(Array(good[2...5]), as: "rejects.gz")
        try load(["new", "newer", "newest", "last"], as: "b.jsonl")
        let summary = try load(Array(good[6...9]), as: "rejects.gz")
        #expect(summary.failures.map(\.exitStatus) == [.badData])
        #expect(try rejections() == (1...4).map { "b.jsonl|\($0)" } && submissions() == ["6"] && broken() == [])
    }

    @Test("of one name with another: the first that is given is loaded, by any number of workers", arguments: [1, 4])
    func twoOfOneName(jobs: Int) throws {
        try loadBad()
        var ingest = try minted.ingest(into: workdir.path("mill.sqlite"))
        for folder in ["first", "second"] {
            try FileManager.default.createDirectory(
                at: workdir.url.appending(path: folder), withIntermediateDirectories: true)
        }
        ingest.archives = [
            try workdir.write(good[2...5].map { $0 + "\n" }.joined(), to: "first/rejects.gz"),
            try workdir.write(good[6...9].map { $0 + "\n" }.joined(), to: "second/rejects.gz"),
        ]
        ingest.jobs = jobs
        let summary = try ingest.run()
        #expect(summary.failures.map(\.exitStatus) == [.badData] && summary.clearedRejections == 4)
        #expect(summary.failures.first?.path == ingest.archives[1])
        #expect(try rejections().isEmpty && submissions() == ["6"] && broken() == [])
    }

    @Test("clears the last line of an archive, which then grows, once")
    func lastLineOfAGrowingArchive() throws {
        try makeFolder()
        try load([good[0], Self.bad[0]])
        try load([good[1]], as: "rejects.gz")
        #expect(try load([good[0], Self.bad[0], good[2]]).rejected.isEmpty)
        #expect(try rejections().isEmpty && submissions() == ["3"] && broken() == [])
    }

    @Test("mended step by step: what was loaded from it once is passed over")
    func mendedStepByStep() throws {
        try loadBad()
        let bad = Self.bad
        try load([good[2], bad[1], bad[2], bad[3]], as: "rejects.gz")
        let second = try load([good[2], bad[1], good[3], bad[3]], as: "rejects.gz")
        #expect(second.clearedRejections == 1 && second.repeatedLines == 3 && second.submissions == 1)
        #expect(try rejections() == ["a.jsonl|3", "a.jsonl|6"])
        // The file that was written since holds the two that stand.
        #expect(try rejects() == "\(bad[1])\n\(bad[3])\n")
        try load([good[4], good[5]], as: "rejects.gz")
        #expect(try rejections().isEmpty && broken().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: workdir.path("out/rejects.gz")))
    }

    @Test("of an older night, mended: lines that came since stay rejected")
    func olderFile() throws {
        try loadBad()
        try load(["new"], as: "b.jsonl")
        try load([good[2], Self.bad[1], good[3], Self.bad[3]], as: "rejects.gz")
        #expect(try rejections() == ["a.jsonl|3", "a.jsonl|6", "b.jsonl|1"])
    }

    @Test("with lines that are alike: nothing between them is mistaken")
    func alikeLines() throws {
        try makeFolder()
        try load(["{}", "one", "{}", "two", "{}"])
        try load(["{}", good[0], "{}"], as: "rejects.gz")
        #expect(try rejections().count == 5 && broken().isEmpty)
        try load(["{}", good[1], "{}", "two", "{}"], as: "rejects.gz")
        #expect(try rejections() == [1, 3, 4, 5].map { "a.jsonl|\($0)" })
    }

    @Test("under another name is an archive like any other")
    func otherName() throws {
        try loadBad()
        try load([good[2]] + Self.bad.dropFirst(), as: "other.gz")
        #expect(try rejections().count == 7)
    }

    @Test("is not written over what was mended and not loaded")
    func keepsUnloadedWork() throws {
        try loadBad()
        let mended = try workdir.write(good[2] + "\n", to: "out/rejects.gz")
        let summary = try load(["new"], as: "b.jsonl")
        #expect(summary.failures.map(\.exitStatus) == [.cannotCreate] && summary.failures[0].path == mended)
        #expect(try workdir.read("out/rejects.gz") == Array((good[2] + "\n").utf8))
    }

    /// A text that ends within a line, and the whole of it.
    private func cutText() -> (cut: [UInt8], whole: [UInt8]) {
        let whole = [good[0], Self.bad[1], good[1], good[2]].map { $0 + "\n" }.joined()
        let cut = [good[0], Self.bad[1]].map { $0 + "\n" }.joined() + good[1].prefix(60)
        return (Array(cut.utf8), Array(whole.utf8))
    }

    @Test("that held the beginning of a line is written without it when the line is whole", arguments: [false, true])
    func halfLine(isGzip: Bool) throws {
        try makeFolder()
        let (cut, whole) = cutText()
        let first = isGzip ? try Gzip.compress(cut, in: workdir) : cut
        let rest = Array(whole[cut.count...])
        #expect(try load(workdir.write(first, to: "a.jsonl")).rejectsLines == 2)
        let grown = first + (isGzip ? try Gzip.compress(rest, in: workdir) : rest)
        let archive = try workdir.write(grown, to: "a.jsonl")
        let summary = try load(archive)
        #expect(summary.failures.isEmpty && summary.rejectsLines == 1, "\(summary.failures)")
        #expect(try rejects() == Self.bad[1] + "\n" && rejections() == ["a.jsonl|2"])
        #expect(try submissions() == ["3"] && broken() == [])
        #expect(try load(archive).failures.isEmpty)
    }

    @Test("that was mended before a line in it came whole is loaded, and that line passed over")
    func mendedBesideHalfLine() throws {
        try makeFolder()
        let (cut, whole) = cutText()
        try load(workdir.write(cut, to: "a.jsonl"))
        let half = try #require(try rejects().split(separator: "\n").last)
        let mended = try workdir.write(good[3] + "\n" + half + "\n", to: "out/rejects.gz")
        // Not loaded, it is not written over.
        #expect(try load(workdir.write(whole, to: "a.jsonl")).failures.map(\.exitStatus) == [.cannotCreate])
        let summary = try load(mended, rejects: nil)
        #expect(summary.failures.isEmpty && summary.clearedRejections == 1 && summary.repeatedLines == 1)
        #expect(try rejections().isEmpty && submissions() == ["4"] && broken() == [])
    }

    @Test("whose mended line can't be read under these keys says so, keeps it, and is loaded under the right ones")
    func mendedForOtherKeys() throws {
        try loadBad()
        let line = good[2].replacing("\"receipt\":", with: "\"proof\":")
        try #require(line != good[2])
        let text = ([line] + Self.bad.dropFirst()).map { $0 + "\n" }.joined()
        let mended = try workdir.write(text, to: "out/rejects.gz")
        for _ in 1...2 {
            let failures = try load(mended, rejects: nil).failures
            #expect(failures.map(\.exitStatus) == [.badData] && failures.first?.line == 1, "\(failures)")
            #expect(failures.first?.what.contains("no_receipt") == true)
        }
        #expect(try load(["new"], as: "b.jsonl").failures.map(\.exitStatus) == [.cannotCreate])
        #expect(try workdir.read("out/rejects.gz") == Array(text.utf8))

        let summary = try load(mended, receiptKey: "proof", rejects: nil)
        #expect(summary.failures.isEmpty && summary.clearedRejections == 1, "\(summary.failures)")
        #expect(try load(["newer"], as: "c.jsonl").failures.isEmpty)
        #expect(try rejects() == (Self.bad.dropFirst() + ["new", "newer"]).map { $0 + "\n" }.joined())
        #expect(try submissions() == ["3"] && broken() == [])
    }
}
