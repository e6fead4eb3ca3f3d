@testable import DatabaseCare
import Foundation
import MillTestSupport
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

/// A receipt may hold a device hash of any length; that of the store's has twenty bytes.
@Suite("A receipt's lineage")
struct LineageKeysTests {
    private static func line(opaque: [UInt8], hash: [UInt8]) throws -> [UInt8] {
        let receipt = try LegacyStore().container(
            PayloadBytes.payload([
                PayloadBytes.attribute(0, PayloadBytes.text("Production")), PayloadBytes.attribute(4, opaque),
                PayloadBytes.attribute(5, hash),
            ]))
        return Array(#"{"receipt":"\#(Data(receipt).base64EncodedString())"}"#.utf8) + [10]
    }

    @Test("is found by the first six bytes of the hash, by all of a shorter one, and where there is none, not at all")
    func prefixes() throws {
        let workdir = try Workdir()
        let hashes: [[UInt8]] = [Array(1...20), [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5], [9], []]
        var lines = try hashes.flatMap { try Self.line(opaque: [7], hash: $0) }
        lines += try Self.line(opaque: [], hash: [1])
        let archive = try workdir.write(lines, to: "day.jsonl")
        _ = try Ingest(archives: [archive], .withoutModels(database: workdir.path("mill.sqlite"))).run()
        let keys = try Stored(workdir.path("mill.sqlite")).lines(
            "SELECT hex(hash_prefix), receipt_id FROM receipt_lineage ORDER BY receipt_id")
        let findings = try DatabaseCheck(path: workdir.path("mill.sqlite")).run()
        #expect(keys == ["010203040506|1", "010203040506|2", "0102030405|3", "09|4"])
        #expect(!findings.isEmpty && findings.allSatisfy { $0.count == 0 })
    }
}
