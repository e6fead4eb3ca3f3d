internal import Foundation
import ReceiptTrust
internal import Testing

@testable import ReceiptInspection

/// The endpoint's answer on real receipts, key by key, from values that an
/// independent reader found and dates that Foundation formats.
@Suite
struct VerifyReceiptAnswerTests {
    private typealias Object = [String: Any]

    private func answer(_ name: String, environment: StoreEnvironment? = nil) throws -> Object {
        var run = VerifyRun(inputs: [RealReceipts.path(name)])
        run.format = .verifyReceipt
        run.expectation.environment = environment
        var text = ""
        _ = try run.run { text += $0 }
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
    }

    @Test("Answers have the types and keys of Apple's endpoint", arguments: RealReceipts.names(ofKind: "app_receipt"))
    func typesAndKeys(name: String) throws {
        let expected = try RealReceipts.expectation(name)
        let found = try answer(name)
        guard expected["verdict"] as? String == "trusted" else {
            #expect(found as NSDictionary == ["status": 21003] as NSDictionary)
            return
        }
        let receipt = try #require(expected["receipt"] as? Object)
        var wanted: Object = [:]
        wanted["receipt_type"] = present(receipt["environment"])
        wanted["adam_id"] = present(receipt["app_item_id"])
        wanted["app_item_id"] = present(receipt["app_item_id"])
        wanted["bundle_id"] = present(receipt["bundle_id"])
        wanted["application_version"] = present(receipt["app_version"])
        wanted["download_id"] = receipt["download_id"] ?? NSNull()
        wanted["version_external_identifier"] = present(receipt["version_external_identifier"])
        wanted["original_application_version"] = present(receipt["original_application_version"])
        for key in ["receipt_creation_date", "original_purchase_date", "expiration_date"] {
            wanted.merge(try dates(key, receipt[key])) { $1 }
        }
        var answered = try #require(found["receipt"] as? Object)
        let purchases = try #require(answered.removeValue(forKey: "in_app") as? [Object])
        #expect(withoutFractions(answered) as NSDictionary == wanted as NSDictionary)
        let isSandbox = (receipt["environment"] as? String)?.hasSuffix("Sandbox")
        #expect(found["environment"] as? String == isSandbox.map { $0 ? "Sandbox" : "Production" })
        #expect(found["status"] as? Int == 0)

        let expectedPurchases = try #require(receipt["purchases"] as? [Object])
        #expect(purchases.count == expectedPurchases.count)
        for expected in expectedPurchases {
            let identifier = expected["transaction_id"] as? String
            var purchase = try #require(purchases.first { $0["transaction_id"] as? String == identifier })
            // The other reader does not tell these.
            purchase["cancellation_reason"] = nil
            purchase["promotional_offer_id"] = nil
            #expect(withoutFractions(purchase) as NSDictionary == (try inApp(expected)) as NSDictionary)
        }
    }

    private func inApp(_ expected: Object) throws -> Object {
        var wanted: Object = [:]
        for key in ["product_id", "transaction_id", "original_transaction_id"] { wanted[key] = present(expected[key]) }
        for key in ["purchase_date", "original_purchase_date", "expires_date", "cancellation_date"] {
            wanted.merge(try dates(key, expected[key])) { $1 }
        }
        wanted["quantity"] = (expected["quantity"] as? Int).map(String.init)
        if let item = expected["web_order_line_item_id"] as? Int, item != 0 {
            wanted["web_order_line_item_id"] = String(item)
        }
        for key in ["is_trial_period", "is_in_intro_offer_period"] {
            wanted[key] = (expected[key] as? Int).map { $0 == 0 ? "false" : "true" }
        }
        return wanted
    }

    private func present(_ value: Any?) -> Any? { value is NSNull ? nil : value }

    /// A date's three keys; none where there is no date.
    private func dates(_ key: String, _ value: Any?) throws -> Object {
        guard let text = value as? String else { return [:] }
        let reader = ISO8601DateFormatter()
        let date = try #require(reader.date(from: text.prefix(19) + "Z"))
        func formatted(_ zone: String) -> String {
            let writer = DateFormatter()
            writer.locale = Locale(identifier: "en_US_POSIX")
            writer.timeZone = TimeZone(identifier: zone)
            writer.dateFormat = "yyyy-MM-dd HH:mm:ss"
            return writer.string(from: date)
        }
        return [
            key: formatted("GMT") + " Etc/GMT", "\(key)_ms": String(Int64(date.timeIntervalSince1970) * 1000),
            "\(key)_pst": formatted("America/Los_Angeles") + " America/Los_Angeles",
        ]
    }

    /// Milliseconds cut to seconds, as the expectations have them.
    private func withoutFractions(_ object: Object) -> Object {
        var object = object
        for (key, value) in object where key.hasSuffix("_ms") {
            object[key] = (value as? String).flatMap(Int64.init).map { String($0 / 1000 * 1000) }
        }
        return object
    }

    @Test("The status names the environment that a receipt belongs to")
    func wrongEnvironment() throws {
        let names = RealReceipts.names(ofKind: "app_receipt")
        let sandbox = try #require(names.first { $0.hasPrefix("sandbox-mindnode") })
        let production = try #require(names.first { $0.hasPrefix("prod-mindnode") })
        let untrusted = try #require(names.first { $0.hasPrefix("xcode") })
        #expect(try answer(sandbox, environment: .production) as NSDictionary == ["status": 21007] as NSDictionary)
        #expect(try answer(production, environment: .sandbox) as NSDictionary == ["status": 21008] as NSDictionary)
        #expect(try answer(sandbox, environment: .sandbox)["status"] as? Int == 0)
        #expect(try answer(production, environment: .production)["status"] as? Int == 0)
        #expect(try answer(untrusted, environment: .production)["status"] as? Int == 21003)
    }

    @Test("The answer for a malformed receipt is a status alone", arguments: RealReceipts.names(ofKind: "malformed"))
    func malformed(name: String) throws {
        #expect(try answer(name) as NSDictionary == ["status": 21002] as NSDictionary)
    }

    @Test("Verdict and device check are the expected ones", arguments: RealReceipts.names(ofKind: "app_receipt"))
    func expected(name: String) throws {
        let expected = try RealReceipts.expectation(name)
        var run = VerifyRun(inputs: [RealReceipts.path(name)])
        run.format = .json
        if let hex = expected["device_id_hex"] as? String {
            run.expectation.device = DeviceIdentifier([UInt8](try #require(Data(hexadecimal: hex))))
        }
        var text = ""
        let outcome = try run.run { text += $0 }
        let found = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
        #expect(found["verdict"] as? String == expected["verdict"] as? String)
        if let check = expected["device_check"] as? String { #expect(found["device_check"] as? String == check) }
        #expect((outcome.refused == 0) == (expected["verdict"] as? String == "trusted"))
    }
}
