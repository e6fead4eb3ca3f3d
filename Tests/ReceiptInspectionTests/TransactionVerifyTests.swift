internal import Foundation
import ReceiptTrust
internal import TestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptInspection

/// `verify` on transaction receipts of a throw-away store.
@Suite struct TransactionVerifyTests {
    private typealias Object = [String: Any]

    private let store: LegacyStore

    init() throws { store = try LegacyStore() }

    private func answer(_ receipt: [UInt8], _ run: VerifyRun) throws -> (object: Object, accepted: Int) {
        var run = run
        run.inputs = [try store.workdir.write(Data(receipt).base64EncodedString(), to: "receipt.b64")]
        var text = ""
        let outcome = try run.run { text += $0 }
        #expect(outcome.accepted + outcome.refused == 1)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object
        return (try #require(object), outcome.accepted)
    }

    private func reasons(_ answer: Object) -> [[String]] {
        (answer["steps"] as? [Object] ?? []).map { $0["reasons"] as? [String] ?? [] }
    }

    @Test("verify takes the three steps", arguments: [UInt8(2), 3])
    func steps(version: UInt8) throws {
        let other = try LegacyStore(version: version)
        var run = try VerifyRun(of: other)
        run.expectation.bundleID = "com.example.app"
        run.expectation.version = "1.2"
        let date = Int64(Date().timeIntervalSince1970) * 1000 + 1000
        let info = LegacyStore.purchaseInfo(transaction: "1000000123", milliseconds: date)
        let found = try answer(try other.receipt(info, environment: "Sandbox"), run)
        #expect(found.accepted == 1)
        #expect(found.object["kind"] as? String == "transaction_receipt")
        #expect(found.object["verdict"] as? String == "trusted")
        #expect(found.object["app_check"] as? String == "expected")
        #expect(found.object["device_check"] as? String == "no_hash")
        let steps = try #require(found.object["steps"] as? [Object])
        #expect(steps.map { $0["passed"] as? Bool } == [true, true, true])
        #expect(steps[0]["certificates_checked_at"] as? String == CivilTime.iso8601(milliseconds: date))
        #expect(steps[1]["environment"] as? String == "Sandbox")
        let purchases = try #require(steps[2]["purchases"] as? [Object])
        #expect(purchases.map { $0["transaction_id"] as? String } == ["1000000123"])
        #expect(purchases.map { $0["product_id"] as? String } == ["com.example.gold"])
    }

    /// The number is signed, the environment is not: stripped or rewritten, it
    /// makes no purchase of the sandbox's one of production's.
    @Test(
        "The environment follows from what is signed",
        arguments: [
            ("1000000046178817", String?.none, "Sandbox", true), ("1000000046178817", "Production", "Sandbox", true),
            ("1000000046178817", "Anything", "Sandbox", true), ("1000000046178817", "Sandbox", "Sandbox", false),
            ("2000000046178817", nil, "Sandbox", true), ("170000029449420", nil, "Production", false),
            ("170000029449420", "Production", "Production", false), ("170000029449420", "Sandbox", "Sandbox", false),
            ("170000029449420", "ProductionVPP", "Production", true),
            ("170000029449420", "Anything", "Production", true),
        ])
    func environment(
        transaction: String, stated: String?, environment: String, isContradicted: Bool
    ) throws {
        let receipt = try store.receipt(LegacyStore.purchaseInfo(transaction: transaction), environment: stated)
        for asked in [StoreEnvironment.production, .sandbox] {
            var run = try VerifyRun(of: store)
            run.expectation.environment = asked
            let found = try answer(receipt, run)
            #expect(found.accepted == (asked.rawValue == environment.lowercased() ? 1 : 0))
            let step = try #require((found.object["steps"] as? [Object])?[1])
            #expect(step["environment"] as? String == environment)
            #expect(step["stated_environment"] as? String == stated)
            #expect(step["is_environment_contradicted"] as? Bool == isContradicted)
            #expect((step["reasons"] as? [String])?.isEmpty == (found.accepted == 1))
        }
        var run = try VerifyRun(of: store)
        run.format = .text
        run.inputs = [try store.workdir.write(receipt, to: "receipt.plist")]
        var text = ""
        #expect(try run.run { text += $0 }.accepted == 1)
        #expect(text.contains("outside its signature, ") == isContradicted)
    }

    @Test("The first transaction's number shows the sandbox too")
    func sandboxByOriginal() throws {
        let info = String(decoding: LegacyStore.purchaseInfo(transaction: "1000000046178817"), as: UTF8.self)
        let renewed = info.replacing(#""transaction-id" = "1000000046178817""#, with: #""transaction-id" = "77""#)
        var run = try VerifyRun(of: store)
        run.expectation.environment = .production
        let found = try answer(try store.receipt(Array(renewed.utf8)), run)
        #expect(found.accepted == 0)
        #expect(reasons(found.object)[1].first?.hasPrefix("unexpected_environment: ") == true)
    }

    @Test("verify names the issuer that is missing")
    func missingIssuer() throws {
        let receipt = try store.receipt(LegacyStore.purchaseInfo(transaction: "1"))
        let found = try answer(receipt, try VerifyRun(of: store, knowsIssuer: false))
        #expect(found.accepted == 0)
        #expect(found.object["verdict"] as? String == "broken_chain")
        #expect(reasons(found.object)[0].first?.contains("--intermediate FILE") == true)
    }

    /// An app receipt before it carries the issuer that it lacks.
    @Test("Each receipt is verified by itself")
    func separately() throws {
        let modern = try LegacyStore(version: 3)
        var run = try VerifyRun(of: modern, knowsIssuer: false)
        let receipts = [try modern.appReceipt(), try modern.receipt(LegacyStore.purchaseInfo(transaction: "1"))]
        let lines = receipts.map { Data($0).base64EncodedString() + "\n" }.joined()
        run.inputs = [try modern.workdir.write(lines, to: "lines")]
        var text = ""
        _ = try run.runBatch { text += $0 }
        let verdicts = try text.split(separator: "\n").map {
            (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? Object)?["verdict"] as? String
        }
        #expect(verdicts == ["trusted", "broken_chain"])
    }

    @Test("verify refuses another bundle, version or device")
    func mismatches() throws {
        let receipt = try store.receipt(LegacyStore.purchaseInfo(transaction: "1"))
        var run = try VerifyRun(of: store)
        run.expectation.bundleID = "com.example.other"
        #expect(reasons(try answer(receipt, run).object)[1].first?.hasPrefix("unexpected_bundle: ") == true)
        run.expectation.bundleID = nil
        run.expectation.version = "1.3"
        #expect(reasons(try answer(receipt, run).object)[1].first?.hasPrefix("unexpected_version: ") == true)
        run.expectation.version = nil
        run.expectation.device = DeviceIdentifier([UInt8](repeating: 7, count: 16))
        let found = try answer(receipt, run)
        #expect(reasons(found.object)[1] == ["no_hash: a transaction receipt holds no hash of a device"])
        #expect(found.accepted == 0)
    }

    @Test("A forged receipt has a bad signature")
    func forged() throws {
        let claimed = LegacyStore.purchaseInfo(transaction: "2")
        let forged = try store.receipt(LegacyStore.purchaseInfo(transaction: "1"), claiming: claimed)
        let found = try answer(forged, try VerifyRun(of: store))
        #expect(found.object["verdict"] as? String == "bad_signature")
        #expect(found.accepted == 0)
    }

    // MARK: As the endpoint

    private func status(_ receipt: [UInt8], _ environment: StoreEnvironment? = nil) throws -> Int? {
        var run = try VerifyRun(of: store)
        run.format = .verifyReceipt
        run.expectation.environment = environment
        let object = try answer(receipt, run).object
        if object["status"] as? Int != 0 { #expect(object.count == 1) }
        return object["status"] as? Int
    }

    @Test("verify answers with the endpoint's status")
    func endpointStatus() throws {
        let info = LegacyStore.purchaseInfo(transaction: "1")
        let production = try store.receipt(info)
        let sandbox = try store.receipt(info, environment: "Sandbox")
        #expect(try status(production) == 0)
        #expect(try status(production, .production) == 0)
        #expect(try status(production, .sandbox) == 21008)
        #expect(try status(sandbox, .sandbox) == 0)
        #expect(try status(sandbox, .production) == 21007)
        #expect(try status(store.receipt(info, claiming: LegacyStore.purchaseInfo(transaction: "2"))) == 21003)
        #expect(try status(Array(#"{ "purchase-info" = "e30="; }"#.utf8)) == 21002)
        #expect(try status(store.receipt(Array("{ bid = a; }".utf8))) == 21002)
    }

    /// Every key of a real receipt, from what an independent reader found in it.
    @Test(
        "verify answers with the receipt's own keys",
        arguments: RealReceipts.names(ofKind: "transaction_receipt"))
    func ownKeys(name: String) throws {
        let wanted = try #require(try RealReceipts.expectation(name)["purchase_info"] as? [String: String])
        // The throw-away signer is valid now, and not when the real purchase was made.
        let now = String(Int64(Date().timeIntervalSince1970) * 1000 + 1000)
        let dated = wanted.merging(["purchase-date-ms": now]) { $1 }
        let info = Array("{\n\(dated.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined())}".utf8)
        var run = try VerifyRun(of: store)
        run.format = .verifyReceipt
        let found = try answer(try store.receipt(info, environment: "Sandbox"), run).object
        let expected = Dictionary(uniqueKeysWithValues: dated.map { ($0.replacing("-", with: "_"), $1) })
        #expect(found as NSDictionary == ["status": 0, "receipt": expected] as NSDictionary)
    }

    @Test("Each key is written once and without escapes")
    func keysOnce() throws {
        let plain = String(decoding: LegacyStore.purchaseInfo(transaction: "1"), as: UTF8.self).dropLast()
        let more = #"app-item-id = ""; app_item_id = 7; note = "a \"b\"\n\U20ac"; nested = { a = b; }; }"#
        var run = try VerifyRun(of: store)
        run.format = .verifyReceipt
        let found = try answer(try store.receipt(Array((plain + more).utf8)), run).object
        let receipt = try #require(found["receipt"] as? [String: String])
        #expect(receipt["app_item_id"] == "")
        #expect(receipt["note"] == "a \"b\"\n€")
        #expect(receipt["nested"] == nil)
        #expect(receipt["bvrs"] == "1.2")
    }

    @Test("Keys are answered in the store's spelling wherever they stand")
    func spelling() throws {
        let info = "{ transaction_id = 2; a_b-c = 3; transaction-id = 1; purchase-date-ms = \(Self.now); a-b-c = 4; }"
        var run = try VerifyRun(of: store)
        run.format = .verifyReceipt
        let found = try answer(try store.receipt(Array(info.utf8)), run).object
        let receipt = try #require(found["receipt"] as? [String: String])
        #expect(receipt == ["transaction_id": "1", "a_b_c": "4", "purchase_date_ms": Self.now])
    }

    private static let now = String(Int64(Date().timeIntervalSince1970) * 1000 + 1000)

    @Test("A receipt's answer in a batch is its answer alone")
    func batch() throws {
        let info = LegacyStore.purchaseInfo(transaction: "1")
        let forged = try store.receipt(info, claiming: info + [0x20])
        let receipts = [try store.receipt(info), forged, Array("{ a = b; }".utf8)]
        let lines = receipts.map { Data($0).base64EncodedString() + "\n" }.joined()
        for format in [AnswerFormat.json, .verifyReceipt] {
            var run = try VerifyRun(of: store)
            run.format = format
            run.expectation.time = 1_700_000_000_000
            run.inputs = [try store.workdir.write(lines, to: "lines.txt")]
            var batch = ""
            let outcome = try run.runBatch { batch += $0 }
            #expect(outcome.accepted == 1)
            for (receipt, line) in zip(receipts, batch.split(separator: "\n")) {
                var alone = try answer(receipt, run).object
                var together = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object)
                alone["source"] = nil
                together["line"] = nil
                #expect(alone as NSDictionary == together as NSDictionary)
            }
        }
    }
}

extension VerifyRun {
    /// Trusts a throw-away store's root alone, and answers in JSON.
    init(of store: LegacyStore, knowsIssuer: Bool = true) throws {
        self.init(inputs: [])
        anchors = TrustAnchors()
        #expect(try anchors.insertCertificates(of: store.root) == 1)
        if knowsIssuer { #expect(try intermediates.insertCertificates(of: store.intermediate) == 1) }
        format = .json
    }
}
