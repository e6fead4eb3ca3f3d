import Foundation
import ReceiptTrust
import TestSupport
import Testing

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
        let loadDatabase = try LoadDatabase(path: database)
        let known = KnownReceipts(startedEmpty: try loadDatabase.isEmpty())
        let loader = try Loader(loadDatabase, known: known, windowSize: windowSize)
        let verifier = try LineVerifier(
            keys: LineKeys(), limits: Limits(), anchors: .apple, issuers: IssuerCertificates(),
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
        try loader.finish(anchors: .apple)

        let stored = Stored(database)
        #expect(try stored.lines("SELECT count(*) FROM receipt") == ["1"])
        #expect(
            try stored.lines("SELECT account_id FROM submission JOIN receipt USING (receipt_id)")
                == ["account 0", "account 1", "account 2"])
        let findings = try DatabaseCheck(path: database).run()
        #expect(findings.allSatisfy { $0.count == 0 })
    }
}
