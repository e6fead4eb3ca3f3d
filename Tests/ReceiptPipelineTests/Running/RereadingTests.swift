import Foundation
import ReceiptMint
import ReceiptVerification
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptPipeline

/// Archives that were loaded under keys that their lines don't have, and again
/// under those that they have.
@Suite("Rejected lines, read again")
struct RereadingTests {
    private let workdir: Workdir
    private let minted: MintedArchive
    private static let foreign = {
        var keys = LineKeys()
        keys.receipt = ["proof"]
        return keys
    }()

    init() throws {
        workdir = try Workdir()
        minted = try Self.shared.get()
    }

    private static let shared = Result { try MintedArchive(count: 300, archives: 1) }

    @discardableResult
    private func load(
        _ archives: [String]? = nil, into database: String = "mill.sqlite", _ change: (inout Ingest) -> Void = { _ in }
    ) throws -> IngestSummary {
        var ingest = try minted.ingest(into: workdir.path(database))
        if let archives { ingest.archives = archives }
        ingest.batchSize = 4_096
        change(&ingest)
        return try ingest.run()
    }

    private func again(_ archives: [String]? = nil, _ change: (inout Ingest) -> Void = { _ in }) throws -> IngestSummary
    {
        try load(archives) {
            $0.readsRejectedAgain = true
            change(&$0)
        }
    }

    private func lines(_ sql: String) throws -> [String] {
        try Stored(workdir.path("mill.sqlite")).lines(sql)
    }

    private func expectSame(as archives: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try load(archives, into: "whole.sqlite")
        let (wanted, found) = (
            try Stored(workdir.path("whole.sqlite")).everything(), try Stored(workdir.path("mill.sqlite")).everything()
        )
        let differences = found.difference(from: wanted)
        #expect(differences.isEmpty, "\(differences.prefix(4))", sourceLocation: sourceLocation)
        let broken = try DatabaseCheck(path: workdir.path("mill.sqlite")).run().filter { $0.count > 0 }
        #expect(broken.isEmpty, "\(broken)", sourceLocation: sourceLocation)
    }

    @Test("give what a load under the right keys gives, and a second time nothing")
    func wrongKeys() throws {
        let wrong = try load { $0.keys = Self.foreign }
        let readable = wrong.submissions
        let before = try lines("SELECT count(*) FROM rejections")
        #expect(try load().lines == 0)
        #expect(try lines("SELECT count(*) FROM rejections") == before)

        let mended = try again()
        #expect(mended.submissions > 100 && mended.clearedRejections == mended.submissions)
        // As of a load under the right keys: the rejected of all lines.
        #expect(mended.rejectedShare == Double(mended.rejected.values.reduce(0, +)) / Double(wrong.lines))
        #expect(mended.lines == wrong.rejected.values.reduce(0, +))
        try expectSame()
        #expect(try lines("SELECT count(*) FROM submissions") == ["\(readable + mended.submissions)"])
        #expect(try again().submissions == 0)
        try expectSame()
    }

    @Test("in several goes: what a stopped or killed go committed is not read again")
    func stopped() throws {
        try load { $0.keys = Self.foreign }
        let stop = CancellationFlag()
        var ingest = try minted.ingest(into: workdir.path("mill.sqlite"))
        (ingest.readsRejectedAgain, ingest.batchSize, ingest.jobs, ingest.stop) = (true, 4_096, 1, stop)
        let first = try ingest.run { if case .progress(let progress) = $0, progress.lines > 50 { stop.make() } }
        #expect(first.isStopped && first.submissions > 0)
        let rest = try again()
        #expect(rest.submissions > 0 && rest.isStopped == false)
        try expectSame()
        #expect(try lines("SELECT sum(complete), count(*) FROM archives") == ["1|1"])
    }

    @Test("leave those that are still rejected, with the reason that they have now")
    func stillRejected() throws {
        let archive = try workdir.write("{\"proof\":\"AAAA\"}\n{\n", to: "a.jsonl")
        try load([archive])
        #expect(try lines("SELECT line, reason FROM rejections") == ["1|no_receipt", "2|invalid_json"])
        let summary = try again([archive]) { $0.keys = Self.foreign }
        #expect(summary.rejected == [.malformedContainer: 1, .invalidJSON: 1] && summary.clearedRejections == 0)
        #expect(try lines("SELECT line, reason FROM rejections") == ["1|malformed_container", "2|invalid_json"])
    }

    @Test("of an archive that has grown, beside its former version", arguments: [false, true])
    func grownBesideFormer(isFormerFirst: Bool) throws {
        let text = try Gzip.recover(minted.workdir.read(minted.truth.archives[0].name), in: minted.workdir).output
        let cut = try #require(text[(text.count / 2)...].firstIndex(of: 10)) + 1
        for folder in ["former", "grown"] {
            try FileManager.default.createDirectory(
                at: workdir.url.appending(path: folder), withIntermediateDirectories: true)
        }
        let former = try workdir.write(Array(text[..<cut]), to: "former/a.jsonl")
        let grown = try workdir.write(text, to: "grown/a.jsonl")
        try load([former]) { $0.keys = Self.foreign }
        #expect(try again(isFormerFirst ? [former, grown] : [grown, former]).failures.isEmpty)
        try expectSame(as: [grown])
    }

    @Test("of an archive that has grown are read with the lines that followed", arguments: [false, true])
    func grown(isLoadedBetween: Bool) throws {
        let text = try Gzip.recover(minted.workdir.read(minted.truth.archives[0].name), in: minted.workdir).output
        let cut = try #require(text[(text.count / 2)...].firstIndex(of: 10)) + 1
        let archive = try workdir.write(Array(text[..<cut]), to: "a.jsonl")
        try load([archive]) { $0.keys = Self.foreign }
        try workdir.write(text, to: "a.jsonl")
        if isLoadedBetween { try load([archive]) }
        _ = try again([archive])
        try expectSame(as: [archive])
        #expect(try again([archive]).submissions == 0)
    }

    @Test(
        "leave nothing to a mended rejects file of the night before: a copy is refused, wherever it comes",
        arguments: [nil, false, true], [1, 4])
    func mendedToo(isFirst: Bool?, jobs: Int) throws {
        let late = try mendedLate(isFirst: isFirst, jobs: jobs, as: "copy/rejects.gz")
        #expect(late.failures.map(\.exitStatus) == [.badData], "\(late.failures)")
        try expectSame(as: [workdir.path("a.jsonl")])
    }

    @Test("are passed over in a mended rejects file in its place", arguments: [nil, false, true])
    func mendedTooInPlace(isFirst: Bool?) throws {
        let late = try mendedLate(isFirst: isFirst, jobs: 1, as: "rejects.gz")
        #expect(late.failures.allSatisfy { $0.what.contains("still can't be read") }, "\(late.failures)")
        #expect(late.repeatedLines > 0 && late.clearedRejections == late.submissions)
        #expect(try lines("SELECT DISTINCT archive FROM submissions") == ["a.jsonl"])
        #expect(try lines("SELECT (SELECT count(*) FROM submissions) + (SELECT count(*) FROM rejections)") == ["20"])
    }

    /// Loads a mended rejects file, and reads the archive's rejected lines again.
    private func mendedLate(isFirst: Bool?, jobs: Int, as name: String) throws -> IngestSummary {
        try FileManager.default.createDirectory(
            at: workdir.url.appending(path: "copy"), withIntermediateDirectories: true)
        let archive = try workdir.write(lines(of: 0..<20), to: "a.jsonl")
        let rejects = workdir.path("rejects.gz")
        try load([archive]) {
            $0.keys = Self.foreign
            $0.rejects = rejects
        }
        let stood = try lines("SELECT count(*) FROM rejections")
        // Every line is another now, and says the same.
        let text = try Array(lines(of: 0..<20).map { $0 == 10 ? [32, 10] : [$0] }.joined())
        let mended = try workdir.write(text, to: name)
        let archives = isFirst.map { $0 ? [mended, archive] : [archive, mended] } ?? [archive]
        let summary = try again(archives) { $0.jobs = jobs }
        #expect(stood != ["0"])
        return try isFirst == nil ? load([mended]) : summary
    }

    /// Some lines of the minted archive.
    private func lines(of range: Range<Int>) throws -> [UInt8] {
        let text = try Gzip.recover(minted.workdir.read(minted.truth.archives[0].name), in: minted.workdir).output
        return Array(text.split(separator: 10, omittingEmptySubsequences: false)[range].joined(separator: [10])) + [10]
    }

    @Test("clear the rejects file, whose lines are then known")
    func rejectsFile() throws {
        let rejects = workdir.path("rejects.gz")
        try load {
            $0.keys = Self.foreign
            $0.rejects = rejects
        }
        let old = try workdir.read("rejects.gz")
        let summary = try again { $0.rejects = rejects }
        #expect(summary.failures.isEmpty && summary.clearedRejections > 100)
        #expect(summary.rejectsLines == summary.rejected.values.reduce(0, +))
        // Somebody loads the file of the night before: every line is known.
        try workdir.write(old, to: "rejects.gz")
        let stale = try load([rejects])
        #expect(stale.submissions == 0 && stale.repeatedLines == stale.lines)
        try expectRest()
    }

    @Test("in the rejects file itself, which was loaded under the wrong keys too")
    func rejectsFileUnderWrongKeys() throws {
        let rejects = workdir.path("rejects.gz")
        for archives in [nil, [rejects]] {
            try load(archives) {
                $0.keys = Self.foreign
                $0.rejects = rejects
            }
        }
        let summary = try again([rejects])
        #expect(summary.submissions > 100 && summary.clearedRejections == summary.submissions)
        try expectRest()
        #expect(try again([rejects]).submissions == 0)
    }

    /// Every line is a submission or stands rejected, and no promise is broken.
    private func expectRest() throws {
        try load(into: "whole.sqlite")
        for sql in [
            "SELECT count(*), count(DISTINCT receipt_sha256) FROM submissions", "SELECT count(*) FROM rejections",
        ] {
            #expect(try lines(sql) == Stored(workdir.path("whole.sqlite")).lines(sql))
        }
        let broken = try DatabaseCheck(path: workdir.path("mill.sqlite")).run().filter { $0.count > 0 }
        #expect(broken.isEmpty, "\(broken)")
    }

    @Test("stand in the archive alone unless the database keeps them")
    func unkept() throws {
        let archive = try workdir.write("{}\n{}\n", to: "a.jsonl")
        let digest = try ArchiveFingerprint(of: InputFile(path: archive)).sha256
        try load([archive])
        func unkept() throws -> Int {
            try LoadDatabase(path: workdir.path("mill.sqlite")).unkeptRejections(of: digest)
        }
        #expect(try unkept() == 2)
        _ = try again([archive]) { $0.rejects = workdir.path("rejects.gz") }
        #expect(try unkept() == 0)
    }
}
