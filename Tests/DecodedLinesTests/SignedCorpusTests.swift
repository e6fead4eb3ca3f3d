import Foundation
import MillTestSupport
import TestSupport
import Testing

@testable import MillRun
@testable import ReceiptWarehouse

@Suite("Published signed strings, decoded with the default trust")
struct SignedCorpusTests {
    /// A folder of `NAME.jws` beside `NAME.expected.json`, next to that of the receipts.
    private static let folder = Corpus.folder?.deletingLastPathComponent().appending(path: "corpus-jws")
    static let names: [String] = {
        let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
        return files.filter { $0.hasSuffix(".jws") }.map { String($0.dropLast(4)) }.sorted()
    }()

    private static func text(_ name: String) throws -> String {
        let folder = try #require(folder)
        return try String(contentsOf: folder.appending(path: "\(name).jws"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func expected(_ name: String) throws -> [String: Any] {
        let folder = try #require(folder)
        let data = try Data(contentsOf: folder.appending(path: "\(name).expected.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("hold what an independent reader found", .enabled(if: !names.isEmpty))
    func strings() throws {
        let workdir = try Workdir()
        let archive = try workdir.write(try Self.names.map { try Self.text($0) + "\n" }.joined(), to: "all.jsonl")
        let lines = try Decode(archives: [archive]).objects()
        #expect(lines.count == Self.names.count)
        var compared = 0
        for (name, line) in zip(Self.names, lines) {
            let expected = try Self.expected(name)
            guard let kind = expected["kind"] as? String else {
                #expect((line["rejection"] as? [String: Any])?["reason"] as? String == "unsupported_kind", "\(name)")
                continue
            }
            let receipt = try #require(line["receipt"] as? [String: Any], "\(name) was rejected")
            let wanted = ["transaction": "signed_transaction", "renewal": "signed_renewal"][kind] ?? kind
            #expect(receipt["kind"] as? String == wanted, "\(name)")
            try compare(line, expected, name)
            let inner = expected["inner"] as? [String: [String: Any]] ?? [:]
            let parts = line["parts"] as? [[String: Any]] ?? []
            #expect(parts.count == inner.count, "\(name)")
            for part in parts {
                let key = ["transaction": "signedTransactionInfo", "renewal": "signedRenewalInfo"][
                    part["part"] as? String ?? ""]
                try compare(part, try #require(inner[key ?? ""]), "\(name), \(key ?? "")")
            }
            compared += 1
        }
        #expect(compared > 20)
    }

    private func compare(_ document: [String: Any], _ expected: [String: Any], _ name: String) throws {
        let receipt = try #require(document["receipt"] as? [String: Any])
        #expect(receipt["sha256"] as? String == expected["sha256"] as? String, "\(name)")
        #expect(receipt["verdict"] as? String == expected["verdict"] as? String, "\(name)")
        let payload = try #require(expected["payload"] as? [String: Any])
        for (object, keys) in Self.keys {
            let found =
                object == "purchases"
                ? (document["purchases"] as? [[String: Any]])?.first : document[object] as? [String: Any]
            guard let found else { continue }
            for (key, field) in keys {
                #expect(Self.stated(found[key]) == Self.wanted(payload[field], key), "\(name), \(object).\(key)")
            }
        }
    }

    private static func stated(_ value: Any?) -> String? { value.map { "\($0)" } }

    /// A payload's value as decoded lines state it.
    private static func wanted(_ value: Any?, _ key: String) -> String? {
        switch value {
        case nil, is NSNull: return nil
        case let number as NSNumber where key.hasSuffix("_ms"):
            // Xcode writes fractions, and the year 1 for what did not happen.
            let milliseconds = number.doubleValue.rounded(.down)
            return milliseconds < 0 ? nil : "\(Int64(milliseconds))"
        case let number as NSNumber: return "\(number.int64Value)"
        case let text as String: return text.isEmpty ? nil : text
        default: return "\(value ?? "")"
        }
    }

    /// Keys of a decoded line's objects, and the fields of payloads that they state.
    private static let keys: [String: [String: String]] = [
        "purchases": [
            "transaction_id": "transactionId", "original_transaction_id": "originalTransactionId",
            "product_id": "productId", "quantity": "quantity", "purchase_date_ms": "purchaseDate",
            "original_purchase_date_ms": "originalPurchaseDate", "expires_date_ms": "expiresDate",
            "cancellation_date_ms": "revocationDate",
        ],
        "terms": [
            "price_milliunits": "price", "currency": "currency", "storefront": "storefront",
            "ownership": "inAppOwnershipType", "offer_type": "offerType", "offer_id": "offerIdentifier",
            "offer_discount_type": "offerDiscountType", "offer_period": "offerPeriod",
            "transaction_reason": "transactionReason", "subscription_group_id": "subscriptionGroupIdentifier",
            "app_account_token": "appAccountToken", "app_transaction_id": "appTransactionId",
            "is_upgraded": "isUpgraded", "revocation_date_ms": "revocationDate",
            "revocation_reason": "revocationReason",
        ],
        "renewal": [
            "original_transaction_id": "originalTransactionId", "product_id": "productId",
            "auto_renew_product_id": "autoRenewProductId", "auto_renew_status": "autoRenewStatus",
            "expiration_intent": "expirationIntent", "is_in_billing_retry": "isInBillingRetryPeriod",
            "grace_period_expires_date_ms": "gracePeriodExpiresDate", "renewal_date_ms": "renewalDate",
            "renewal_price_milliunits": "renewalPrice", "currency": "currency", "offer_type": "offerType",
            "offer_id": "offerIdentifier", "price_increase_status": "priceIncreaseStatus",
            "recent_subscription_start_date_ms": "recentSubscriptionStartDate",
        ],
        "app_transaction": ["original_platform": "originalPlatform", "app_transaction_id": "appTransactionId"],
        "notification": [
            "notification_uuid": "notificationUUID", "notification_type": "notificationType", "subtype": "subtype",
        ],
    ]

    @Test("load into what ingest makes of them, row for row", .enabled(if: !names.isEmpty))
    func loadsLikeIngest() throws {
        let workdir = try Workdir()
        let archive = try workdir.write(try Self.names.map { try Self.text($0) + "\n" }.joined(), to: "all.jsonl")
        _ = try Ingest(archives: [archive], .withoutModels(database: workdir.path("ingest.sqlite"))).run()
        let decoded = try workdir.write(try Decode(archives: [archive]).text(), to: "all.decoded")
        let summary = try Load(files: [decoded], .withoutModels(database: workdir.path("load.sqlite"))).run()
        #expect(summary.failures.isEmpty)
        #expect(
            try Stored(workdir.path("load.sqlite")).tables() == Stored(workdir.path("ingest.sqlite")).tables())
    }
}
