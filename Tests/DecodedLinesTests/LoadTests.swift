import Foundation
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

@Suite("Loading decoded lines")
struct LoadTests {
    private let minted: MintedArchive
    private let workdir: Workdir

    init() throws {
        minted = try Self.shared.get()
        workdir = try Workdir()
    }

    private static let count = Nightly.rounds(day: 240, night: 600)
    private static let shared = Result { try MintedArchive(count: count, archives: 3) }

    /// What `ingest` makes of the archives, of every view there is.
    private static let reference = Result {
        let minted = try shared.get()
        let database = minted.workdir.path("reference.sqlite")
        var ingest = try minted.ingest(into: database, refreshes: false)
        ingest.configuration.jobs = 1
        _ = try ingest.run()
        return try everyView(of: database)
    }

    /// The rows of all views, but what tells of the loading itself.
    private static func everyView(of database: String) throws -> [String] {
        let stored = Stored(database)
        let views = try stored.lines("SELECT name FROM sqlite_schema WHERE type = 'view' AND name <> 'runs' ORDER BY 1")
        #expect(views.count > 40)
        // Purchases are numbered as each database meets them.
        return try stored.content(of: views, without: Stored.ownColumns)
    }

    private func expectReference(_ database: String = "mill.sqlite") throws {
        let found = try Self.everyView(of: workdir.path(database))
        let differences = found.difference(from: try Self.reference.get())
        #expect(differences.isEmpty, "\(differences.prefix(4))")
    }

    /// The archives' decoded lines, each archive's in a file of its own.
    private func decodedFiles() throws -> [String] {
        try minted.truth.archives.map { archive in
            var decode = try minted.decode()
            decode.archives = [minted.workdir.path(archive.name)]
            return try workdir.write(try decode.text(), to: archive.name + ".decoded")
        }
    }

    @discardableResult
    private func load(_ files: [String], jobs: Int = 2, batchSize: Int = 50_000) throws -> RunSummary {
        var load = try minted.load(files, into: workdir.path("mill.sqlite"))
        load.configuration.jobs = jobs
        load.configuration.batchSize = batchSize
        return try load.run()
    }

    @Test("shows in every view what ingest of the archives shows", arguments: [1, 3])
    func equalsIngest(jobs: Int) throws {
        let file = try workdir.write(try minted.decode().text(), to: "all.decoded")
        let summary = try load([file], jobs: jobs)
        #expect(summary.failures.isEmpty && summary.lines == Self.count && summary.archives == 3)
        try expectReference()
    }

    @Test("reads gzip, and files in any order of their archives")
    func gzip() throws {
        let files = try decodedFiles().map { path in
            try workdir.write(
                try Gzip.compress([UInt8](Data(contentsOf: URL(filePath: path))), in: workdir), to: UUID().uuidString)
        }
        try load(files)
        try expectReference()
    }

    @Test("changes nothing the second time, from any file")
    func idempotent() throws {
        let files = try decodedFiles()
        try load(files)
        let joined = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        let again = try load([try workdir.write(joined, to: "joined.decoded"), files[1]])
        #expect(again.lines == 0 && again.newReceipts == 0 && again.failures.isEmpty)
        #expect(again.archives == 3 && again.knownArchives == 3)
        try expectReference()
    }

    @Test("goes on behind the lines that are processed, in any files", arguments: [1, 37, 70])
    func resumes(count: Int) throws {
        let files = try decodedFiles()
        let lines = try String(contentsOfFile: files[0], encoding: .utf8).split(separator: "\n").map { $0 + "\n" }
        let beginning = try workdir.write(lines.prefix(count).joined(), to: "beginning.decoded")
        let rest = try workdir.write(lines.dropFirst(count).joined(), to: "rest.decoded")
        #expect(try load([beginning]).lines == count)
        #expect(try Stored(workdir.path("mill.sqlite")).lines("SELECT lines, complete FROM archives") == ["\(count)|0"])
        // The whole file holds lines that are processed; the rest continues them.
        try load(count == 37 ? files : [rest] + files[1...])
        try expectReference()
    }

    @Test("and ingest go on where the other stopped")
    func mixedWithIngest() throws {
        let files = try decodedFiles()
        let lines = try String(contentsOfFile: files[2], encoding: .utf8).split(separator: "\n").map { $0 + "\n" }
        try load([files[0], try workdir.write(lines.prefix(50).joined(), to: "beginning.decoded")])
        var ingest = try minted.ingest(into: workdir.path("mill.sqlite"), refreshes: false)
        ingest.configuration.jobs = 1
        let summary = try ingest.run()
        #expect(summary.knownArchives == 1 && summary.failures.isEmpty)
        // Numbers given out in another order are no difference to anybody.
        let found = try Stored(workdir.path("mill.sqlite")).everything()
        let wanted = Stored(minted.workdir.path("reference.sqlite"))
        _ = try Self.reference.get()
        #expect(found.difference(from: try wanted.everything()).isEmpty)
        #expect(try load(files).lines == 0)
    }

    @Test("refuses lines that would leave a gap")
    func gap() throws {
        let lines = try String(contentsOfFile: try decodedFiles()[0], encoding: .utf8).split(separator: "\n").map {
            $0 + "\n"
        }
        let file = try workdir.write(lines.prefix(10).joined() + lines.dropFirst(12).joined(), to: "gap.decoded")
        let summary = try load([file])
        let failure = try #require(summary.failures.first)
        #expect(summary.lines == 10 && failure.line == 11 && failure.path == file && failure.exitStatus == .badData)
    }

    @Test("takes a file whose lines name no archive for one, with its own lines")
    func streams() throws {
        let lines = try minted.plainLines()
        let decoded = try minted.decode().text().replacing(/"archive":{[^}]*},"line":\d+,/, with: "").replacing(
            /,"last":true}\n/, with: "}\n")
        let file = try workdir.write(decoded, to: "stream.decoded")
        try load([file])
        try load([file])
        let stored = Stored(workdir.path("mill.sqlite"))
        #expect(
            try stored.lines("SELECT name, bytes, lines, complete FROM archives")
                == ["stream.decoded|\(decoded.utf8.count)|\(Self.count)|1"])
        try workdir.write(lines.map { $0 + "\n" }.joined(), to: "plain.jsonl")
        var ingest = try minted.ingest(into: workdir.path("plain.sqlite"), refreshes: false)
        ingest.archives = [workdir.path("plain.jsonl")]
        _ = try ingest.run()
        for view in ["receipts", "purchases", "claimed_purchases", "receipt_purchases", "subscription_periods"] {
            #expect(
                try stored.content(of: view) == Stored(workdir.path("plain.sqlite")).content(of: view), "\(view)")
        }
        let submissions = "SELECT line, receipt_sha256, device_id, account_id, submitted_at FROM submissions ORDER BY 1"
        #expect(try stored.lines(submissions) == Stored(workdir.path("plain.sqlite")).lines(submissions))
    }

    @Test("keeps receipts that were decoded whole")
    func kept() throws {
        var decode = try minted.decode()
        decode.configuration.keepsReceipts = true
        var load = try minted.load([try workdir.write(try decode.text(), to: "all")], into: workdir.path("load.sqlite"))
        load.configuration.keepsReceipts = true
        let loaded = try load.run()
        var ingest = try minted.ingest(into: workdir.path("ingest.sqlite"), refreshes: false)
        ingest.configuration.keepsReceipts = true
        let ingested = try ingest.run()
        #expect(loaded.failures.isEmpty && loaded.submissions == ingested.submissions)
        let kept = "SELECT hex(sha256), hex(deflated) FROM raw_receipt JOIN receipt USING (receipt_id) ORDER BY 1"
        #expect(
            try Stored(workdir.path("load.sqlite")).lines(kept) == Stored(workdir.path("ingest.sqlite")).lines(kept))
    }

    @Test("asks for receipts where they are to be kept and are not there")
    func notKept() throws {
        var load = try minted.load(try decodedFiles(), into: workdir.path("mill.sqlite"))
        load.configuration.keepsReceipts = true
        let failure = try #require(try load.run().failures.first)
        #expect(failure.what.contains("--keep-receipts") && failure.exitStatus == .badData)
    }

    @Test("holds to the key by which a database names devices")
    func pseudonyms() throws {
        var decode = try minted.decode()
        decode.configuration.pseudonyms = Pseudonyms(key: Array(repeating: 7, count: 32))
        let named = try workdir.write(try decode.text(), to: "named.decoded")
        try load([named])
        #expect(throws: MillError.self) { try load(try decodedFiles()) }
        var ingest = try minted.ingest(into: workdir.path("ingest.sqlite"), refreshes: false)
        ingest.configuration.pseudonyms = decode.configuration.pseudonyms
        _ = try ingest.run()
        #expect(
            try Stored(workdir.path("mill.sqlite")).everything()
                == Stored(workdir.path("ingest.sqlite")).everything())
    }
}

@Suite("Loading decoded transaction receipts")
struct LoadTransactionReceiptsTests {
    @Test("verifies those again whose issuer becomes known, as ingest does")
    func improves() throws {
        let (store, workdir) = (try LegacyStore(), try Workdir())
        let receipts = try ["1", "77", "abc"].map { try store.receipt(LegacyStore.purchaseInfo(transaction: $0)) }
        let forged = try store.receipt(
            LegacyStore.purchaseInfo(transaction: "1"), claiming: LegacyStore.purchaseInfo(transaction: "9"))
        let lines = (receipts + [forged]).map { Data($0).base64EncodedString() + "\n" }
        let archive = try workdir.write(lines.joined(), to: "old.jsonl")
        var anchors = TrustAnchors()
        _ = try anchors.insertCertificates(of: store.root)

        var decode = Decode(archives: [archive])
        decode.configuration.anchors = anchors
        let decoded = try decode.objects()
        #expect(
            decoded.map { ($0["receipt"] as? [String: Any])?["verdict"] as? String }
                == ["broken_chain", "broken_chain", "broken_chain", "bad_signature"])
        let octets = decoded.map { ($0["receipt"] as? [String: Any])?["octets"] as? String }
        #expect(octets == receipts.map { Data($0).base64EncodedString() } + [nil])

        let file = try workdir.write(try decode.text(), to: "old.decoded")
        for (round, intermediates) in [[], [try store.intermediate]].enumerated() {
            var load = Load(files: [file], .withoutModels(database: workdir.path("load.sqlite")))
            load.configuration.anchors = anchors
            var ingest = Ingest(archives: [archive], .withoutModels(database: workdir.path("ingest.sqlite")))
            ingest.configuration.anchors = anchors
            for der in intermediates {
                try load.configuration.intermediates.insertCertificates(of: der)
                try ingest.configuration.intermediates.insertCertificates(of: der)
            }
            _ = try load.run()
            _ = try ingest.run()
            let stored = Stored(workdir.path("load.sqlite"))
            #expect(try stored.everything() == Stored(workdir.path("ingest.sqlite")).everything())
            #expect(try stored.lines("SELECT count(*) FROM purchases") == ["\(round * 3)"])
        }
    }
}
