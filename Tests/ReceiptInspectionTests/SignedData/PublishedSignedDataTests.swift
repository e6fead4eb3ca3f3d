internal import Foundation
internal import ReceiptTrust
internal import TestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptInspection

/// What an independent reader found in published strings, with Apple's roots alone as anchors.
@Suite("verify and inspect of published strings", .enabled(if: SignedCorpus.isPresent))
struct PublishedSignedDataTests {
    /// The rules that give a verdict (docs/trust.md).
    private static let rules = [
        "unsupported_algorithm": [1, 3, 9], "broken_chain": [2, 6], "bad_signature": [4], "untrusted_root": [5, 7],
        "wrong_purpose": [8], "not_valid_at_creation": [10],
    ]

    private func compare(_ found: Object, _ expected: SignedCorpus.Expectation, _ name: String) {
        #expect(found["receipt_sha256"] as? String == expected.sha256, "\(name)")
        #expect(found["kind"] as? String == expected.kind, "\(name)")
        #expect(found["verdict"] as? String == expected.verdict, "\(name)")
        #expect(found.objects("steps")[1]["environment"] as? String == expected.environment, "\(name)")
        let broken = found.rules.firstIndex(of: "failed").map { $0 + 1 }
        #expect(found.rules.count == 10)
        if let broken { #expect(Self.rules[expected.verdict]?.contains(broken) == true, "\(name)") }
        #expect((broken == nil) == (expected.verdict == "trusted"), "\(name)")
    }

    @Test("verify finds kind, verdict and environment", arguments: SignedCorpus.names())
    func verify(name: String) throws {
        let expected = try SignedCorpus.expectation(name)
        var run = VerifyRun(inputs: [])
        run.format = .json
        let found = try run.answer(to: try SignedCorpus.text(name))
        guard expected.kind != nil else {
            #expect(found.object("rejection")["reason"] as? String == "unsupported_kind")
            return
        }
        compare(found, expected, name)
        let held = try #require(found.objects("steps").last).objects("holds")
        #expect(Set(held.compactMap { $0["part"] as? String }) == Set(expected.inner.keys))
        for document in held {
            let part = document["part"] as? String ?? ""
            compare(document, try #require(expected.inner[part]), "\(name), \(part)")
        }
        let all = [expected.verdict] + expected.inner.values.map(\.verdict)
        #expect(found["accepted"] as? Bool == all.allSatisfy { $0 == "trusted" })
    }

    /// Fields as the JSON parser of Foundation would have them.
    private func values(_ fields: [Object]) -> NSDictionary {
        NSDictionary(
            dictionary: Dictionary(
                fields.map { field in
                    let nested = field.objects("fields")
                    let value = nested.isEmpty ? field["value"] as? NSObject : values(nested)
                    return (field["name"] as? String ?? "", value ?? NSNull())
                }
            ) { first, _ in first })
    }

    @Test("inspect shows every field, and knows what it means", arguments: SignedCorpus.names())
    func inspect(name: String) throws {
        let expected = try SignedCorpus.expectation(name)
        let (text, isReadable) = try inspected(try SignedCorpus.text(name))
        let found = try object(text)
        #expect(isReadable == (expected.kind != nil))
        #expect(found["sha256"] as? String == expected.sha256)
        #expect(found["kind"] as? String == expected.kind)
        let payload = found.object("payload")
        #expect(payload["readable"] as? Bool == true)
        #expect(values(payload.objects("fields")) == expected.payload as NSDictionary)
        if expected.kind != nil { #expect(payload.objects("fields").allSatisfy { $0["meaning"] is String }) }
        let header = found.object("header").objects("fields")
        let stated = header.first { $0["name"] as? String == "x5c" }?["value"] as? [Any]
        #expect(found.objects("certificates").count == stated?.count ?? 0)
        #expect(found.objects("certificates").allSatisfy { $0["subject"] is String })
        #expect(found.object("signature")["bytes"] as? Int == 64)
        let held = found.objects("holds")
        #expect(held.count == expected.inner.count)
        for document in held {
            let inner = expected.inner.values.first { $0.sha256 == document["sha256"] as? String }
            let wanted = try #require(inner?.payload)
            #expect(values(document.object("payload").objects("fields")) == wanted as NSDictionary)
        }
        #expect(try inspected(try SignedCorpus.text(name), .text).text.split(separator: "\n").count > 10)
    }
}
