import DatabaseCare
import Foundation
import GRDB
import MillConfiguration
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import TestSupport
import Testing

@testable import DecodedLines
@testable import MillDatabase
@testable import MillJSON
@testable import MillRun
@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification
@testable import ReceiptWarehouse

/// Archives of lines that can be read (`good`, by index) and lines that can't (`bad`).
struct Nights {
    let workdir: Workdir
    let minted: MintedArchive
    let good: [String]
    static let bad = ["{\"receipt\":\"AAAA\"}", "not a line", "{}", "{\"receipt\":\"*\"}"]

    static let shared = Result { try MintedArchive(count: 60, archives: 1) }
    private static let readable = Result {
        let minted = try shared.get()
        let database = minted.workdir.path("readable.sqlite")
        _ = try minted.ingest(into: database, refreshes: false).run()
        let lines = try minted.plainLines()
        return try Stored(database).lines("SELECT min(line) FROM submissions GROUP BY receipt_sha256 ORDER BY 1").map {
            lines[try #require(Int($0)) - 1]
        }
    }

    init() throws {
        workdir = try Workdir()
        minted = try Self.shared.get()
        good = try Self.readable.get()
    }

    /// Loads archives, keeping rejected lines unless `letters` is nil.
    @discardableResult
    func load(
        _ archives: [String], into database: String = "mill.sqlite", letters: String? = "letters.gz", jobs: Int = 1,
        _ change: (inout Ingest) -> Void = { _ in }, onEvent: @escaping (RunEvent) -> Void = { _ in }
    ) throws -> RunSummary {
        var ingest = try minted.ingest(into: workdir.path(database))
        ingest.archives = archives.map(workdir.path)
        ingest.configuration.deadLetters = letters.map { DeadLetterSettings(file: workdir.path($0)) }
        ingest.configuration.jobs = jobs
        change(&ingest)
        return try ingest.run(onEvent: onEvent)
    }

    func write(_ lines: [String], to name: String) throws {
        try workdir.write(lines.map { $0 + "\n" }.joined(), to: name)
    }

    /// Loads four lines that can't be read, and two that can.
    func loadBad(into database: String = "mill.sqlite") throws {
        try write(Self.archive(Self.bad, good), to: "a.jsonl")
        #expect(try load(["a.jsonl"], into: database).deadLetters == 4)
    }

    static func archive(_ four: [String], _ good: [String]) -> [String] {
        [four[0], good[0], four[1], four[2], good[1], four[3]]
    }

    typealias Letter = [String: Any]

    func letters(_ name: String = "letters.gz") throws -> [Letter] {
        guard FileManager.default.fileExists(atPath: workdir.path(name)) else { return [] }
        return try Decode.objects(String(decoding: Gzip.recover(workdir.read(name), in: workdir).output, as: UTF8.self))
    }

    func write(_ letters: [Letter], to name: String) throws {
        try write(
            try letters.map {
                String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self)
            }, to: name)
    }

    /// The letter with another line.
    static func corrected(_ letter: Letter, _ line: String) -> Letter {
        letter.filter { $0.key == "rejected" }.merging(["line": line]) { $1 }
    }

    func stored(_ sql: String, in database: String = "mill.sqlite") throws -> [String] {
        try Stored(workdir.path(database)).lines(sql)
    }

    func rejections(_ database: String = "mill.sqlite") throws -> [String] {
        try stored("SELECT archive, line FROM rejections WHERE NOT dismissed ORDER BY 1, 2", in: database)
    }

    /// Promises that the database breaks.
    func broken(_ database: String = "mill.sqlite") throws -> [String] {
        try DatabaseCheck(path: workdir.path(database)).run().filter { $0.count > 0 }.map(\.name)
    }

    /// All that views show, but what tells which content the archive had.
    func content(_ database: String) throws -> [String] {
        try Stored(workdir.path(database)).everything().filter { !$0.hasPrefix("archives: ") }.map {
            $0.replacing(#/^submissions: [^|]+/#, with: "submissions: ")
        }.sorted() + stored("SELECT name, lines, loaded_lines FROM archives", in: database)
    }
}

@Suite("Corrected dead letters")
struct CorrectionTests {
    private let nights: Nights

    init() throws { nights = try Nights() }

    private func database(_ name: String, lines: [String]) throws {
        let nights = try Nights()
        try nights.write(lines, to: "a.jsonl")
        try nights.load(["a.jsonl"], into: name, letters: nil)
        try FileManager.default.moveItem(
            atPath: nights.workdir.path(name), toPath: self.nights.workdir.path(name))
    }

    @Test("are applied where the same file also holds the letters as they were", arguments: [1, 2], [false, true])
    func besideOriginals(jobs: Int, originalsFirst: Bool) throws {
        try nights.loadBad()
        let originals = try nights.letters()
        let corrected = originals.enumerated().map { Nights.corrected($1, nights.good[2 + $0]) }
        // The mark is what editors put before a file's text.
        try nights.write(originalsFirst ? originals + corrected : corrected + originals, to: "both.jsonl")
        let marked = [0xef, 0xbb, 0xbf] + (try nights.workdir.read("both.jsonl"))
        try nights.workdir.write(marked, to: "both.jsonl")
        let summary = try nights.load(["both.jsonl"], jobs: jobs)
        #expect(summary.correctionsApplied == 4 && summary.archives == 0)
        #expect(try nights.rejections().isEmpty && nights.broken() == [])
    }

    @Test("make the database that of an archive with the corrected lines, in any order and file", arguments: [1, 4])
    func likeTheArchive(jobs: Int) throws {
        try nights.loadBad()
        let letters = try nights.letters().enumerated().map { Nights.corrected($1, nights.good[2 + $0]) }
        try nights.write([letters[3], letters[1]], to: "some.txt")
        try nights.write(letters.reversed() + letters, to: "all.jsonl")
        let first = try nights.load(["some.txt"], jobs: jobs)
        #expect(first.correctionsApplied == 2 && first.deadLetters == 2 && first.failures.isEmpty)
        #expect(first.archives == 0 && first.lines == 2 && first.submissions == 2)
        #expect(try nights.rejections() == ["a.jsonl|1", "a.jsonl|4"] && nights.broken() == [])
        let second = try nights.load(["all.jsonl", "some.txt"], jobs: jobs)
        #expect(second.correctionsApplied == 2 && second.correctionsPassedOver == 8 && second.deadLetters == 0)
        #expect(try nights.rejections().isEmpty && nights.broken() == [] && nights.letters().isEmpty)
        try database("whole.sqlite", lines: Nights.archive(Array(nights.good[2...5]), nights.good))
        let differences = try nights.content("mill.sqlite").difference(from: nights.content("whole.sqlite"))
        #expect(differences.isEmpty, "\(differences)")
        #expect(try nights.stored("SELECT count(*) FROM dead_letter") == ["0"])
    }

    @Test("are those that Python writes, of a copy under another name", .enabled(if: Python.isInstalled))
    func python() throws {
        try nights.loadBad()
        try nights.write(Array(nights.good[2...5]), to: "good")
        try Python.run(
            """
            import gzip, json, random, sys
            good = open(sys.argv[2], encoding="utf-8").read().splitlines()
            letters = [json.loads(line) for line in gzip.open(sys.argv[1])]
            for letter, line in zip(letters, good):
                letter["line"] = json.dumps(json.loads(line), indent=1) if line[0] == "{" else line
            random.Random(3).shuffle(letters)
            with gzip.open(sys.argv[3], "wt") as file:
                for letter in letters: print(json.dumps(letter, sort_keys=True), file=file)
            """, nights.workdir.path("letters.gz"), nights.workdir.path("good"), nights.workdir.path("copy"))
        #expect(try nights.load(["copy"]).correctionsApplied == 4)
        #expect(try nights.rejections().isEmpty && nights.broken() == [])
    }

    @Test("are read behind the archives of their run, whatever the order")
    func behindArchives() throws {
        try nights.loadBad()
        let letters = try nights.letters().map { Nights.corrected($0, nights.good[2]) }
        try nights.write(letters, to: "corrected.jsonl")
        let summary = try nights.load(["corrected.jsonl", "a.jsonl"], into: "other.sqlite", letters: nil, jobs: 2)
        #expect(summary.correctionsApplied == 4 && summary.archives == 1 && summary.failures.isEmpty)
        #expect(try nights.rejections("other.sqlite").isEmpty && nights.broken("other.sqlite") == [])
    }

    @Test("are applied again to the database of the day before")
    func restoredDatabase() throws {
        try nights.loadBad()
        try DatabaseBackup(path: nights.workdir.path("mill.sqlite")).write(to: nights.workdir.path("before.sqlite"))
        try nights.write(
            nights.letters().map { Nights.corrected($0, nights.good[3]) }, to: "corrected.jsonl")
        try nights.load(["corrected.jsonl"])
        #expect(try nights.load(["corrected.jsonl"], into: "before.sqlite").correctionsApplied == 4)
        #expect(try nights.content("before.sqlite") == nights.content("mill.sqlite"))
    }

    @Test("of another database, or of a line that never was rejected, are refused and the rest is loaded")
    func strangers() throws {
        try nights.loadBad()
        var letters = try nights.letters().map { Nights.corrected($0, nights.good[2]) }
        letters[1]["rejected"] = ["archive_sha256": String(repeating: "0", count: 64), "line": 3]
        var rejected = try #require(letters[2]["rejected"] as? Nights.Letter)
        rejected["line"] = 2
        letters[2]["rejected"] = rejected
        try nights.write(letters, to: "corrected.jsonl")
        var told: [Int?] = []
        let summary = try nights.load(
            ["corrected.jsonl"], letters: nil,
            onEvent: { if case .line(let line) = $0, let number = line.fields["line"] as? Int { told.append(number) } })
        let failure = try #require(summary.failures.first)
        #expect(summary.failures.count == 1 && failure.exitStatus == .badData && failure.line == 2, "\(failure)")
        #expect(failure.what.contains("2 lines") && failure.what.contains("not loaded") && told == [3])
        #expect(summary.correctionsApplied == 2 && summary.correctionsRefused == 2 && summary.durable.isEmpty)
        #expect(try nights.rejections() == ["a.jsonl|3", "a.jsonl|4"] && nights.broken() == [])
    }

    @Test("that can't be read either change nothing; only a changed line is a fault")
    func stillUnreadable() throws {
        try nights.loadBad()
        var letters = try nights.letters()
        letters[2] = Nights.corrected(letters[2], "{\"receipt\":\"BBBB\"}")
        let before = try nights.stored("SELECT * FROM rejections")
        try nights.write(letters, to: "corrected.jsonl")
        var told: [Int?] = []
        let summary = try nights.load(
            ["corrected.jsonl"], letters: nil,
            onEvent: { if case .line(let line) = $0, let number = line.fields["line"] as? Int { told.append(number) } })
        #expect(summary.failures.map(\.line) == [3] && summary.failures.map(\.exitStatus) == [.badData])
        #expect(summary.failures.first?.what.contains("still can't be read, malformed_container") == true)
        #expect(told == [1, 2, 4] && summary.correctionsRefused == 1 && summary.correctionsUnreadable == 3)
        #expect(try nights.stored("SELECT * FROM rejections") == before)
        try nights.write([letters[0], letters[1]], to: "unchanged.jsonl")
        #expect(try nights.load(["unchanged.jsonl"], letters: nil).exitStatus == nil)
        // Of lines that are not kept, the reason tells.
        try nights.load(["a.jsonl"], into: "other.sqlite", letters: nil)
        #expect(try nights.load(["unchanged.jsonl"], into: "other.sqlite", letters: nil).exitStatus == nil)
    }

    @Test("among an archive's lines are rejected with what to do, whether loaded or decoded", arguments: [1, 4])
    func amongLines(jobs: Int) throws {
        try nights.loadBad()
        let letters = try nights.letters().map { Nights.corrected($0, nights.good[2]) }
        try nights.write([letters[0], letters[1]], to: "corrected.jsonl")
        let corrections = String(decoding: try nights.workdir.read("corrected.jsonl"), as: UTF8.self)
        try nights.workdir.write("\(nights.good[3])\n{}\n\(corrections){\"rejected\":{}}\n", to: "mixed.jsonl")
        let summary = try nights.load(["mixed.jsonl"], jobs: jobs)
        #expect(summary.submissions == 1 && summary.rejected == [.noReceipt: 4] && summary.correctionsApplied == 0)
        let details =
            "SELECT line, detail LIKE 'a line of a dead-letter file among an archive''s lines: give that file%'"
        let found = try nights.stored("\(details) FROM rejections WHERE archive = 'mixed.jsonl' ORDER BY 1")
        #expect(found == ["2|0", "3|1", "4|1", "5|0"])
        var decode = Decode(archives: [nights.workdir.path("mixed.jsonl")])
        decode.configuration.jobs = jobs
        try nights.workdir.write(try decode.text(), to: "decoded")
        _ = try nights.minted.load(["decoded"].map(nights.workdir.path), into: nights.workdir.path("decoded.sqlite"))
            .run()
        #expect(
            try nights.stored("\(details) FROM rejections ORDER BY 1", in: "decoded.sqlite") == found)
        // Of a file of their own, they are applied.
        #expect(try nights.load(["corrected.jsonl"]).correctionsApplied == 2)
        // Its cause is the same when it is read again.
        let again = try nights.load([]) { $0.retriesRejectedLines = true }
        #expect(again.failures.isEmpty && again.openRejections?.count == 6)
    }

    @Test("of dismissed rejections are passed over, until the mark is taken back")
    func dismissed() throws {
        try nights.loadBad()
        try nights.write(nights.letters().map { Nights.corrected($0, nights.good[2]) }, to: "corrected.jsonl")
        var dismissal = Dismissal(database: nights.workdir.path("mill.sqlite"))
        dismissal.lines = ["a.jsonl:1"]
        #expect(try dismissal.run().changed == 1)
        #expect(try nights.broken() == [] && nights.stored("SELECT count(*) FROM dead_letter") == ["3"])
        let summary = try nights.load(["corrected.jsonl"])
        #expect(summary.correctionsApplied == 3 && summary.correctionsPassedOver == 1 && summary.durable.count == 1)
        #expect(try nights.stored("SELECT line, dismissed FROM rejections") == ["1|1"])
        dismissal.isUndo = true
        #expect(try dismissal.run().changed == 1 && dismissal.run().unchanged == 1)
        #expect(try nights.load(["corrected.jsonl"], letters: nil).correctionsApplied == 1)
    }

    @Test("lie in a file that is not written over until they are loaded")
    func keepsUnloadedCorrections() throws {
        try nights.loadBad()
        let written = try nights.workdir.read("letters.gz")
        // Unchanged, it is written anew.
        #expect(try nights.load(["a.jsonl"]).failures.isEmpty)
        #expect(
            try Gzip.recover(nights.workdir.read("letters.gz"), in: nights.workdir).output
                == Gzip.recover(written, in: nights.workdir).output)
        var letters = try nights.letters()
        letters[1] = Nights.corrected(letters[1], nights.good[2])
        try nights.write(letters, to: "letters.gz")
        let corrected = try nights.workdir.read("letters.gz")
        let refused = try nights.load(["a.jsonl"])
        #expect(refused.failures.map(\.exitStatus) == [.cannotCreate] && refused.failures.first?.line == 2)
        #expect(try nights.workdir.read("letters.gz") == corrected)
        // Loaded by the run that writes it, it is.
        let loaded = try nights.load(["letters.gz"])
        #expect(loaded.failures.isEmpty && loaded.correctionsApplied == 1 && loaded.deadLetters == 3)
        #expect(try nights.letters().count == 3)
        for foreign in ["mine\n", "{\"rejected\":{\"archive_sha256\":\"\"}}\n"] {
            try nights.workdir.write(foreign, to: "letters.gz")
            #expect(try nights.load(["a.jsonl"]).failures.map(\.exitStatus) == [.cannotCreate])
            #expect(try nights.workdir.read("letters.gz") == Array(foreign.utf8))
        }
    }

    @Test("that are formatted, or whose file is damaged, are refused with what to do")
    func unfitFiles() throws {
        try nights.loadBad()
        let letter = Nights.corrected(try nights.letters()[0], nights.good[2])
        try nights.workdir.write(
            [UInt8](try JSONSerialization.data(withJSONObject: letter, options: .prettyPrinted)), to: "pretty.json")
        let pretty = try nights.load(["pretty.json"], letters: nil)
        #expect(pretty.failures.first?.hint?.contains("jq -c") == true && pretty.exitStatus == .badData)
        try nights.write([letter], to: "corrected.jsonl")
        let packed = try Gzip.compress(nights.workdir.read("corrected.jsonl"), in: nights.workdir)
        try nights.workdir.write(Array(packed.dropLast(6)), to: "cut.gz")
        let cut = try nights.load(["cut.gz"], letters: nil)
        #expect(cut.correctionsApplied == 1 && cut.exitStatus == .badData && cut.durable.isEmpty)
        #expect(try nights.stored("SELECT count(*) FROM archives") == ["1"])
    }

    @Test("stand for the archive that has grown since, but not for half of its last line")
    func grownArchive() throws {
        let half = String(nights.good[2].prefix(60))
        try nights.workdir.write("not a line\n" + half, to: "a.jsonl")
        #expect(try nights.load(["a.jsonl"]).deadLetters == 2)
        let letters = try nights.letters().map { Nights.corrected($0, nights.good[3]) }
        // The rest of the line can't be read either.
        try nights.workdir.write("not a line\n" + half + "\nnew\n", to: "a.jsonl")
        let grown = try nights.load(["a.jsonl"])
        #expect(grown.failures.isEmpty && grown.deadLetters == 3, "\(grown.failures)")
        #expect(try nights.rejections() == ["a.jsonl|1", "a.jsonl|2", "a.jsonl|3"])
        try nights.write(letters, to: "corrected.jsonl")
        let summary = try nights.load(["corrected.jsonl"])
        #expect(summary.correctionsApplied == 1 && summary.failures.map(\.line) == [2])
        #expect(try nights.rejections() == ["a.jsonl|2", "a.jsonl|3"] && nights.broken() == [])
    }

    @Test("of a dismissed half line: the line is read when it is whole")
    func dismissedHalfLine() throws {
        let line = nights.good[0]
        try nights.workdir.write(String(line.prefix(60)), to: "a.jsonl")
        try nights.load(["a.jsonl"])
        var dismissal = Dismissal(database: nights.workdir.path("mill.sqlite"))
        dismissal.lines = ["a.jsonl:1"]
        #expect(try dismissal.run().changed == 1)
        try nights.write([line], to: "a.jsonl")
        #expect(try nights.load(["a.jsonl"]).submissions == 1)
        #expect(try nights.stored("SELECT count(*) FROM rejections") == ["0"] && nights.broken() == [])
    }

    @Test("can be rejected lines that are no UTF-8, or too long to be kept")
    func oddLines() throws {
        try nights.workdir.write(
            [0xff, 0xfd, 0x0a] + Array("\(String(repeating: "x", count: 200))\n".utf8), to: "a.jsonl")
        let summary = try nights.load(["a.jsonl"]) { $0.configuration.limits.lineBytes = 100 }
        #expect(summary.deadLetters == 1 && summary.rejectionsNotKept == 1)
        let letter = try #require(try nights.letters().first)
        #expect(letter["line_base64"] as? String == "//0=" && letter["line"] == nil)
        try nights.write([Nights.corrected(letter, nights.good[2])], to: "corrected.jsonl")
        let long = try nights.load(["corrected.jsonl"], letters: nil) { $0.configuration.limits.lineBytes = 100 }
        #expect(long.failures.first?.what.contains("of which 100 are allowed") == true)
        #expect(try nights.load(["corrected.jsonl"], letters: nil).correctionsApplied == 1)
    }
}
