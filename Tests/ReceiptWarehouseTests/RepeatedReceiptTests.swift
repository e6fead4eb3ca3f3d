import Foundation
import MillTestSupport
import ReceiptTrust
import TestSupport
import Testing

@testable import DatabaseCare
@testable import MillRun
@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification
@testable import ReceiptWarehouse

/// Workers grade batches as they come free; the loader takes them in order. Where
/// a later batch was first to meet a receipt, an earlier one grades it again.
@Suite("A receipt that several batches verified")
struct RepeatedReceiptTests {
    private static func line(_ account: String) throws -> [UInt8] {
        let text = Data(try receipt.get()).base64EncodedString()
        return Array(#"{"receipt":"\#(text)","account_id":"\#(account)"}"#.utf8)
    }

    private static let receipt = Result {
        try LegacyStore().container(
            PayloadBytes.payload([PayloadBytes.attribute(0, PayloadBytes.text("Production"))]))
    }

    /// Windows of one line commit between the batches, windows of ten do not.
    @Test(
        "is stored once, with a submission for each", arguments: [1, 10],
        [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]])
    func isStoredOnce(windowSize: Int, verifyingOrder: [Int]) throws {
        let workdir = try Workdir()
        let database = workdir.path("mill.sqlite")
        let loadDatabase = try Warehouse(path: database)
        let known = KnownReceipts(startedEmpty: try loadDatabase.documents.isEmpty())
        let writer = try WarehouseWriter(loadDatabase, known: known, windowSize: windowSize)
        let loader = ArchiveLoader(writer)
        let verifier = try LineVerifier(
            keys: LineKeys(), limits: Limits(), anchors: .apple, issuers: CertificatePool(),
            known: (known, try StoredReceiptLookup(path: database)))
        var verified: [Int: VerifiedBatch] = [:]
        for sequence in verifyingOrder {
            let text = try Self.line("account \(sequence)")
            verified[sequence] = try verifier.verify(LineBatch(sequence: sequence, content: .lines(text)))
        }
        let digest = SHA256Digest(bytes: Data(repeating: 7, count: 32))
        try loader.begin(ArchiveID(name: "a.jsonl", sha256: #require(digest), bytes: 1))
        for sequence in 0...2 { try loader.load(#require(verified[sequence])) }
        try loader.end(isComplete: true)
        try writer.buildIndices()

        let stored = Stored(database)
        #expect(try stored.lines("SELECT count(*) FROM receipt") == ["1"])
        #expect(
            try stored.lines("SELECT account_id FROM submission JOIN receipt USING (receipt_id)")
                == ["account 0", "account 1", "account 2"])
        let findings = try DatabaseCheck(path: database).run()
        #expect(findings.allSatisfy { $0.count == 0 })
    }

    /// A batch is verified while those before it are; that one of them is not loaded shows later.
    @Test(
        "is stored once where the first of them is passed over, whoever claimed it", arguments: [1, 10],
        [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0]])
    func passedOver(windowSize: Int, verifyingOrder: [Int]) throws {
        let workdir = try Workdir()
        let database = workdir.path("mill.sqlite")
        let loadDatabase = try Warehouse(path: database)
        let known = KnownReceipts(startedEmpty: try loadDatabase.documents.isEmpty())
        let writer = try WarehouseWriter(loadDatabase, known: known, windowSize: windowSize)
        let loader = ArchiveLoader(writer)
        let verifier = try LineVerifier(
            keys: LineKeys(), limits: Limits(), anchors: .apple, issuers: CertificatePool(),
            known: (known, try StoredReceiptLookup(path: database)))
        func verified(_ sequence: Int) throws -> VerifiedBatch {
            let text = try Self.line("account \(sequence)")
            return try verifier.verify(LineBatch(sequence: sequence, content: .lines(text)))
        }
        var batches: [Int: VerifiedBatch] = [:]
        for sequence in verifyingOrder { batches[sequence] = try verified(sequence) }
        let digest = SHA256Digest(bytes: Data(repeating: 7, count: 32))
        try loader.begin(ArchiveID(name: "a.jsonl", sha256: #require(digest), bytes: 1))
        try loader.passOver(#require(batches[0]))
        // One more is verified before the next is loaded, and one after it.
        batches[3] = try verified(3)
        try loader.load(#require(batches[1]))
        batches[4] = try verified(4)
        for sequence in 2...4 { try loader.load(#require(batches[sequence])) }
        try loader.end(isComplete: true)
        try writer.buildIndices()

        let stored = Stored(database)
        #expect(try stored.lines("SELECT count(*) FROM receipt") == ["1"])
        #expect(
            try stored.lines("SELECT account_id FROM submission JOIN receipt USING (receipt_id)")
                == (1...4).map { "account \($0)" })
        #expect(try DatabaseCheck(path: database).run().allSatisfy { $0.count == 0 })
    }

    /// The lines behind those that were rejected are in flight when the archive is given up.
    @Test("of which one is of an archive that is mostly rejected, is loaded with the next archive")
    func mostlyRejected() throws {
        let workdir = try Workdir()
        let minted = try MintedArchive(count: 300, archives: 1)
        let lines = try Gzip.recover([UInt8](Data(contentsOf: URL(filePath: minted.archives[0]))), in: workdir).output
        let garbage = Array(
            String(repeating: "garbage! " + String(repeating: "x", count: 200) + "\n", count: 3_000).utf8)
        var ingest = try minted.ingest(into: workdir.path("mill.sqlite"))
        ingest.configuration.limits.rejections = 100
        ingest.archives = [try workdir.write(garbage + lines, to: "a.jsonl"), try workdir.write(lines, to: "b.jsonl")]
        let summary = try ingest.run()
        #expect(summary.failures.map(\.exitStatus) == [.badData])
        var alone = try minted.ingest(into: workdir.path("alone.sqlite"))
        alone.archives = [ingest.archives[1]]
        _ = try alone.run()
        let receipts = "SELECT hex(sha256), verdict FROM receipt ORDER BY 1"
        #expect(
            try Stored(workdir.path("mill.sqlite")).lines(receipts)
                == Stored(workdir.path("alone.sqlite")).lines(receipts))
        #expect(try DatabaseCheck(path: workdir.path("mill.sqlite")).run().allSatisfy { $0.count == 0 })
    }
}
