import Foundation
import ReceiptFormat
import TestSupport
import Testing

@testable import SignedDataFormat

/// Every member of real payloads, against what an independent reader found.
@Suite("Published payloads")
struct PublishedPayloadTests {
    private static var texts: [(String, KeyPath<SignedPayload, ByteRange?>)] {
        [
            ("transactionId", \.transactionID), ("originalTransactionId", \.originalTransactionID),
            ("bundleId", \.bundleID), ("productId", \.productID), ("type", \.type),
            ("subscriptionGroupIdentifier", \.subscriptionGroupID), ("inAppOwnershipType", \.ownership),
            ("storefront", \.storefront), ("transactionReason", \.transactionReason), ("currency", \.currency),
            ("offerIdentifier", \.offerID), ("offerDiscountType", \.offerDiscountType), ("offerPeriod", \.offerPeriod),
            ("appAccountToken", \.appAccountToken), ("appTransactionId", \.appTransactionID),
            ("revocationType", \.revocationType), ("autoRenewProductId", \.autoRenewProductID),
            ("notificationType", \.notificationType), ("subtype", \.subtype), ("notificationUUID", \.notificationUUID),
            ("consumptionRequestReason", \.consumptionRequestReason), ("applicationVersion", \.applicationVersion),
            ("originalApplicationVersion", \.originalApplicationVersion), ("originalPlatform", \.originalPlatform),
            ("deviceVerification", \.deviceVerification), ("deviceVerificationNonce", \.deviceVerificationNonce),
            ("signedTransactionInfo", \.signedTransaction), ("signedRenewalInfo", \.signedRenewal),
            ("signedAppTransactionInfo", \.signedAppTransaction),
        ]
    }
    private static var numbers: [(String, KeyPath<SignedPayload, Int64?>)] {
        [
            ("quantity", \.quantity), ("price", \.price), ("offerType", \.offerType),
            ("revocationReason", \.revocationReason), ("revocationPercentage", \.revocationPercentage),
            ("autoRenewStatus", \.autoRenewStatus), ("expirationIntent", \.expirationIntent),
            ("priceIncreaseStatus", \.priceIncreaseStatus), ("renewalPrice", \.renewalPrice), ("status", \.status),
            ("appAppleId", \.appAppleID), ("versionExternalIdentifier", \.versionExternalIdentifier),
        ]
    }
    private static var dates: [(String, KeyPath<SignedPayload, Int64?>)] {
        [
            ("purchaseDate", \.purchaseDate), ("originalPurchaseDate", \.originalPurchaseDate),
            ("expiresDate", \.expiresDate), ("revocationDate", \.revocationDate),
            ("gracePeriodExpiresDate", \.gracePeriodExpiresDate), ("renewalDate", \.renewalDate),
            ("recentSubscriptionStartDate", \.recentSubscriptionStartDate), ("preorderDate", \.preorderDate),
        ]
    }
    private static var flags: [(String, KeyPath<SignedPayload, Bool?>)] {
        [("isUpgraded", \.isUpgraded), ("isInBillingRetryPeriod", \.isInBillingRetry)]
    }
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
            #expect(read.text(\.environment) == expected.environment, "\(name)")
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
        for (key, path) in Self.texts { #expect(read.text(path) == members[key] as? String, "\(name), \(key)") }
        for (key, path) in Self.numbers {
            #expect(read.payload[keyPath: path] == (members[key] as? NSNumber)?.int64Value, "\(name), \(key)")
        }
        func milliseconds(_ key: String) -> Int64? {
            (members[key] as? NSNumber).map { Int64($0.doubleValue.rounded(.down)) }
        }
        for (key, path) in Self.dates {
            #expect(read.payload[keyPath: path] == milliseconds(key).flatMap { $0 < 0 ? nil : $0 }, "\(name), \(key)")
        }
        for (key, path) in Self.flags {
            #expect(read.payload[keyPath: path] == members[key] as? Bool, "\(name), \(key)")
        }
        let signing = read.payload.kind == .appTransaction ? "receiptCreationDate" : "signedDate"
        #expect(read.payload.signedDate == milliseconds(signing), "\(name)")
        #expect(
            read.payload.webOrderLineItemID == (members["webOrderLineItemId"] as? String).flatMap(Int64.init), "\(name)"
        )
        let keys =
            Self.texts.map(\.0) + Self.numbers.map(\.0) + Self.dates.map(\.0) + Self.flags.map(\.0)
            + ["environment", "receiptType", "signedDate", "receiptCreationDate", "webOrderLineItemId"]
        return Set(keys).intersection(members.keys)
    }
}
