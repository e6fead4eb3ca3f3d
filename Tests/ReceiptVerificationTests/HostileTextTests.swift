import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification

/// Texts of documents that take a careless reader the square of their length.
@Suite("A line with a text of combining characters")
struct HostileTextTests {
    private static let length = 700_000

    private let store: SignedStringStore

    init() throws { store = try SignedStringStore() }

    /// The outcome of a line, within a time that its length deserves.
    private func outcome(_ line: String, _ what: String) throws -> (Outcome?, String) {
        var verified: VerifiedBatch?
        let time = try HostileText.processorTime { verified = try verify(line: line, trusting: store.anchors) }
        // A debug build takes a tenth of it; by canonical equivalence it is a minute or more.
        #expect(time < 2, "\(what): \(time) s")
        let found = try #require(verified)
        return (found.outcome, found.detail)
    }

    private static func receipt(_ attributes: [[UInt8]]) throws -> String {
        Data(try LegacyStore().container(PayloadBytes.payload(attributes))).base64EncodedString()
    }

    @Test("as alg is rejected, as it is where one is longer than any algorithm's name")
    func algorithm() throws {
        func outcome(_ name: String) throws -> (Outcome?, String) {
            try self.outcome(store.string().with { $0.algorithm = "\"\(name)\"" }.text, "alg")
        }
        let (hostile, detail) = try outcome(HostileText.combining(bytes: Self.length))
        #expect(hostile == .rejected(.malformedContainer))
        #expect(detail.contains("an alg of 700000 bytes, where 64 are allowed"), "\(detail)")
        #expect(try outcome(String(repeating: "x", count: 65)).0 == .rejected(.malformedContainer))
        #expect(try outcome(String(repeating: "x", count: 64)).0 == .verdict(.unsupportedAlgorithm))
        #expect(try outcome("ES256\u{301}").0 == .verdict(.unsupportedAlgorithm))
    }

    @Test("under another key of the header or payload is taken as it is")
    func otherKeys() throws {
        let text = HostileText.combining(bytes: Self.length / 4)
        let string = try store.string(SignedStringStore.transaction(more: ",\"offerIdentifier\":\"\(text)\"")).with {
            $0.more = ",\"\(text)\":\"\(text)\""
        }
        #expect(try outcome(string.text, "other keys").0 == .verdict(.trusted))
    }

    @Test(
        "as environment, bundle identifier or version of an app receipt is rejected, and 255 bytes are not",
        arguments: [0, 2, 3, 19])
    func appReceipt(type: Int) throws {
        func outcome(_ text: String) throws -> (Outcome?, String) {
            let receipt = try Self.receipt([PayloadBytes.attribute(type, PayloadBytes.text(text))])
            return try self.outcome("{\"receipt\":\"\(receipt)\"}", "attribute \(type)")
        }
        let (hostile, detail) = try outcome(HostileText.combining(bytes: Self.length))
        #expect(hostile == .rejected(.malformedPayload))
        #expect(detail.contains("of 700000 bytes, where 255 are allowed"), "\(detail)")
        #expect(try outcome(String(repeating: "1", count: 256)).0 == .rejected(.malformedPayload))
        #expect(try outcome(String(repeating: "1", count: 255)).0 == .verdict(.untrustedRoot))
    }

    @Test("as bundle identifier or version of a transaction receipt is rejected", arguments: ["bid", "bvrs"])
    func transactionReceipt(key: String) throws {
        let legacy = try LegacyStore()
        func outcome(_ text: String) throws -> (Outcome?, String) {
            let info = "{\"transaction-id\" = \"1\"; \"\(key)\" = \"\(text)\";}"
            let receipt = try legacy.receipt(Array(info.utf8))
            return try self.outcome("{\"receipt\":\"\(Data(receipt).base64EncodedString())\"}", key)
        }
        #expect(try outcome(HostileText.combining(bytes: 20_000)).0 == .rejected(.malformedPayload))
        #expect(try outcome(String(repeating: "1", count: 256)).0 == .rejected(.malformedPayload))
        #expect(try outcome(String(repeating: "1", count: 255)).0 == .verdict(.brokenChain))
    }

    @Test(
        "as environment, bundle identifier or version of signed data is rejected",
        arguments: ["receiptType", "bundleId", "applicationVersion", "originalApplicationVersion"])
    func signedData(key: String) throws {
        func outcome(_ text: String) throws -> (Outcome?, String) {
            let other = key == "receiptType" ? "" : "\"receiptType\":\"Production\","
            let payload = "{\(other)\"receiptCreationDate\":\(SignedStringStore.signedAt),\"\(key)\":\"\(text)\"}"
            return try self.outcome(store.sign(payload), key)
        }
        let (hostile, detail) = try outcome(HostileText.combining(bytes: Self.length / 2))
        #expect(hostile == .rejected(.malformedPayload))
        #expect(detail.contains("where 255 are allowed"), "\(detail)")
        #expect(try outcome(String(repeating: "1", count: 256)).0 == .rejected(.malformedPayload))
        #expect(try outcome(String(repeating: "1", count: 255)).0 == .verdict(.trusted))
    }

    @Test("has a version key in no time, should a database hold one")
    func versionKey() {
        for text in ["1.2", "", "\u{e9}."] {
            let version = DocumentText(text + HostileText.combining(bytes: 2 << 20))
            var key: DocumentText = ""
            let time = HostileText.processorTime { key = VersionKey.key(version) }
            #expect(time < 4, "\(time) s")
            #expect(key.utf8.count >= 2 << 20)
        }
    }
}
