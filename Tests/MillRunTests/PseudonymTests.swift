import Foundation
import GRDB
import MillConfiguration
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import ReceiptVerification
import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

@Suite("Names in the place of identifiers")
struct PseudonymTests {
    private let workdir: Workdir
    private let minted: MintedArchive

    init() throws {
        workdir = try Workdir()
        minted = try Self.shared.get()
    }

    private static let shared = Result { try MintedArchive(count: 300, archives: 2) }
    private static let key = "0123456789abcdef0123456789abcdef"

    private func ingest(_ name: String, key: String? = PseudonymTests.key) throws -> Ingest {
        var ingest = try minted.ingest(into: workdir.path(name))
        ingest.configuration.pseudonyms = try key.map { try Pseudonyms(keyFile: workdir.write($0 + "\n", to: "key")) }
        return ingest
    }

    @Test("are HMAC-SHA256 of the identifier, as openssl computes it")
    func agreesWithOpenSSL() throws {
        func hmac(_ message: [UInt8]) throws -> String {
            try workdir.write(message, to: "message")
            let output = try workdir.openssl("dgst", "-sha256", "-hmac", Self.key, "-hex", "message")
            return String(try #require(output?.split(separator: " ").last).prefix(32))
        }
        let names = try #require(Pseudonyms(key: Array(Self.key.utf8)))
        let account = Array("user-17".utf8)
        #expect(
            try String(decoding: names.name(ofAccount: account), as: UTF8.self)
                == hmac(Array("account\0".utf8) + account))
        let octets: [UInt8] = [0, 0x17, 0xf2, 0xc4, 0xbc, 0xc0]
        let device = try #require(DeviceIdentifier(octets))
        let expected = try hmac(Array("device\0".utf8) + octets)
        for text in ["00:17:f2:c4:bc:c0", "0017.f2c4.bcc0"] {
            let name = try names.name(ofDevice: .device(device), writtenAs: Array(text.utf8))
            #expect(String(decoding: name, as: UTF8.self) == expected)
        }
    }

    @Test("leave every check and count as they are, and no identifier in the file")
    func nothingElseChanges() throws {
        _ = try ingest("named.sqlite").run()
        _ = try ingest("plain.sqlite", key: nil).run()
        let (named, plain) = (Stored(workdir.path("named.sqlite")), Stored(workdir.path("plain.sqlite")))
        let checks =
            "SELECT submission_id, device_check, device_id IS NULL, account_id IS NULL FROM submissions ORDER BY 1"
        #expect(try named.lines(checks) == plain.lines(checks))
        for view in ["receipts", "purchases", "claimed_purchases", "rejections"] {
            #expect(try named.content(of: view) == plain.content(of: view))
        }
        // Accounts that are alike in one are alike in the other.
        let accounts = "SELECT count(DISTINCT account_id) FROM submissions"
        #expect(try named.lines(accounts) == plain.lines(accounts))
        let identifiers = try plain.lines(
            "SELECT device_id FROM submissions WHERE length(device_id) > 8 UNION SELECT account_id FROM submissions WHERE length(account_id) > 5"
        )
        #expect(identifiers.count > 100)
        let file = try Data(workdir.read("named.sqlite"))
        #expect(identifiers.allSatisfy { file.range(of: Data($0.utf8)) == nil })
    }

    @Test("are the same in every run")
    func sameInEveryRun() throws {
        _ = try ingest("one.sqlite").run()
        for archive in minted.archives.reversed() {
            var ingest = try ingest("two.sqlite")
            ingest.archives = [archive]
            _ = try ingest.run()
        }
        #expect(try Stored(workdir.path("one.sqlite")).everything() == Stored(workdir.path("two.sqlite")).everything())
    }

    @Test("by another key, by none, or beside identifiers are refused")
    func oneKeyForADatabase() throws {
        _ = try ingest("named.sqlite").run()
        _ = try ingest("plain.sqlite", key: nil).run()
        for (name, key) in [
            ("named.sqlite", "another key of more than 16"), ("named.sqlite", nil), ("plain.sqlite", Self.key),
        ] {
            let before = try Stored(workdir.path(name)).everything()
            let error = #expect(throws: MillError.self) { try ingest(name, key: key).run() }
            #expect(error?.exitStatus == .configuration)
            #expect(try Stored(workdir.path(name)).everything() == before)
        }
        #expect(throws: MillError.self) { try Pseudonyms(keyFile: workdir.write("short", to: "short")) }
    }
}
