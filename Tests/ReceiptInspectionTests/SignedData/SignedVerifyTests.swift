internal import Foundation
internal import ReceiptFormat
internal import ReceiptTrust
internal import TestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptInspection

@Suite("verify of a signed string")
struct SignedVerifyTests {
    private let store: SignedStringStore

    init() throws { store = try SignedStringStore() }

    private func answer(_ file: String, _ change: (inout ReceiptExpectation) -> Void = { _ in }) throws -> Object {
        try store.run { change(&$0.expectation) }.answer(to: file)
    }

    @Test("is in every form read as the same")
    func forms() throws {
        let string = try store.sign()
        let width = 76
        let wrapped = stride(from: 0, to: string.count, by: width).map { start in
            String(string.dropFirst(start).prefix(width))
        }.joined(separator: "\n")
        let expected = try answer(string)
        #expect(expected["accepted"] as? Bool == true)
        #expect(expected["kind"] as? String == "signed_transaction")
        #expect(expected["bytes"] as? Int == string.utf8.count)
        for form in [
            string + "\n", " \t\(string) \r\n\n", wrapped, "\"\(string)\"", "{\"receipt\":\"\(string)\"}",
            "{\"signedPayload\":\"\(string)\"}\n", "{\n  \"jwsRepresentation\":\n  \"\(string)\"\n}",
            "{\"signedTransactions\":[\"\(string)\"],\"hasMore\":false}", "{\"receipt\":\"\\t\(string)\\r\\n\"}",
        ] {
            let found = try answer(form)
            for key in ["accepted", "kind", "receipt_sha256", "verdict"] {
                #expect(found[key] as? NSObject == expected[key] as? NSObject, "\(key) of \(form.prefix(30))")
            }
        }
    }

    @Test("names the rule that it breaks; those before are kept, those behind not reached")
    func rules() throws {
        let strange = try SignedStringStore()
        let unmarked = try store.with(leaf: SignedStringStore.leaf.replacing("1.2.840.113635.100.6.11.1", with: nil))
        let long = try store.with(leaf: SignedStringStore.leaf.with { $0.key = .p384 })
        let weak = try SignedStringStore(intermediate: SignedStringStore.intermediate.with { $0.key = .rsa(1024) })
        let late = SignedStringStore.transaction(signedAt: "1800000000000")
        let cases: [(rule: Int, verdict: Verdict, string: SignedStringParts, anchors: SignedStringStore)] = [
            (1, .unsupportedAlgorithm, store.string().with { $0.algorithm = "\"RS256\"" }, store),
            (2, .brokenChain, store.string().with { $0.certificates = "[]" }, store),
            (3, .unsupportedAlgorithm, long.string(), long),
            (
                4, .badSignature,
                store.string().with { $0.finish = { $0[2] = $0[2].replacing("A", with: "B") + "AA" } }, store
            ),
            (5, .untrustedRoot, store.string().with { $0.chain.removeLast(2) }, store),
            (6, .brokenChain, store.string().with { $0.chain.swapAt(1, 2) }, store),
            (7, .untrustedRoot, store.string(), strange),
            (8, .wrongPurpose, unmarked.string(), unmarked),
            (9, .unsupportedAlgorithm, weak.string(), weak),
            (10, .notValidAtCreation, store.string(late), store),
        ]
        for (rule, verdict, string, anchors) in cases {
            let file = try string.text
            let found = try anchors.run().answer(to: file)
            #expect(found["verdict"] as? String == verdict.rawValue, "rule \(rule): \(found["detail"] ?? "")")
            #expect(found["accepted"] as? Bool == false)
            let standings = (1...10).map { $0 < rule ? "ok" : $0 == rule ? "failed" : "not_reached" }
            #expect(found.rules == standings, "rule \(rule)")
            let text = try anchors.run { $0.format = .text }.answers(to: file).text
            #expect(text.hasPrefix("file: REFUSED\n"))
            let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
            #expect(lines.count { $0.hasPrefix("rule ") } == 10)
            let detail = try #require(found["detail"] as? String)
            #expect(lines.contains { $0.hasPrefix("rule \(rule) ") && $0.contains("FAILED") && $0.hasSuffix(detail) })
            #expect(lines.contains("because       \(verdict.rawValue): \(detail)"))
        }
    }

    @Test("states its main fields")
    func content() throws {
        let more = """
            ,"price":1990,"currency":"USD","storefront":"USA","offerType":1,"offerDiscountType":"FREE_TRIAL",\
            "revocationDate":1729999999000,"revocationReason":0,"revocationPercentage":67932
            """
        let string = try store.sign(SignedStringStore.transaction(more: more))
        let found = try answer(string)
        let step = try #require(found.objects("steps").last)
        #expect(step["step"] as? String == "content")
        let content = step.object("content")
        #expect(content["price_milliunits"] as? Int == 1990)
        #expect(content["signed_at"] as? String == "2024-10-27T03:33:20Z")
        #expect(content["revocation_percentage"] as? Int == 67932)
        let purchase = try #require(step.objects("purchases").first)
        #expect(purchase["transaction_id"] as? String == "2000000123456789")
        #expect(purchase["state"] as? String == "canceled")
        let text = try store.run { $0.format = .text }.answers(to: string).text
        for line in [
            "price         1.99 USD", "offer         1 (introductory offer)", "returned      67.932 %",
            "because of    0 (another reason, such as an accidental purchase)",
        ] {
            #expect(text.contains("    \(line)\n"), "\(line)")
        }
    }

    /// Figures of one subscription with eight seats, five at 9.99 and three at 7.99, in the third of twelve months.
    @Test("states seats, commitments and items")
    func plans() throws {
        let step = try #require(try answer(try store.sign(StoreModels.transaction)).objects("steps").last)
        let content = step.object("content")
        #expect(content["amount_milliunits"] as? Int == 73_920)
        #expect(content["seat_price_tiers"] as? String == #"[{"price":9990,"quantity":5},{"price":7990,"quantity":3}]"#)
        #expect(content["seats_revoked"] as? Int == 1 && content["seat_invitations"] as? String == "APPLE")
        #expect(content["additional_reason"] as? String == "SEAT_ADDITION")
        #expect(content["billing_plan"] as? String == "MONTHLY")
        #expect(content["commitment_period"] as? Int == 3 && content["commitment_periods"] as? Int == 12)
        #expect(content["commitment_price_milliunits"] as? Int == 119_880)
        #expect(content["commitment_expires_date"] as? String == "2025-10-09T08:53:20Z")
        #expect(content["previous_original_transaction_id"] as? String == "12344")
        let item = try #require(content.objects("items").first)
        #expect(item["sku"] as? String == "sku.premium" && item["price_milliunits"] as? Int == 9_990)
        #expect(item["revoked_date"] as? String == "2024-10-27T02:43:20Z")
        let refund = try #require(item.objects("refunds").first)
        #expect(refund["refund_milliunits"] as? Int == 5_000 && refund["refund_type"] as? String == "PRORATED")
        #expect(refund["refund_date"] as? String == "2024-10-27T02:26:40Z")
        #expect(refund["refund_reason"] as? String == "FULFILLMENT_ISSUE")
        let text = try store.run { $0.format = .text }.answers(to: try store.sign(StoreModels.transaction)).text
        for line in [
            "amount        73.92 USD", "commitment    119.88 USD", "of periods    12",
            "item          sku.premium  9.99 USD  revoked 2024-10-27T02:43:20Z",
            "  refunded    5 USD  2024-10-27T02:26:40Z  PRORATED  FULFILLMENT_ISSUE",
        ] {
            #expect(text.contains("    \(line)\n"), "\(line)\n\(text)")
        }
        let renewal = try #require(try answer(try store.sign(StoreModels.renewal)).objects("steps").last)
        #expect(renewal.object("content")["renewal_amount_milliunits"] as? Int == 89_900)
        #expect(renewal.object("content")["commitment_auto_renew_status"] as? Int == 1)
        let summary = try #require(try answer(try store.sign(StoreModels.notifications[1])).objects("steps").last)
        #expect(summary.object("content")["summary_product_id"] as? String == "com.example.product")
        #expect(summary.object("content")["succeeded_count"] as? Int == 5)
    }

    @Test("is held against what was asked")
    func expectations() throws {
        let string = try store.sign()
        func environment(_ name: String) throws -> String {
            try store.sign(SignedStringStore.transaction().replacing("Production", with: name))
        }
        let (sandbox, unknown) = (try environment("Sandbox"), try environment("Staging"))
        let unstated = try store.sign(
            SignedStringStore.transaction().replacing(#""environment":"Production","#, with: ""))
        let app = """
            {"receiptType":"Sandbox","bundleId":"com.example.app","applicationVersion":"7",\
            "receiptCreationDate":\(SignedStringStore.signedAt)}
            """
        let cases: [(string: String, reason: String?, change: (inout ReceiptExpectation) -> Void)] = [
            (string, nil, { $0.bundleID = "com.example.app" }),
            (string, "unexpected_bundle", { $0.bundleID = "com.example.other" }),
            (string, "unexpected_version", { $0.version = "7" }),
            (string, nil, { $0.environment = .production }),
            (string, "unexpected_environment", { $0.environment = .sandbox }),
            (unstated, "unexpected_environment", { $0.environment = .production }),
            (unstated, "unexpected_environment", { $0.environment = .sandbox }),
            (unknown, "unexpected_environment", { $0.environment = .production }),
            (unknown, "unexpected_environment", { $0.environment = .sandbox }),
            (try environment("production"), "unexpected_environment", { $0.environment = .production }),
            (try environment("Xcode"), nil, { $0.environment = .sandbox }),
            (try environment("LocalTesting"), "unexpected_environment", { $0.environment = .production }),
            (unstated, nil, { _ in }),
            (unknown, nil, { _ in }),
            (sandbox, nil, { $0.environment = .sandbox }),
            (sandbox, "unexpected_environment", { $0.environment = .production }),
            (
                try store.sign(app), nil,
                {
                    $0.version = "7"; $0.environment = .sandbox
                }
            ),
            (try store.sign(app), "unexpected_version", { $0.version = "8" }),
        ]
        for (index, (string, reason, change)) in cases.enumerated() {
            let found = try answer(string, change)
            #expect(found["accepted"] as? Bool == (reason == nil), "case \(index)")
            #expect(found["verdict"] as? String == "trusted")
            let reasons = found.objects("steps")[1]["reasons"] as? [String] ?? []
            #expect(reasons.map { String($0.prefix { $0 != ":" }) } == [reason].compactMap { $0 }, "case \(index)")
        }
        let stated = try answer(sandbox).objects("steps")[1]["environment"] as? String
        #expect(stated == "ProductionSandbox")
    }

    @Test("states a bundle by its bytes, by itself and held by a notification")
    func bundleBytes() throws {
        // Equal as texts.
        let (composed, decomposed) = ("com.example.caf\u{e9}", "com.example.cafe\u{301}")
        func transaction(_ bundle: String) throws -> String {
            try store.sign(SignedStringStore.transaction().replacing("com.example.app", with: bundle))
        }
        func notification(holding bundle: String) throws -> String {
            let held = try store.notification(["signedTransactionInfo": transaction(bundle)])
            return try store.sign(held.replacing("com.example.app", with: composed))
        }
        for file in [try transaction(composed), try notification(holding: composed)] {
            #expect(try answer(file) { $0.bundleID = composed }["accepted"] as? Bool == true)
        }
        let other = try answer(transaction(decomposed)) { $0.bundleID = composed }
        #expect(
            other.objects("steps")[1]["reasons"] as? [String] == [
                "unexpected_bundle: the receipt says \(decomposed), not \(composed)"
            ])
        let file = try notification(holding: decomposed)
        #expect(try answer(file) { $0.bundleID = composed }["accepted"] as? Bool == false)
    }

    /// SHA-384 of nonce and identifier, computed with Python's hashlib.
    @Test("is compared with the device verification identifier of the option, else of the line")
    func device() throws {
        let device = "3E2A7A1C-0000-4000-8000-0123456789AB"
        let more = """
            ,"deviceVerificationNonce":"48c8b92d-ce0d-4229-bedf-e61b4f9cfc92",\
            "deviceVerification":"7NxP1Zgj9oAAGCq5KOs+J3DPfkFZndBvmxiF8hZP0cVhG56J0Oxdrh3etQij7ehC"
            """
        let string = try store.sign(SignedStringStore.transaction(more: more))
        func check(_ file: String, _ change: (inout ReceiptExpectation) -> Void = { _ in }) throws -> [String] {
            let found = try answer(file, change)
            return [found["device_check"] as? String ?? "", "\(found["accepted"] as? Bool ?? false)"]
        }
        func line(_ device: String) -> String { "{\"jws\":\"\(string)\",\"device_verification_id\":\"\(device)\"}" }
        #expect(try check(string) == ["no_device_id", "true"])
        #expect(try check(string) { $0.deviceVerificationID = device } == ["match", "true"])
        #expect(try check(line(device)) == ["match", "true"])
        #expect(try check(line("x")) == ["invalid_device_id", "false"])
        #expect(try check(line(UUID().uuidString)) == ["mismatch", "false"])
        #expect(try check(line("x")) { $0.deviceVerificationID = device } == ["match", "true"])
        #expect(try check(store.sign()) { $0.deviceVerificationID = device } == ["no_hash", "false"])
    }

    /// Otherwise a signed string would be accepted where a device was asked for, and the reverse.
    @Test("is refused where a device was named for receipts alone, and the reverse")
    func otherDevice() throws {
        let more = ",\"deviceVerificationNonce\":\"n\",\"deviceVerification\":\"v\""
        let found = try answer(try store.sign(SignedStringStore.transaction(more: more))) { $0.device = .server }
        #expect(found["accepted"] as? Bool == false)
        #expect(found["device_check"] as? String == "no_device_id")
        let legacy = try LegacyStore(version: 3)
        var run = try VerifyRun(of: legacy)
        let receipt = Data(try legacy.appReceipt()).base64EncodedString()
        #expect(try run.answer(to: receipt)["accepted"] as? Bool == true)
        run.expectation.deviceVerificationID = "3E2A7A1C-0000-4000-8000-0123456789AB"
        #expect(try run.answer(to: receipt)["accepted"] as? Bool == false)
    }

    @Test("of no known kind, or malformed, is refused with the reason")
    func unreadable() throws {
        for (payload, reason) in [
            ("{\"a\":1}", "unsupported_kind"), ("{", "malformed_payload"),
            ("{\"transactionId\":7}", "malformed_payload"),
        ] {
            let found = try answer(try store.sign(payload))
            #expect(found["accepted"] as? Bool == false)
            #expect(found.object("rejection")["reason"] as? String == reason, "\(payload)")
        }
        #expect(try answer("e30.e30").object("rejection")["reason"] as? String == "malformed_container")
    }

    @Test("is no receipt that Apple's endpoint would answer")
    func verifyReceipt() throws {
        let run = try store.run { $0.format = .verifyReceipt }
        let (text, outcome) = try run.answers(to: try store.sign())
        let found = try object(text)
        #expect(found["status"] as? Int == 21002)
        #expect((found["note"] as? String)?.contains("signed data") == true)
        #expect(outcome.accepted == 0 && outcome.refused == 1)
    }
}
