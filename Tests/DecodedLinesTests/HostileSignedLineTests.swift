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

@Suite("Decoded lines that state signed data, and wrongly")
struct HostileSignedLineTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private static func receipt(_ kind: String, _ digit: String, _ purchases: Int = 0) -> String {
        """
        {"sha256":"\(String(repeating: digit, count: 64))","kind":"\(kind)","verdict":"trusted",\
        "environment":"Production","bundle_id":"org.example","receipt_creation_date_ms":1700000000000,\
        "digest_algorithm":"sha256","purchase_count":\(purchases),"bytes":9}
        """
    }

    private static let transaction = """
        "receipt":\(receipt("signed_transaction", "a", 1)),"purchases":[{"transaction_id":"7"}],\
        "terms":{"price_milliunits":990,"currency":"EUR","is_upgraded":0,\
        "revocation_date_ms":1700000000000,"revoked_share":0.5}
        """
    private static let renewal = """
        "receipt":\(receipt("signed_renewal", "b")),"purchases":[],"renewal":{"original_transaction_id":"7"}
        """
    private static let submission = #""submission":{"device_check":"no_hash"}"#

    /// A notification that holds two documents; a transaction; what can't be read.
    private static let line = """
        {"schema":2,\(submission),"receipt":\(receipt("notification", "c")),"purchases":[],\
        "notification":{"notification_type":"DID_RENEW"},"parts":[{"part":"transaction",\(transaction)},\
        {"part":"renewal",\(renewal)}],"documents":[\
        {"document":1,"rejection":{"reason":"malformed_container","detail":"x"}},\
        {"document":2,\(submission),\(transaction)},\
        {"document":3,"rejection":{"reason":"malformed_container","detail":"y"}}]}
        """

    private func load(_ text: String) throws -> (RunSummary, Stored) {
        let name = UUID().uuidString
        let file = try workdir.write(text + "\n", to: "\(name).decoded")
        let database = workdir.path("\(name).sqlite")
        return (try Load(files: [file], .withoutModels(database: database)).run(), Stored(database))
    }

    @Test("load while they are right")
    func whole() throws {
        let (summary, stored) = try load(Self.line)
        #expect(summary.failures.isEmpty && summary.lines == 1 && summary.newReceipts == 3)
        #expect(try stored.lines("SELECT line, document FROM submission ORDER BY 2") == ["1|1", "1|2"])
        #expect(try stored.lines("SELECT line, document, detail FROM rejection ORDER BY 2") == ["1|1|x", "1|3|y"])
        #expect(try stored.lines("SELECT part FROM receipt_part ORDER BY 1") == ["renewal", "transaction"])
        #expect(
            try stored.lines("SELECT price_milliunits, currency, is_upgraded FROM purchase_terms") == ["990|EUR|0"])
        #expect(try stored.lines("SELECT revoked_share FROM revocation") == ["0.5"])
        #expect(try stored.lines("SELECT original_transaction_id, signed_at FROM renewal") == ["7|1700000000000"])
    }

    /// What is changed in the line, by what, and a word of what is said of it.
    static let changes: [(String, String, String)] = [
        (#""document":2"#, #""document":3"#, "gap"),
        (#""document":3"#, #""document":4"#, "gap"),
        (#""document":2"#, #""document":1"#, "gap"),
        (#""document":2,"#, "", "number"),
        (#""document":2"#, #""document":"2""#, "integer"),
        (#""part":"renewal""#, #""part":"transaction""#, "twice"),
        (#""part":"renewal""#, #""part":"seal""#, "word"),
        (#""part":"renewal","#, "", "a part has to have"),
        (#""kind":"notification""#, #""kind":"app_receipt""#, "holds parts"),
        (#""kind":"signed_renewal""#, #""kind":"app_receipt""#, "another kind"),
        (#""notification":{"notification_type":"DID_RENEW"},"#, "", "without what it states"),
        (#"{"notification_type":"DID_RENEW"}"#, "{}", "notification_type"),
        (#"{"original_transaction_id":"7"}"#, "{}", "original_transaction_id"),
        (#""purchases":[{"transaction_id":"7"}],"#, #""purchases":[],"#, "purchase_count"),
        (#""is_upgraded":0"#, #""is_upgraded":2"#, "0 or 1"),
        (#""revoked_share":0.5"#, #""revoked_share":1.5"#, "0 to 1"),
        (#""revocation_date_ms":1700000000000,"#, "", "revocation_date_ms"),
        (#""terms":{"#, #""renewal":{"original_transaction_id":"7"},"terms":{"#, "one of"),
        (#""documents":["#, #""documents":[7,"#, "object"),
        (#"{"document":1,"rejection""#, #"{"document":1,"terms":{},"rejection""#, "rejection"),
        (#""schema":2,"#, #""schema":2,"rejection":{"reason":"invalid_json","detail":"x"},"#, "either"),
    ]

    @Test("are reported, and nothing of the line is loaded", arguments: changes)
    func changed(from: String, to: String, word: String) throws {
        #expect(Self.line.contains(from))
        let (summary, stored) = try load(Self.line.replacing(from, with: to, maxReplacements: 1))
        let failure = try #require(summary.failures.first)
        #expect(failure.exitStatus == .badData && failure.what.contains(word), "\(failure.what)")
        #expect(try summary.lines == 0 && stored.lines("SELECT * FROM receipt").isEmpty)
    }

    @Test("can't number more documents than a line may hold")
    func tooManyDocuments() throws {
        let rejections = (2...1_025).map {
            #"{"document":\#($0),"rejection":{"reason":"malformed_container","detail":"x"}}"#
        }
        func text(_ count: Int) -> String {
            #"{"schema":2,"rejection":{"reason":"malformed_container","detail":"x"},"documents":["#
                + rejections.prefix(count).joined(separator: ",") + "]}"
        }
        #expect(try load(text(1_023)).0.failures.isEmpty)
        #expect(try load(text(1_024)).0.failures.first?.what.contains("out of range") == true)
    }

    @Test("under a key may lack their octets, and may not hold a person's")
    func octets() throws {
        let octets = Data("a.b.c".utf8)
        let digest = "845e30448809e2bc8958eb025bfc795235d13b077a53d0c3abbd2385170dc9b8"
        func text(key: Bool, _ terms: String, whole: Bool) -> String {
            let receipt = Self.receipt("signed_transaction", "a", 1).replacing(
                String(repeating: "a", count: 64), with: digest
            ).replacing(#""bytes":9"#, with: #""bytes":5"#)
            let named = key ? #""pseudonym_key":"\#(String(repeating: "0", count: 64))","# : ""
            let held = whole ? #","octets":"\#(octets.base64EncodedString())"}"# : "}"
            return #"{"schema":2,"submission":{\#(named)"device_check":"no_hash"},"receipt":\#(receipt.dropLast())"#
                + held
                + #","purchases":[{"transaction_id":"7"}],"terms":{\#(terms)}}"#
        }
        let person = #""app_account_token":"x""#
        for (line, isLoaded) in [
            (text(key: true, person, whole: false), true), (text(key: true, "", whole: true), true),
            (text(key: true, person, whole: true), false), (text(key: false, person, whole: true), true),
            (text(key: false, person, whole: false), false),
            (text(key: false, "", whole: true).replacing(octets.base64EncodedString(), with: "AAAA"), false),
        ] {
            let file = try workdir.write(line + "\n", to: "\(UUID().uuidString).decoded")
            var load = Load(files: [file], .withoutModels(database: workdir.path("\(UUID().uuidString).sqlite")))
            load.configuration.keepsReceipts = true
            let summary = try load.run()
            #expect(summary.failures.isEmpty == isLoaded, "\(line) \(summary.failures)")
        }
    }

    @Test("never crash what reads them, whatever is changed in them", arguments: 0..<20)
    func mutations(seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        var parser = try DecodedLineParser(keepsReceipts: false, keepsRejectedLines: true)
        let whole = Array((Self.line + "\n").utf8)
        for _ in 0..<50 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let place = Int.random(in: bytes.indices, using: &numbers)
                switch Int.random(in: 0..<3, using: &numbers) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &numbers)
                case 1: bytes.remove(at: place)
                default: bytes.insert(Array(#"{}[]",:\-0e"#.utf8).randomElement(using: &numbers) ?? 0, at: place)
                }
            }
            let batch = parser.parse(LineBatch(sequence: 0, content: .lines(bytes)), namesArchives: false)
            for run in batch.runs {
                let receipts = Set(run.verified.receipts.map(\.digest))
                #expect(run.verified.parts.allSatisfy { receipts.isSuperset(of: [$0.holder, $0.document]) })
                #expect(
                    run.verified.receipts.allSatisfy { receipt in
                        receipt.kind.isSignedData
                            == (receipt.payload.map { run.verified.signedPayloads.indices.contains($0) } ?? false)
                    })
            }
        }
    }
}
