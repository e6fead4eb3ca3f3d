import Foundation
import MillSystem
import MillTestSupport
import ReceiptMint
import TestSupport
import Testing

@testable import MillDatabase
@testable import MillRun
@testable import ReceiptArchive
@testable import ReceiptVerification
@testable import ReceiptWarehouse

@Suite("What a database holds")
struct DeterminismTests {
    private let minted: MintedArchive
    private let workdir: Workdir

    init() throws {
        minted = try Self.shared.get()
        workdir = try Workdir()
    }

    private static let count = Nightly.rounds(day: 200, night: 400)
    private static let shared = Result { try MintedArchive(count: count, archives: 3) }

    /// All that views show once the models are of what is loaded.
    private static func everything(_ database: String) throws -> [String] {
        let loading = try Warehouse(path: database)
        if try loading.access({ try ModelState($0)?.isCurrent }) != true { try loading.models.refresh() }
        return try Stored(database).everything()
    }

    /// One run over the archives in order, by one worker, whose models are worked out apart.
    private static let reference = Result {
        let database = try shared.get().workdir.path("reference.sqlite")
        var ingest = try shared.get().ingest(into: database, refreshes: false)
        ingest.configuration.jobs = 1
        _ = try ingest.run()
        return try everything(database)
    }

    private func expectReference(_ name: String) throws {
        let (wanted, found) = (try Self.reference.get(), try Self.everything(workdir.path(name)))
        #expect(wanted.count == found.count)
        let differences = found.difference(from: wanted)
        #expect(differences.isEmpty, "\(differences.prefix(4))")
    }

    @Test("does not depend on the order of archives or the number of workers", arguments: [1, 2, 3])
    func orderAndWorkers(jobs: Int) throws {
        for (number, order) in [[0, 1, 2], [2, 1, 0], [1, 2, 0]].enumerated() {
            let name = "\(number).sqlite"
            var ingest = try minted.ingest(into: workdir.path(name), refreshes: number == 0)
            ingest.archives = order.map { minted.archives[$0] }
            ingest.configuration.jobs = jobs
            let summary = try ingest.run()
            #expect(summary.failures.isEmpty && summary.lines == Self.count)
            try expectReference(name)
        }
    }

    @Test("does not depend on the permutation of ten archives, the workers, or the size of batches", arguments: 0..<6)
    func permutations(seed: UInt64) throws {
        let ten = try Self.ten.get()
        var numbers = SeededGenerator(seed: seed)
        var ingest = try ten.minted.ingest(into: workdir.path("ten.sqlite"), refreshes: false)
        ingest.archives = ten.minted.archives.shuffled(using: &numbers)
        ingest.configuration.jobs = Int.random(in: 1...4, using: &numbers)
        ingest.configuration.batchSize =
            [1, 700, 20_000, ArchiveReader.defaultBatchSize].randomElement(using: &numbers) ?? 1
        _ = try ingest.run()
        let differences = try Self.everything(workdir.path("ten.sqlite")).difference(from: ten.content)
        #expect(differences.isEmpty, "seed \(seed): \(differences.prefix(4))")
    }

    /// Ten archives, and what a run over them in order leaves.
    private static let ten = Result {
        let minted = try MintedArchive(count: Nightly.rounds(day: 120, night: 250), archives: 10)
        let database = minted.workdir.path("reference.sqlite")
        var ingest = try minted.ingest(into: database, refreshes: false)
        ingest.configuration.jobs = 1
        _ = try ingest.run()
        return (minted: minted, content: try everything(database))
    }

    @Test("does not depend on how many runs load it")
    func oneRunForEachArchive() throws {
        for archive in minted.archives.reversed() {
            var ingest = try minted.ingest(into: workdir.path("runs.sqlite"))
            ingest.archives = [archive]
            _ = try ingest.run()
        }
        try expectReference("runs.sqlite")
    }

    /// Loads the first batches of an archive with windows of `windowSize` lines,
    /// and drops everything as a killed process does.
    private func loadAndStop(
        after batches: Int, windowSize: Int, lasting duration: Duration = .seconds(30), workers: Int, into name: String
    ) throws {
        let ingest = try minted.ingest(into: workdir.path(name))
        let loadDatabase = try Warehouse(path: workdir.path(name))
        let known = KnownReceipts(startedEmpty: try loadDatabase.documents.isEmpty())
        let writer = try WarehouseWriter(loadDatabase, known: known, workers: workers, windowSize: windowSize)
        writer.maximumWindowDuration = duration
        let loader = ArchiveLoader(writer)
        let verifier = try LineVerifier(
            keys: ingest.configuration.keys, limits: ingest.configuration.limits, anchors: ingest.configuration.anchors,
            issuers: ingest.configuration.intermediates,
            known: (known, try StoredReceiptLookup(path: workdir.path(name))))
        var sequence = 0
        for path in ingest.archives {
            let file = try InputFile(path: path)
            let identity = try ArchiveFingerprint(of: file)
            let state = try loadDatabase.archives.progress(of: identity.sha256)
            if state?.isComplete == true { continue }
            var reader = try ArchiveReader(
                file: file, skippingLines: state?.lines ?? 0, limits: ingest.configuration.limits, batchSize: 30_000)
            try loader.begin(identity.id)
            while let content = try reader.next() {
                if sequence == batches { return }
                // What is said to come is true now and then, and often not.
                try loader.load(
                    try verifier.verify(LineBatch(sequence: sequence, content: content)),
                    linesAhead: sequence.isMultiple(of: 2) ? nil : sequence * 37 % 120)
                sequence += 1
            }
            try loader.end(isComplete: true)
        }
        try TransactionReceiptReview(writer, anchors: ingest.configuration.anchors).run()
        try writer.buildIndices()
    }

    @Test("is committed after a time, however few lines a window has", arguments: [1, 2])
    func commitsByTime(workers: Int) throws {
        func lines(lasting duration: Duration, _ name: String) throws -> Int {
            try loadAndStop(after: 2, windowSize: 1_000_000, lasting: duration, workers: workers, into: name)
            return Int(try Stored(workdir.path(name)).lines("SELECT coalesce(sum(lines), 0) FROM archive")[0]) ?? -1
        }
        #expect(try lines(lasting: .seconds(30), "whole.sqlite") == 0)
        #expect(try lines(lasting: .zero, "timed.sqlite") > 0)
        try loadAndStop(after: 1_000, windowSize: 1_000_000, lasting: .zero, workers: workers, into: "timed.sqlite")
        try expectReference("timed.sqlite")
    }

    /// With several workers, a window's purchases are written part by part.
    @Test(
        "does not depend on where loads were broken off, nor on the size of windows", arguments: [1, 10, 100, 1_000],
        [1, 2])
    func brokenOff(windowSize: Int, workers: Int) throws {
        for batches in [1, 3, 2, 7, 5, 1_000] {
            try loadAndStop(after: batches, windowSize: windowSize, workers: workers, into: "broken.sqlite")
        }
        let summary = try minted.ingest(into: workdir.path("broken.sqlite"), refreshes: false).run()
        #expect(summary.knownArchives == 3 && summary.lines == 0)
        try expectReference("broken.sqlite")
    }

    @Test("does not depend on what is met first: a file that is no archive, or another name of one", arguments: [1, 2])
    func oddBeginnings(jobs: Int) throws {
        let empty = try workdir.write([UInt8](), to: "empty.gz")
        var ingest = try minted.ingest(into: workdir.path("odd.sqlite"), refreshes: false)
        ingest.archives.insert(empty, at: 0)
        ingest.configuration.jobs = jobs
        let summary = try ingest.run()
        #expect(summary.failures.map(\.what) == ["is empty, and no gzip file"] && summary.archives == 3)
        try expectReference("odd.sqlite")
        let copy = try workdir.write(Array(Data(contentsOf: URL(filePath: ingest.archives[1]))), to: "copy.gz")
        ingest = try minted.ingest(into: workdir.path("copies.sqlite"), refreshes: false)
        ingest.archives.insert(copy, at: 1)
        ingest.configuration.jobs = jobs
        var known: [String] = []
        _ = try ingest.run { event in
            if case .line(let line) = event, line.message.contains("loaded before") { known.append(line.message) }
        }
        #expect(known == ["\(copy): loaded before as \(minted.truth.archives[0].name), nothing to do"])
        try expectReference("copies.sqlite")
    }

    @Test("stays as it is when archives come again, under other names or twice in one run")
    func sameArchivesAgain() throws {
        let ingest = try minted.ingest(into: workdir.path("again.sqlite"))
        _ = try ingest.run()
        var second = ingest
        let copy = try workdir.write(try Data(contentsOf: URL(filePath: ingest.archives[0])).map { $0 }, to: "copy.gz")
        second.archives = ingest.archives + [copy, copy]
        var known: [String] = []
        let summary = try second.run { event in
            if case .line(let line) = event, line.message.contains("loaded before") { known.append(line.message) }
        }
        let names = minted.truth.archives.map(\.name)
        let expected = zip(second.archives, names + [names[0], names[0]]).map { path, name in
            "\(path): loaded before\(path.hasSuffix(name) ? "" : " as \(name)"), nothing to do"
        }
        #expect(known == expected)
        #expect(summary.archives == 5 && summary.knownArchives == 5)
        #expect(summary.lines == 0 && summary.newReceipts == 0 && summary.newPurchases == 0)
        try expectReference("again.sqlite")

        var twice = try minted.ingest(into: workdir.path("twice.sqlite"))
        twice.archives += [copy]
        #expect(try twice.run().knownArchives == 1)
        try expectReference("twice.sqlite")
    }

    @Test("of a damaged archive is what was whole in it, and the archive stays incomplete")
    func damagedArchive() throws {
        let bytes = try minted.workdir.read(minted.truth.archives[0].name)
        let part = Array(bytes[..<(bytes.count * 2 / 3)])
        let recovered = try Gzip.recover(part, in: workdir).output.count { $0 == 10 }
        var ingest = try minted.ingest(into: workdir.path("cut.sqlite"))
        ingest.archives = [try workdir.write(part, to: "cut.gz"), minted.archives[1], workdir.path("missing.gz")]
        let summary = try ingest.run()
        #expect(summary.failures.map(\.exitStatus) == [.badData, .missingInput])
        let stored = Stored(workdir.path("cut.sqlite"))
        #expect(
            try stored.lines("SELECT name, lines, complete, completed_at IS NULL FROM archives ORDER BY name")
                == [
                    "cut.gz|\(recovered)|0|1", "\(minted.truth.archives[1].name)|\(minted.truth.archives[1].lines)|1|0",
                ])
        // Once more changes nothing; the failure is told again.
        let before = try stored.everything()
        #expect(try ingest.run().failures.map(\.exitStatus) == [.badData, .missingInput])
        #expect(try stored.everything() == before)
    }
}
