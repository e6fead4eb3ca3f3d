import Foundation
import GRDB
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import TestSupport
import Testing

@testable import DatabaseCare
@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

@Suite("Regrading kept receipts")
struct RegradeTests {
    private let workdir: Workdir
    private let minted: MintedArchive

    init() throws {
        workdir = try Workdir()
        minted = try Self.shared.get()
    }

    private static let shared = Result { try MintedArchive(count: 300, archives: 2) }

    /// Loads under the mint's anchor, or under Apple's, which trusts nothing here.
    private func load(_ name: String, trustingMint: Bool, keeping: Bool) throws {
        var ingest = try minted.ingest(into: workdir.path(name))
        if !trustingMint { ingest.configuration.anchors = .apple }
        ingest.configuration.keepsReceipts = keeping
        _ = try ingest.run()
    }

    private func expectSame(_ name: String, _ other: String) throws {
        let (found, wanted) = (
            try Stored(workdir.path(name)).everything(), try Stored(workdir.path(other)).everything()
        )
        let differences = found.difference(from: wanted)
        #expect(differences.isEmpty, "\(differences.prefix(4))")
    }

    @Test("gives what a load under the new anchors gives, and back, in windows of any size", arguments: [7, 60_000])
    func otherAnchors(windowSize: Int) throws {
        try load("kept.sqlite", trustingMint: false, keeping: true)
        try load("trusted.sqlite", trustingMint: true, keeping: false)
        try load("untrusted.sqlite", trustingMint: false, keeping: false)

        var regrade = Regrade(LoadConfiguration(database: workdir.path("kept.sqlite")))
        regrade.configuration.windowSize = windowSize
        regrade.configuration.anchors = try minted.ingest(into: "").configuration.anchors
        let summary = try regrade.run()
        #expect(summary.changes.keys.contains { $0.former == .untrustedRoot && $0.verdict == .trusted })
        try expectSame("kept.sqlite", "trusted.sqlite")

        regrade.configuration.anchors = .apple
        #expect(try regrade.run().receipts == summary.receipts)
        try expectSame("kept.sqlite", "untrusted.sqlite")
        #expect(try DatabaseCheck(path: workdir.path("kept.sqlite")).run().allSatisfy { $0.count == 0 })
    }

    @Test("is refused where a receipt was not kept, and changes nothing")
    func notKept() throws {
        var ingest = try minted.ingest(into: workdir.path("mill.sqlite"))
        ingest.archives = [minted.archives[0]]
        ingest.configuration.keepsReceipts = true
        _ = try ingest.run()
        ingest.archives = [minted.archives[1]]
        ingest.configuration.keepsReceipts = false
        _ = try ingest.run()
        let before = try Stored(workdir.path("mill.sqlite")).everything()
        let error = #expect(throws: MillError.self) {
            try Regrade(LoadConfiguration(database: workdir.path("mill.sqlite"))).run()
        }
        #expect(error?.exitStatus == .badData)
        #expect(try Stored(workdir.path("mill.sqlite")).everything() == before)
    }

    @Test("is not needed where a check finds the verdicts that are stored")
    func checkedVerdicts() throws {
        try load("mill.sqlite", trustingMint: true, keeping: true)
        var check = DatabaseCheck(path: workdir.path("mill.sqlite"))
        check.anchors = try minted.ingest(into: "").configuration.anchors
        #expect(try check.run().allSatisfy { $0.count == 0 })
        try Warehouse(path: workdir.path("mill.sqlite")).access { db in
            try db.execute(sql: "UPDATE receipt SET verdict = 'trusted' WHERE verdict = 'bad_signature'")
        }
        let finding = try #require(try check.run().first { $0.name == "kept_receipt_verdict_differs" })
        #expect(finding.count > 0 && finding.offences.allSatisfy { $0.hasSuffix(": trusted, now bad_signature") })
    }

    @Test("takes back verdicts that were wrong, which a check finds")
    func wrongVerdicts() throws {
        try load("mill.sqlite", trustingMint: true, keeping: true)
        try load("wanted.sqlite", trustingMint: true, keeping: false)
        let path = workdir.path("mill.sqlite")
        try Warehouse(path: path).access { db in
            try db.execute(
                sql: """
                    UPDATE receipt
                    SET verdict = 'broken_chain', signer_id = NULL,
                        verdict_detail = 'the signer''s certificate is not in the receipt'
                    WHERE receipt_id IN (
                        SELECT receipt_id FROM receipt WHERE verdict = 'trusted' ORDER BY receipt_id LIMIT 5)
                    """)
        }
        var check = DatabaseCheck(path: path)
        func count(_ name: String) throws -> Int? { try check.run().first { $0.name == name }?.count }
        check.anchors = try minted.ingest(into: "").configuration.anchors
        #expect(try count("kept_receipt_verdict_differs") == 5)

        var regrade = Regrade(LoadConfiguration(database: path))
        regrade.configuration.anchors = try #require(check.anchors)
        #expect(
            try regrade.run().changes.map { "\($0.key.former) \($0.key.verdict) \($0.value)" } == [
                "brokenChain trusted 5"
            ])
        #expect(try check.run().allSatisfy { $0.count == 0 })
        try expectSame("mill.sqlite", "wanted.sqlite")
    }

    @Test("of bytes that have changed is refused, and reported by a check")
    func damaged() throws {
        try load("mill.sqlite", trustingMint: true, keeping: true)
        let stored = Stored(workdir.path("mill.sqlite"))
        let before = try stored.everything()
        let text =
            "UPDATE raw_receipt SET deflated = (SELECT deflated FROM raw_receipt WHERE receipt_id = 2) WHERE receipt_id = 1"
        try Warehouse(path: workdir.path("mill.sqlite")).access { try $0.execute(sql: text) }
        let findings = try DatabaseCheck(path: workdir.path("mill.sqlite")).run()
        #expect(findings.filter { $0.count > 0 }.map(\.name) == ["kept_receipt_differs"])
        let error = #expect(throws: MillError.self) {
            try Regrade(LoadConfiguration(database: workdir.path("mill.sqlite"))).run()
        }
        #expect(error?.exitStatus == .badData)
        #expect(try stored.everything() == before)
    }
}
