import Foundation
import ReceiptFormat
import TestSupport
import Testing

@testable import SignedDataFormat

/// Every member of real payloads, against what an independent reader found.
@Suite("Published payloads")
struct PublishedPayloadTests {
    private static let texts = [
        "transactionId", "originalTransactionId",
        "bundleId", "productId", "type",
        "subscriptionGroupIdentifier", "inAppOwnershipType",
        "storefront", "transactionReason", "currency",
        "offerIdentifier", "offerDiscountType", "offerPeriod",
        "appAccountToken", "appTransactionId",
        "revocationType", "autoRenewProductId",
        "notificationType", "subtype", "notificationUUID",
        "consumptionRequestReason", "applicationVersion",
        "originalApplicationVersion", "originalPlatform",
        "deviceVerification", "deviceVerificationNonce",
        "signedTransactionInfo", "signedRenewalInfo",
        "signedAppTransactionInfo",
    ]
    private static let numbers = [
        "quantity", "price", "offerType",
        "revocationReason",
        "autoRenewStatus", "expirationIntent",
        "priceIncreaseStatus", "renewalPrice", "status",
        "appAppleId", "versionExternalIdentifier",
    ]
    private static let dates = [
        "purchaseDate", "originalPurchaseDate",
        "expiresDate", "revocationDate",
        "gracePeriodExpiresDate", "renewalDate",
        "recentSubscriptionStartDate", "preorderDate",
    ]
    private static let flags = ["isUpgraded", "isInBillingRetryPeriod"]
    /// Members that no column tells of.
    private static let unread: Set<String> = [
        "storefrontId", "version", "requestDate", "eligibleWinBackOfferIds", "bundleVersion",
    ]

    @Test("state what an independent reader found, member for member", .enabled(if: SignedCorpus.isPresent))
    func statesWhatIsExpected() throws {
        var compared: Set<String> = []
        for name in SignedCorpus.names() {
            let expected = try SignedCorpus.expectation(name)
            let text = try SignedCorpus.text(name).split(separator: ".")[1]
            let standard = text.replacing("-", with: "+").replacing("_", with: "/")
            let json = try #require(
                Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)))
            guard expected.kind != nil else {
                #expect(fault(Array(json)) == .kind, "\(name)")
                continue
            }
            let read = try ReadPayload(Array(json))
            #expect(read.payload.kind.rawValue == expected.kind, "\(name)")
            #expect(read.text(.environment) == expected.environment, "\(name)")
            var members = expected.payload
            for subject in ["data", "summary", "externalPurchaseToken", "appData"] {
                if let subject = members.removeValue(forKey: subject) as? [String: Any] {
                    members.merge(subject) { $1 }
                }
            }
            compared.formUnion(compare(read, members, name))
            let stated = Set(members.filter { !($0.value is NSNull) }.keys)
            #expect(stated.subtracting(compared).subtracting(Self.unread).isEmpty, "\(name)")
        }
        #expect(compared.count >= 30, "\(compared.sorted())")
    }

    /// Compares all members that are read, stated or not; the names of those that are stated.
    private func compare(_ read: ReadPayload, _ members: [String: Any], _ name: String) -> Set<String> {
        for key in Self.texts { #expect(read.text(named: key) == members[key] as? String, "\(name), \(key)") }
        for key in Self.numbers {
            #expect(read.payload.number(key) == (members[key] as? NSNumber)?.int64Value, "\(name), \(key)")
        }
        func milliseconds(_ key: String) -> Int64? {
            (members[key] as? NSNumber).map { Int64($0.doubleValue.rounded(.down)) }
        }
        for key in Self.dates {
            #expect(read.payload.number(key) == milliseconds(key).flatMap { $0 < 0 ? nil : $0 }, "\(name), \(key)")
        }
        for key in Self.flags {
            #expect(read.payload.number(key) == (members[key] as? Bool).map { $0 ? 1 : 0 }, "\(name), \(key)")
        }
        let signing = read.payload.kind == .appTransaction ? "receiptCreationDate" : "signedDate"
        #expect(read.payload[.signedDate] == milliseconds(signing), "\(name)")
        #expect(
            read.payload[.webOrderLineItemID] == (members["webOrderLineItemId"] as? String).flatMap(Int64.init),
            "\(name)"
        )
        let share = (members["revocationPercentage"] as? NSNumber).map { $0.doubleValue / 100_000 }
        #expect(
            read.payload.number("revocationPercentage") == share.map { Int64(bitPattern: $0.bitPattern) }, "\(name)")
        let keys =
            Self.texts + Self.numbers + Self.dates + Self.flags
            + ["environment", "receiptType", "signedDate", "receiptCreationDate", "webOrderLineItemId"]
            + ["revocationPercentage"]
        return Set(keys).intersection(members.keys)
    }
}
