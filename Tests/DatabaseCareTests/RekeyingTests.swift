import DatabaseCare
import Foundation
import MillConfiguration
import MillTestSupport
import ReceiptTrust
import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem

@Suite("Names under a further key")
struct RekeyingTests {
    private let workdir: Workdir
    private let former, keys: Pseudonyms

    init() throws {
        workdir = try Workdir()
        former = try Pseudonyms(keyFile: workdir.write(Self.first + "\n", to: "key"))
        keys = try Pseudonyms(keyFile: workdir.write("\(Self.first)\n---\n\(Self.second)\n", to: "keys"))
    }

    private static let (first, second) = ("0123456789abcdef0123456789abcdef", "fedcba9876543210")
    private static let minted = Result { try [MintedArchive(count: 200), MintedArchive(signedLines: 300)] }

    private func load(_ archives: [Int], of kind: Int, under keys: Pseudonyms, into name: String) throws {
        let minted = try Self.minted.get()[kind]
        var ingest = try minted.ingest(into: workdir.path(name))
        ingest.archives = archives.map { minted.archives[$0] }
        ingest.configuration.pseudonyms = keys
        _ = try ingest.run()
    }

    private func hmac(_ message: [UInt8], _ key: String) throws -> String {
        try workdir.write(message, to: "message")
        let output = try workdir.openssl("dgst", "-sha256", "-hmac", key, "-hex", "message")
        return String(try #require(output?.split(separator: " ").last).prefix(32))
    }

    @Test("are HMACs of the former names, as openssl computes them")
    func agreesWithOpenSSL() throws {
        let account = Array("user-17".utf8)
        let formerName = try hmac(Array("account\0".utf8) + account, Self.first)
        let name = try hmac(Array("name\0\(formerName)".utf8), Self.second)
        #expect(try String(decoding: former.name(ofAccount: account), as: UTF8.self) == formerName)
        #expect(try String(decoding: keys.name(ofAccount: account), as: UTF8.self) == name)
        #expect(try String(decoding: keys.renamed(Array(formerName.utf8), from: former), as: UTF8.self) == name)
    }

    @Test("are those of a load under all keys, also of lines that are loaded later", arguments: [0, 1])
    func equalsLoad(kind: Int) throws {
        try load([0], of: kind, under: former, into: "mill.sqlite")
        let summary = try Rekeying(workdir.path("mill.sqlite"), from: former, to: keys).run()
        #expect(summary.names > 50 && summary.forgottenErasures == 0)
        try load([1], of: kind, under: keys, into: "mill.sqlite")
        try load([0, 1], of: kind, under: keys, into: "fresh.sqlite")
        let (found, wanted) = (Stored(workdir.path("mill.sqlite")), Stored(workdir.path("fresh.sqlite")))
        let difference = try (found.everything() + found.tables()).difference(
            from: wanted.everything() + wanted.tables())
        #expect(difference.isEmpty, "\(difference.prefix(4))")
    }

    @Test("leave none of the former ones in the file, and the former key is refused")
    func nothingLeft() throws {
        try load([0], of: 0, under: former, into: "mill.sqlite")
        let names = try Stored(workdir.path("mill.sqlite")).lines(
            "SELECT account_id FROM submission WHERE account_id IS NOT NULL UNION "
                + "SELECT device_id FROM submission WHERE device_id IS NOT NULL")
        _ = try Rekeying(workdir.path("mill.sqlite"), from: former, to: keys).run()
        let bytes = Data(try workdir.read("mill.sqlite"))
        #expect(names.count > 50 && names.allSatisfy { bytes.range(of: Data($0.utf8)) == nil })
        let error = #expect(throws: MillError.self) { try load([1], of: 0, under: former, into: "mill.sqlite") }
        #expect(error?.exitStatus == .configuration)
    }

    @Test("need keys that begin with the former ones, and the database's own")
    func refused() throws {
        try load([0], of: 0, under: former, into: "mill.sqlite")
        let other = try #require(Pseudonyms(key: Array(Self.second.utf8)))
        for (from, to, status) in [
            (former, other, ExitStatus.usage), (former, former, .usage), (keys, former, .usage),
            (other, try #require(other.followed(by: Array(Self.first.utf8))), .configuration),
        ] {
            let error = #expect(throws: MillError.self) {
                try Rekeying(workdir.path("mill.sqlite"), from: from, to: to).run()
            }
            #expect(error?.exitStatus == status)
        }
    }

    @Test(
        "are not made under a short key of the file",
        arguments: ["---\nfedcba9876543210\n", "short\n---\nfedcba9876543210"])
    func shortKey(text: String) throws {
        let path = try workdir.write(text, to: "short")
        let error = #expect(throws: MillError.self) { try Pseudonyms(keyFile: path) }
        #expect(error?.exitStatus == .configuration)
    }
}
