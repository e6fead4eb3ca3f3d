import Foundation
import MillSystem
import MillTestSupport
import ReceiptFormat
import ReceiptVerification
import TestSupport
import Testing

@testable import DecodedLines
@testable import MillRun
@testable import ReceiptArchive
@testable import ReceiptWarehouse

@Suite("Decoded lines that are none")
struct HostileDecodedLineTests {
    private let workdir: Workdir
    /// A decoded line with purchases, without its newline, as the only line of its
    /// archive.
    private let line: String

    init() throws {
        workdir = try Workdir()
        line = try Self.shared.get()
    }

    private static let shared = Result {
        let minted = try MintedArchive.shared.get()
        let text = try minted.decode().text()
        let line = try #require(
            text.split(separator: "\n").first {
                $0.contains(#""verdict":"trusted""#) && $0.contains("device_id") && !$0.contains(#""purchases":[]"#)
            })
        return String(line).replacing(/"line":\d+/, with: #""line":1"#)
    }

    private func load(_ text: String) throws -> RunSummary {
        let file = try workdir.write(text, to: "\(UUID().uuidString).decoded")
        return try Load(files: [file], .withoutModels(database: workdir.path("\(UUID().uuidString).sqlite"))).run()
    }

    @Test("is loaded as the version before wrote it")
    func formerSchema() throws {
        let former = line.replacing(#""schema":2"#, with: #""schema":1"#)
        #expect(former != line)
        let summary = try load(former + "\n")
        #expect(summary.failures.isEmpty && summary.lines == 1 && summary.newReceipts == 1)
    }

    @Test("is loaded while it is whole")
    func whole() throws {
        let summary = try load(line + "\n")
        #expect(summary.failures.isEmpty && summary.lines == 1 && summary.newReceipts == 1)
    }

    /// What is changed in a line, by what, and a word of what is said of it.
    static let changes: [(String, String, String)] = [
        (#""schema":2"#, #""schema":3"#, "schema 3"),
        (#""schema":2"#, #""schema":0"#, "schema 0"),
        (#""schema":2,"#, "", "no schema"),
        (#""schema":2"#, #""schema":"2""#, "integer"),
        (#""line":1"#, #""line":0"#, "out of range"),
        (#""line":1"#, #""line":4294967296"#, "out of range"),
        (#""line":1"#, #""line":99999999999999999999"#, "integer"),
        (#""line":1"#, #""line":1.5"#, "integer"),
        (#""line":1,"#, "", "archive and line"),
        (#""verdict":"trusted""#, #""verdict":"fine""#, "word"),
        (#""verdict":"trusted""#, #""verdict":"trusted","verdict":"trusted""#, "twice"),
        (#""verdict":"trusted","#, "", "has to have"),
        (#""purchases":["#, #""purchases":[{},"#, "transaction_id"),
        (#""purchases":["#, #""purchases":[{"transaction_id":"1"},"#, "purchase_count"),
        (#""purchases":"#, #""purchase":"#, "either"),
        (#""submission":"#, #""rejection":{"reason":"invalid_json","detail":"x"},"submission":"#, "either"),
        (#""submission":{"#, #""submission":{"submitted_at_ms":9223372036854775807,"#, "years"),
        (#""opaque_value":""#, #""opaque_value":"0"#, "hexadecimal"),
        (#""undocumented_attributes":["#, #""undocumented_attributes":["6","#, "integer"),
        (#""undocumented_purchase_attributes":["#, #""undocumented_purchase_attributes":[null,"#, "missing"),
        (#""issuers":["#, #""issuers":["AAAA","#, "certificate"),
        (#""sha256":""#, #""sha256":"0"#, "64"),
        (#""kind":"app_receipt""#, #""kind":"signed_renewal""#, "states"),
        (#""purchases":["#, #""terms":{},"purchases":["#, "another kind"),
        (#""purchases":["#, #""parts":[{"part":"renewal"}],"purchases":["#, "a part has to have"),
    ]

    @Test("are reported with file and line, and the lines before them are loaded", arguments: changes)
    func changed(from: String, to: String, word: String) throws {
        let second = line.replacing(#""line":1"#, with: #""line":2"#)
        let from = from.replacing(#""line":1"#, with: #""line":2"#)
        let to = to.replacing(#""line":1.5"#, with: #""line":2.5"#)
        #expect(second.contains(from))
        let broken = second.replacing(from, with: to, maxReplacements: 1)
        let summary = try load(line + "\n" + broken + "\n" + line + "\n")
        let failure = try #require(summary.failures.first)
        #expect(summary.lines == 1 && summary.failures.count == 1)
        #expect(failure.line == 2 && failure.exitStatus == .badData && failure.hint != nil)
        #expect(failure.path?.hasSuffix(".decoded") == true && failure.what.contains(word), "\(failure.what)")
    }

    @Test("are reported where a file is something else", arguments: ["{}", "[]", "PK\u{3}", "", "null", "\u{0}"])
    func otherFiles(text: String) throws {
        let summary = try load(text + "\n")
        #expect(summary.failures.first?.line == 1 && summary.lines == 0)
    }

    @Test("are reported where one of a file names no archive")
    func mixed() throws {
        let bare = line.replacing(/"archive":{[^}]*},"line":1,/, with: "")
        #expect(try load(line + "\n" + bare + "\n").failures.first?.line == 2)
        #expect(try load(bare + "\n" + line + "\n").failures.first?.line == 2)
    }

    @Test("are reported where they are too long, without being held in memory")
    func overlong() throws {
        let file = try workdir.write(line + "\n" + String(repeating: "a", count: 1 << 20) + "\n", to: "long.decoded")
        var load = Load(files: [file], .withoutModels(database: workdir.path("long.sqlite")))
        load.configuration.limits.lineBytes = 100_000
        let failure = try #require(try load.run().failures.first)
        #expect(failure.line == 2 && failure.what.contains("--max-line"))
    }

    @Test("can't claim more purchases than a receipt can hold")
    func tooManyPurchases() throws {
        let many = #""purchases":["# + String(repeating: #"{"transaction_id":"1"},"#, count: 20_000)
        let summary = try load(line.replacing(#""purchases":["#, with: many) + "\n")
        #expect(summary.failures.first?.what.contains("20000 purchases") == true)
    }

    @Test("of transaction receipts have to hold the receipts that they describe")
    func octetsOfAnother() throws {
        let store = try LegacyStore()
        let receipt = try store.receipt(LegacyStore.purchaseInfo(transaction: "5"))
        let archive = try workdir.write(Data(receipt).base64EncodedString() + "\n", to: "old.jsonl")
        let text = try Decode(archives: [archive]).text()
        #expect(try load(text).failures.isEmpty)
        let other = Data("{}".utf8).base64EncodedString()
        for broken in [
            text.replacing(/"octets":"[^"]*"/, with: #""octets":""# + other + #"""#),
            text.replacing(/,"octets":"[^"]*"/, with: ""),
            text.replacing(/"octets":"[^"]*"/, with: #""octets":"*""#),
        ] {
            #expect(try load(broken).failures.first?.what.contains("octets") == true)
        }
    }

    @Test("never crash what reads them, whatever is changed in them", arguments: 0..<40)
    func mutations(seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        var parser = try DecodedLineParser(keepsReceipts: false, keepsRejectedLines: true)
        let whole = Array((line + "\n").utf8)
        for _ in 0..<50 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let place = Int.random(in: bytes.indices, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &numbers)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(Array(#"{}[]",:\-0e"#.utf8).randomElement(using: &numbers) ?? 0, at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let batch = parser.parse(LineBatch(sequence: 0, content: .lines(bytes)), namesArchives: true)
            for run in batch.runs {
                #expect(run.verified.submissions.count + run.verified.rejections.count == run.verified.lineCount)
                #expect(run.verified.receipts.allSatisfy { $0.purchases.upperBound <= run.verified.purchases.count })
                #expect(run.verified.purchases.allSatisfy { $0.transactionIdentifier.end <= run.verified.bytes.count })
            }
        }
    }
}
