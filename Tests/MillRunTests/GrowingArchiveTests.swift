import Foundation
import MillDatabase
import MillSystem
import MillTestSupport
import ReceiptMint
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

@Suite("An archive that changes")
struct GrowingArchiveTests {
    private let workdir: Workdir
    private let minted: MintedArchive
    /// All lines of the minted archives as text.
    private let text: [UInt8]

    init() throws {
        workdir = try Workdir()
        minted = try Self.shared.get()
        text = try Self.text.get()
    }

    private static let shared = Result { try MintedArchive(count: Nightly.rounds(day: 200, night: 400), archives: 1) }
    private static let text = Result {
        let archive = try shared.get()
        return try Gzip.recover(archive.workdir.read(archive.truth.archives[0].name), in: archive.workdir).output
    }

    private func load(
        _ name: String, into database: String, refreshes: Bool = true,
        onEvent: @escaping (RunEvent) -> Void = { _ in }
    ) throws -> RunSummary {
        var ingest = try minted.ingest(into: workdir.path(database), refreshes: refreshes)
        ingest.archives = [workdir.path(name)]
        ingest.configuration.jobs = 1
        return try ingest.run(onEvent: onEvent)
    }

    private func append(_ bytes: some Sequence<UInt8>, to name: String) throws {
        let file = try FileHandle(forWritingTo: workdir.url.appending(path: name))
        try file.seekToEnd()
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    /// What a database holds that loaded the whole archive at once.
    private func expectWhole(_ name: String, in database: String) throws {
        _ = try load(name, into: "whole.sqlite", refreshes: false)
        let (wanted, found) = (
            try Stored(workdir.path("whole.sqlite")).everything(), try Stored(workdir.path(database)).everything()
        )
        let differences = found.difference(from: wanted)
        #expect(differences.isEmpty, "\(differences.prefix(4))")
    }

    /// Offset behind the line that holds a share of the text.
    private func boundary(_ share: Double) throws -> Int {
        try #require(text[Int(Double(text.count) * share)...].firstIndex(of: 10)) + 1
    }

    @Test("and has grown since it was loaded: its new lines are loaded, in any number of nights")
    func grownBetweenRuns() throws {
        var start = 0
        try workdir.write([UInt8](), to: "day.jsonl")
        for share in [0.2, 0.5, 0.6, 1] {
            let end = share == 1 ? text.count : try boundary(share)
            try append(text[start..<end], to: "day.jsonl")
            start = end
            #expect(try load("day.jsonl", into: "grown.sqlite").failures.isEmpty)
        }
        #expect(
            try Stored(workdir.path("grown.sqlite")).lines("SELECT count(*), min(complete) FROM archives") == ["1|1"])
        try expectWhole("day.jsonl", in: "grown.sqlite")
    }

    @Test("and ends within a line: what was rejected of the line is taken back when it is whole")
    func grownWithinLine() throws {
        let cut = try boundary(0.4) + 50
        try workdir.write(Array(text[..<cut]), to: "day.jsonl")
        let first = try load("day.jsonl", into: "grown.sqlite")
        let lines = text[..<cut].count { $0 == 10 }
        #expect(first.lines == lines + 1)
        let last = "SELECT count(*) FROM rejections WHERE line = \(lines + 1)"
        #expect(try Stored(workdir.path("grown.sqlite")).lines(last) == ["1"])
        try append(text[cut...], to: "day.jsonl")
        _ = try load("day.jsonl", into: "grown.sqlite")
        try expectWhole("day.jsonl", in: "grown.sqlite")
    }

    @Test("by members of a gzip")
    func grownByMembers() throws {
        let half = try boundary(0.5)
        let members = try [text[..<half], text[half...]].map { try Gzip.compress(Array($0), in: workdir) }
        try workdir.write(members[0], to: "day.gz")
        _ = try load("day.gz", into: "grown.sqlite")
        try append(members[1], to: "day.gz")
        var resumed: Int64 = 0
        let summary = try load("day.gz", into: "grown.sqlite") { event in
            if case .line(let line) = event, let number = line.fields["line"] as? Int64 { resumed = number }
        }
        #expect(Int(resumed) == text[..<half].count { $0 == 10 } && summary.lines == text[half...].count { $0 == 10 })
        try expectWhole("day.gz", in: "grown.sqlite")
    }

    @Test("and comes with its former version: of both, only the new lines are loaded", arguments: [false, true])
    func grownBesideFormer(isFormerFirst: Bool) throws {
        let folders = try ["former", "grown"].map { name in
            let folder = workdir.url.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return name + "/day.jsonl"
        }
        try workdir.write(Array(text[..<boundary(0.5)]), to: folders[0])
        try workdir.write(text, to: folders[1])
        _ = try load(folders[0], into: "grown.sqlite")
        var ingest = try minted.ingest(into: workdir.path("grown.sqlite"))
        ingest.archives = (isFormerFirst ? folders : folders.reversed()).map(workdir.path)
        #expect(try ingest.run().failures.isEmpty)
        try expectWhole(folders[1], in: "grown.sqlite")
    }

    /// Files as runs have moved them that met each version in turn: the first under
    /// its name, the others behind the beginning of their digest.
    @Test("and lies in its versions where runs have moved them: a new database holds its lines once")
    func versionsThatWereMoved() throws {
        var archives: [String] = []
        for share in [0.3, 0.6, 1] {
            let version = share == 1 ? text : Array(text[..<(try boundary(share))])
            let path = try workdir.write(version, to: "day.jsonl")
            let digest = try #require(try workdir.openssl("dgst", "-sha256", "-r", path)).prefix(16)
            let name = archives.isEmpty ? "moved.jsonl" : "\(digest)-moved.jsonl"
            archives.append(try workdir.write(version, to: name))
        }
        for (number, order) in [[0, 1, 2], [2, 1, 0], [1, 2, 0]].enumerated() {
            var ingest = try minted.ingest(into: workdir.path("\(number).sqlite"), refreshes: false)
            ingest.archives = order.map { archives[$0] }
            #expect(try ingest.run().failures.isEmpty)
            #expect(try Stored(workdir.path("\(number).sqlite")).lines("SELECT name FROM archives") == ["moved.jsonl"])
        }
        try workdir.write(text, to: "moved.jsonl")
        try expectWhole("moved.jsonl", in: "0.sqlite")
    }

    @Test("is no other's former version for a digest that is not its own")
    func foreignDigest() throws {
        try workdir.write(Array(text[..<boundary(0.5)]), to: "day.jsonl")
        try workdir.write(text, to: "0123456789abcdef-day.jsonl")
        _ = try load("day.jsonl", into: "mill.sqlite")
        #expect(try load("0123456789abcdef-day.jsonl", into: "mill.sqlite").lines == text.count { $0 == 10 })
    }

    @Test("that came cut short and then whole: its lines are loaded once")
    func cutThenWhole() throws {
        let whole = try minted.workdir.read(minted.truth.archives[0].name)
        try workdir.write(Array(whole[..<(whole.count * 2 / 3)]), to: "day.gz")
        #expect(try load("day.gz", into: "grown.sqlite").failures.map(\.exitStatus) == [.badData])
        try workdir.write(whole, to: "day.gz")
        #expect(try load("day.gz", into: "grown.sqlite").failures.isEmpty)
        try expectWhole("day.gz", in: "grown.sqlite")
    }

    @Test("while it is read: its complete lines are loaded, the rest next time", arguments: [0, 30])
    func grownWhileRead(bytesIntoLine: Int) throws {
        let cut = try boundary(0.7) + bytesIntoLine
        try workdir.write(Array(text[..<cut]), to: "day.jsonl")
        var appended = false
        var growing = false
        let first = try load("day.jsonl", into: "grown.sqlite") { event in
            if case .line(let line) = event, line.message.contains("is being written") { growing = true }
            guard case .progress = event, !appended else { return }
            appended = true
            try? append(text[cut..<(cut + 2_000)], to: "day.jsonl")
        }
        #expect(growing && first.failures.isEmpty)
        #expect(first.lines == text[..<cut].count { $0 == 10 })
        #expect(try Stored(workdir.path("grown.sqlite")).lines("SELECT complete FROM archives") == ["0"])
        try append(text[(cut + 2_000)...], to: "day.jsonl")
        _ = try load("day.jsonl", into: "grown.sqlite")
        try expectWhole("day.jsonl", in: "grown.sqlite")
    }

    @Test("its content while it is read: reported")
    func overwrittenWhileRead() throws {
        try workdir.write(text, to: "day.jsonl")
        var overwritten = false
        let summary = try load("day.jsonl", into: "mill.sqlite") { event in
            guard case .progress = event, !overwritten else { return }
            overwritten = true
            try? Data(repeating: 65, count: text.count).write(
                to: workdir.url.appending(path: "day.jsonl"), options: [])
        }
        #expect(summary.failures.map(\.exitStatus) == [.badData])
        #expect(summary.failures.first?.what == "was overwritten while it was read")
        #expect(try Stored(workdir.path("mill.sqlite")).lines("SELECT complete FROM archives") == ["0"])
    }

    @Test("its content under the same name is another archive")
    func replacedUnderTheSameName() throws {
        let half = try boundary(0.5)
        try workdir.write(Array(text[..<half]), to: "day.jsonl")
        _ = try load("day.jsonl", into: "mill.sqlite")
        try workdir.write(Array(text[half...]), to: "day.jsonl")
        #expect(try load("day.jsonl", into: "mill.sqlite").lines == text[half...].count { $0 == 10 })
        #expect(
            try Stored(workdir.path("mill.sqlite")).lines("SELECT count(*), min(complete) FROM archives") == ["2|1"])
    }

    @Test("keeps what it was: the shorter content is known, and under another name a longer one is not")
    func shorterContentIsKnown() throws {
        let half = try boundary(0.5)
        try workdir.write(Array(text[..<half]), to: "day.jsonl")
        try workdir.write(Array(text[..<half]), to: "copy.jsonl")
        _ = try load("day.jsonl", into: "mill.sqlite")
        try append(text[half...], to: "day.jsonl")
        _ = try load("day.jsonl", into: "mill.sqlite")
        #expect(try load("copy.jsonl", into: "mill.sqlite").knownArchives == 1)
        try append(Array("{}\n".utf8), to: "copy.jsonl")
        #expect(try load("copy.jsonl", into: "mill.sqlite").lines == text[..<half].count { $0 == 10 } + 1)
    }
}
