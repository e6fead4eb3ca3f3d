import Foundation
import ReceiptTrust
import SignedDataFormat
import TestSupport
import Testing

@testable import ReceiptFormat
@testable import ReceiptVerification

/// What an independent reader found, with Apple's roots alone as anchors.
@Suite("Signed strings that others published")
struct PublishedStringsTests {
    @Test("are at hand where they are required")
    func isPresentWhereRequired() {
        #expect(SignedCorpus.isPresent || !SignedCorpus.isRequired, "no published strings are there")
    }

    /// Compares a receipt with what is expected of it.
    private func compare(
        _ receipt: VerifiedReceipt, in verified: VerifiedBatch, _ expected: SignedCorpus.Expectation, _ name: String
    ) throws {
        func text(_ range: ByteRange?) -> String? {
            range.map { String(decoding: verified.bytes[$0.indices], as: UTF8.self) }
        }
        #expect(receipt.digest.hex == expected.sha256, "\(name)")
        #expect(receipt.kind.rawValue == expected.kind, "\(name)")
        #expect(
            receipt.verification.verdict.rawValue == expected.verdict, "\(name): \(receipt.verification.detail ?? "")")
        #expect(text(receipt.app.environment) == expected.environment, "\(name)")
        let payload = try #require(receipt.payload.map { verified.signedPayloads[$0] })
        for key in ["currency", "storefront", "originalTransactionId", "notificationType", "notificationUUID"] {
            #expect(text(payload.text(key)) == expected.payload[key] as? String, "\(name), \(key)")
        }
        for key in ["price", "autoRenewStatus"] {
            #expect(payload.number(key) == (expected.payload[key] as? NSNumber)?.int64Value, "\(name), \(key)")
        }
        #expect(receipt.purchases.count == (receipt.kind == .signedTransaction ? 1 : 0))
        if let purchase = verified.purchases[receipt.purchases].first {
            #expect(text(purchase.transactionIdentifier) == expected.payload["transactionId"] as? String, "\(name)")
        }
        if receipt.kind == .appTransaction {
            #expect(text(receipt.app.bundleIdentifier) == expected.payload["bundleId"] as? String, "\(name)")
        }
    }

    /// A line with one string, in every form that a line may have.
    private static let forms: [@Sendable (String) -> String] = [
        { $0 }, { "  \($0)\t\r" }, { "\"\($0)\"" }, { "\u{feff}{\"receipt\":\"\($0)\",\"device_id\":\"d\"}" },
        { "{\"signedPayload\":\"\($0)\"}" }, { "{\"jws\":\"\($0.replacing(".", with: #"\u002e"#))\"}" },
        { "{\"signedTransactions\":[\"\($0)\"],\"hasMore\":false}" },
        { "{\"data\":[{\"lastTransactions\":[{\"status\":1,\"signedRenewalInfo\":\"\($0)\"}]}]}" },
        { "{\"notificationHistory\":[{\"signedPayload\":\"\($0)\",\"sendAttempts\":[]}]}" },
        // With the white space at the end of files, which people copy along.
        { #"{"receipt":"\#($0)\n"}"# }, { #"{"signedPayload":"\u000b\t \#($0)\r\n\n"}"# }, { #""\f\#($0) \r\n""# },
        { " \u{b}\u{c}\($0)\u{c}\u{b}\r" },
    ]

    @Test(
        "are of the kind, verdict, environment and content that is expected, however they stand in a line",
        .enabled(if: SignedCorpus.isPresent))
    func areAsExpected() throws {
        let names = SignedCorpus.names()
        #expect(names.count >= 28)
        var counts: [String: Int] = [:]
        for name in names {
            let (text, expected) = (try SignedCorpus.text(name), try SignedCorpus.expectation(name))
            counts[expected.kind ?? "none", default: 0] += 1
            for (number, form) in Self.forms.enumerated() {
                let what = "\(name), form \(number)"
                let verified = try verify(line: form(text), trusting: .apple)
                guard expected.kind != nil else {
                    #expect(verified.outcome == .rejected(.unsupportedKind), "\(what)")
                    #expect(verified.receipts.isEmpty && verified.submissions.isEmpty)
                    continue
                }
                #expect(verified.rejections.isEmpty && verified.submissions.count == 1, "\(what)")
                let receipt = try #require(verified.receipts.first, "\(what)")
                #expect(verified.submissions.first?.receipt == receipt.digest && receipt.bytes == text.utf8.count)
                try compare(receipt, in: verified, expected, what)
                #expect(verified.parts.count == expected.inner.count, "\(what)")
                #expect(verified.receipts.count == 1 + expected.inner.count, "\(what)")
                for part in verified.parts {
                    #expect(part.holder == receipt.digest)
                    let inner = try #require(verified.receipts.first { $0.digest == part.document }, "\(what)")
                    try compare(inner, in: verified, try #require(expected.inner[part.part.rawValue]), what)
                }
            }
        }
        #expect(
            Set(counts.keys) == ["signed_transaction", "signed_renewal", "app_transaction", "notification", "none"])
    }

    @Test("are all read of one batch of lines as each is read alone", .enabled(if: SignedCorpus.isPresent))
    func batch() throws {
        let names = SignedCorpus.names()
        let expected = try names.map { try SignedCorpus.expectation($0) }
        let text = try names.map { try SignedCorpus.text($0) + "\n" }.joined()
        let verified = try verify(lines: Array(text.utf8), trusting: .apple)
        #expect(verified.lineCount == names.count)
        #expect(
            verified.submissions.map { [names[$0.line], $0.receipt.hex] }
                == zip(names, expected).filter { $1.kind != nil }.map { [$0, $1.sha256] })
        #expect(verified.rejections.map { names[$0.line] } == zip(names, expected).filter { $1.kind == nil }.map(\.0))
    }

    @Test(
        "of Xcode are trusted where their certificate is pinned, and nothing else then",
        .enabled(if: SignedCorpus.isPresent))
    func pinnedXcode() throws {
        for name in SignedCorpus.names() where name.hasPrefix("xcode") {
            let text = try SignedCorpus.text(name)
            let header = try #require(Data(base64URL: String(text.prefix { $0 != "." })))
            let json = try #require(try JSONSerialization.jsonObject(with: header) as? [String: Any])
            let certificate = try #require((json["x5c"] as? [String])?.first.flatMap { Data(base64Encoded: $0) })
            let anchors = try TrustAnchors(certificates: Array(certificate))
            #expect(try verify(line: text, trusting: anchors).outcome == .verdict(.trusted), "\(name)")
            for other in SignedCorpus.names() where other.hasPrefix("real-sandbox-transaction") {
                let found = try verify(line: try SignedCorpus.text(other), trusting: anchors)
                #expect(found.outcome == .verdict(.untrustedRoot), "\(other)")
            }
        }
    }
}
