internal import MillSystem
internal import ReceiptFormat
internal import SignedDataFormat

extension SignedPayload {
    /// Writes the payload's main fields.
    func write(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.section("content", nil) { report in
            report.field("signed_at", as: "signed at", date: self[.signedDate])
            for field in ContentField.fields(of: kind) { field.write(self, to: &report, bytes) }
        }
    }
}

/// A field that the report on a signed document shows.
private struct ContentField {
    private let field: SignedField?
    /// The member's key in JSON, which is the name of the column in views.
    private let key: StaticString
    /// The label in text; nil for a field that only JSON has.
    private let label: String?

    private init(_ name: String, _ key: StaticString, _ label: String?) {
        (field, self.key, self.label) = (SignedField.named(name), key, label)
    }

    func write(_ payload: SignedPayload, to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        switch field?.slot {
        case .text(let slot)?:
            let text = bytes.text(payload[text: slot])
            if let label { report.field(key, as: label, text) } else { report.member(key, text) }
        case .number(let slot)?: write(payload[number: slot], of: payload, to: &report, bytes)
        case nil: break
        }
    }

    private func write(
        _ number: Int64?, of payload: SignedPayload, to report: inout ReportWriter, _ bytes: Span<UInt8>
    ) {
        let words = field?.words ?? [:]
        switch field?.type {
        case .date: report.field(key, as: label ?? "", date: number)
        case .flag: report.field(key, as: label, number.map { $0 == 1 }) { words[$0 ? 1 : 0] }
        case .share:
            let share = number.map { Double(bitPattern: UInt64(bitPattern: $0)) * 100_000 }
            report.field(key, as: label, share.flatMap { Int64(exactly: $0.rounded()) }, shown: SignedWords.share)
        case .amount:
            let currency = bytes.text(payload.text("currency"))?.string
            report.field(key, as: label, number) { SignedWords.amount(ofMilliunits: $0, currency: currency) }
        default:
            report.field(key, as: label, number) { number in words[number].map { "\(number) (\($0))" } ?? number.shown }
        }
    }

    static func fields(of kind: ReceiptKind) -> [ContentField] {
        switch kind {
        case .signedRenewal: renewal
        case .appTransaction: appTransaction
        case .notification: notification
        case .realtimeRequest: realtimeRequest
        case .signedTransaction, .appReceipt, .transactionReceipt: transaction
        }
    }

    private static let offer: [ContentField] = [
        .init("offerType", "offer_type", "offer"),
        .init("offerIdentifier", "offer_id", "offer id"),
    ]

    private static let persons: [ContentField] = [
        .init("appAccountToken", "app_account_token", "token"),
        .init("appTransactionId", "app_transaction_id", "app transaction"),
    ]

    private static let transaction: [ContentField] =
        [
            .init("type", "product_type", "type"),
            .init("price", "price_milliunits", "price"),
            .init("currency", "currency", nil),
            .init("storefront", "storefront", "storefront"),
            .init("inAppOwnershipType", "ownership", "ownership"),
        ] + offer + [
            .init("offerDiscountType", "offer_discount_type", "discount"),
            .init("offerPeriod", "offer_period", "offer period"),
            .init("transactionReason", "transaction_reason", "reason"),
            .init("isUpgraded", "is_upgraded", "upgraded"),
            .init("revocationDate", "revocation_date", "revoked"),
            .init("revocationReason", "revocation_reason", "because of"),
            .init("revocationType", "revocation_type", "revocation"),
            .init("revocationPercentage", "revocation_percentage", "returned"),
            .init("subscriptionGroupIdentifier", "subscription_group_id", "group"),
        ] + persons

    private static let renewal: [ContentField] =
        [
            .init("originalTransactionId", "original_transaction_id", "subscription"),
            .init("productId", "product_id", "product"),
            .init("autoRenewProductId", "auto_renew_product_id", "renews to"),
            .init("autoRenewStatus", "auto_renew_status", "auto-renewal"),
            .init("expirationIntent", "expiration_intent", "ended by"),
            .init("isInBillingRetryPeriod", "is_in_billing_retry", "billing retry"),
            .init("gracePeriodExpiresDate", "grace_period_expires_date", "grace until"),
            .init("renewalDate", "renewal_date", "renewal"),
            .init("renewalPrice", "renewal_price_milliunits", "price"),
            .init("currency", "currency", nil),
        ] + offer + [
            .init("priceIncreaseStatus", "price_increase_status", "price increase"),
            .init("recentSubscriptionStartDate", "recent_subscription_start_date", "since"),
        ] + persons

    private static let appTransaction: [ContentField] = [
        .init("appAppleId", "app_apple_id", "app apple id"),
        .init("originalApplicationVersion", "original_app_version", "bought version"),
        .init("originalPlatform", "original_platform", "bought on"),
        .init("originalPurchaseDate", "original_purchase_date", "bought at"),
        .init("preorderDate", "preorder_date", "preordered"),
        .init("appTransactionId", "app_transaction_id", "app transaction"),
    ]

    private static let notification: [ContentField] = [
        .init("notificationType", "notification_type", "type"),
        .init("subtype", "subtype", "subtype"),
        .init("notificationUUID", "notification_uuid", "uuid"),
        .init("appAppleId", "app_apple_id", "app apple id"),
        .init("status", "status", "status"),
        .init("consumptionRequestReason", "consumption_request_reason", "request"),
    ]

    private static let realtimeRequest: [ContentField] = [
        .init("originalTransactionId", "original_transaction_id", "subscription"),
        .init("productId", "product_id", "product"),
        .init("appAppleId", "app_apple_id", "app apple id"),
        .init("userLocale", "user_locale", "locale"),
        .init("requestIdentifier", "request_identifier", "request"),
    ]
}
