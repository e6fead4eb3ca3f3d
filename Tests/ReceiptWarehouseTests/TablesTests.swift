import Foundation
import GRDB
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import MillConfiguration
@testable import MillRun
@testable import MillSystem
@testable import ReceiptVerification
@testable import ReceiptWarehouse

@Suite("Tables in memory")
struct TablesTests {
    @Test("hold purchases that are merged without keeping what would undo one statement", arguments: ["", "claimed_"])
    func mergedColumnsMayBeNull(prefix: String) throws {
        let workdir = try Workdir()
        let columns = try Warehouse(path: workdir.path("x.sqlite")).queue.read { db in
            try db.columns(in: "\(prefix)purchase")
        }
        let merged = columns.filter { Purchases.mergedColumns.contains($0.name) }
        #expect(merged.count == Purchases.mergedColumns.count)
        #expect(merged.allSatisfy { !$0.isNotNull })
    }

    @Test("don't slow down for keys that differ in few bits, chosen to meet in one slot")
    func chosenKeysDoNotMeet() {
        // Sixty thousand keys in one slot would be two thousand million steps.
        let clock = ContinuousClock()
        var window = PurchaseMergeBuffer(columnCount: 1)
        let purchases = clock.measure {
            window.begin(SHA256Digest(bytes: [UInt8](repeating: 1, count: 32))!)
            for key in 0..<60_000 as Range<Int64> {
                let outcome = window.merge(
                    PurchaseMergeBuffer.Key(
                        app: key % 2 << 20, transaction: TransactionIdentifier(code: key << 47 & .max),
                        verdict: .trusted, kind: .appReceipt), asOf: 0)
                if outcome == .latest { window.rows.putNull() }
            }
        }
        #expect(purchases < .seconds(20))
        // Only three bytes differ, wherever they stand.
        for place in [0, 5, 14, 29] {
            var table = DigestTable()
            let digests = clock.measure {
                for number in 0..<60_000 as Range<Int64> {
                    var bytes = [UInt8](repeating: 0, count: 32)
                    for byte in 0..<3 { bytes[place + 2 - byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
                    table.update(SHA256Digest(bytes: bytes)!, to: number)
                }
            }
            #expect(digests < .seconds(20), "\(place)")
            #expect(table.entries.count == 60_000)
        }
    }

    private func code(_ text: String, _ texts: inout TextTable) -> Int64 {
        Array(text.utf8).withUnsafeBufferPointer { TransactionIdentifier($0, texts: &texts).code }
    }

    @Test("hold transaction identifiers as numbers exactly where they read the same again")
    func transactionIdentifiers() {
        var texts = TextTable()
        let numbers: [(String, Int64)] = [
            ("0", 0), ("7", 7), ("10", 10), ("1000000123456789", 1_000_000_123_456_789),
            ("9223372036854775807", .max),
        ]
        for (text, value) in numbers { #expect(code(text, &texts) == value) }
        let others = [
            "", "00", "007", "-1", "+1", " 1", "1 ", "1.0", "1e3", "9223372036854775808", "9999999999999999999",
            "10000000000000000000", "abc", "１",
        ]
        var codes: Set<Int64> = []
        for text in others {
            let code = code(text, &texts)
            #expect(code < 0, "\(text)")
            #expect(texts[Int(~code)] == Array(text.utf8))
            #expect(self.code(text, &texts) == code)
            codes.insert(code)
        }
        #expect(codes.count == others.count)
    }

    @Test("of digests never deny a member")
    func digestFilterHoldsItsMembers() throws {
        let digest = try MessageDigest()
        func sha256(_ number: Int) throws -> SHA256Digest {
            let bytes = Array("receipt \(number)".utf8)
            return try digest.sha256(bytes.span, in: 0..<bytes.count)
        }
        var filter = DigestFilter()
        for number in 0..<5_000 { filter.insert(try sha256(number)) }
        for number in 0..<5_000 { #expect(filter.mayContain(try sha256(number))) }
        let strangers = try (5_000..<10_000).count { filter.mayContain(try sha256($0)) }
        #expect(strangers < 5)
    }
}
