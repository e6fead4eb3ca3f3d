internal import MillSystem
internal import ReceiptFormat
internal import SignedDataFormat

extension SignedPayload {
    /// The members and values that are not in the table of fields.
    var unknownMembers: UnknownMembers { extras?.unknown ?? UnknownMembers() }

    /// Writes the payload's main fields.
    func write(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.section("content", nil) { report in
            report.field("signed_at", as: "signed at", date: self[.signedDate])
            for field in ContentField.fields(of: kind) { field.write(self, to: &report, bytes) }
            if let commerce = extras?.commerce { write(commerce, to: &report, bytes) }
        }
    }

    /// Writes the items of a sale by the Advanced Commerce API, each with its refunds.
    private func write(_ commerce: SignedCommerce, to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        let currency = bytes.text(text("currency"))?.string
        func amount(_ number: Int64?) -> String? {
            number.map { SignedWords.amount(ofMilliunits: $0, currency: currency) }
        }
        report.list("items", commerce.items) { report, item in
            let (sku, price) = (
                bytes.text(item.values.text("sku", of: .item)), item.values.number("price_milliunits", of: .item)
            )
            let revoked = item.values.number("revoked_date", of: .item)
            report.member("sku", sku)
            report.member("price_milliunits", price)
            report.member("revoked_date", date: revoked)
            report.text(
                "item",
                [
                    sku?.string ?? "no SKU", amount(price) ?? "no price",
                    revoked.map { "revoked \(CivilTime.iso8601(milliseconds: $0))" },
                ].compactMap { $0 }.joined(separator: "  "))
            report.list("refunds", item.refunds) { report, refund in
                let (date, returned) = (
                    refund.number("refund_date", of: .refund), refund.number("refund_milliunits", of: .refund)
                )
                let words = [refund.text("refund_type", of: .refund), refund.text("refund_reason", of: .refund)]
                    .map { bytes.text($0) }
                report.member("refund_date", date: date)
                report.member("refund_milliunits", returned)
                report.member("refund_type", words[0])
                report.member("refund_reason", words[1])
                report.text(
                    "  refunded",
                    ([amount(returned) ?? "no amount", date.map { CivilTime.iso8601(milliseconds: $0) }]
                        + words.map { $0?.string }).compactMap { $0 }.joined(separator: "  "))
            }
        }
    }
}

extension SlotValues {
    /// The text of a column of the table that stores a record within documents.
    fileprivate func text(_ column: String, of record: SignedField.Record) -> ByteRange? {
        guard case .text(let slot) = Self.slot(column, record) else { return nil }
        return self[text: slot]
    }

    /// The number of a column of the table that stores a record within documents.
    fileprivate func number(_ column: String, of record: SignedField.Record) -> Int64? {
        guard case .number(let slot) = Self.slot(column, record) else { return nil }
        return self[number: slot]
    }

    private static func slot(_ column: String, _ record: SignedField.Record) -> SignedField.Slot? {
        SignedField.stored(in: record).first { $0.column.map { DocumentText($0) } == DocumentText(column) }?.slot
    }
}

/// A field that the report on a signed document shows.
private struct ContentField {
    private let field: SignedField?
    /// The member's key in JSON, which is also the name of the column in views.
    private let key: StaticString
    /// The label in text; nil for a field that is only in JSON.
    private let label: String?

    /// - Parameter column: the field's column, needed if several fields have the name; nil takes the first.
    private init(_ name: String, _ key: StaticString, _ label: String?, column: String? = nil) {
        (self.key, self.label) = (key, label)
        field = SignedField.table.first { field in
            DocumentText(field.name) == DocumentText(name)
                && (column == nil || field.column.map { DocumentText($0) } == column.map { DocumentText($0) })
        }
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
        case .amount, .tierSum:
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
            .init("priceTiers", "amount_milliunits", "amount", column: "amount_milliunits"),
            .init("priceTiers", "seat_price_tiers", "seat prices"),
            .init("currency", "currency", nil),
            .init("storefront", "storefront", "storefront"),
            .init("storefrontId", "storefront_id", nil),
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
            .init("billingPlanType", "billing_plan", "plan"),
            .init("billingPeriodNumber", "commitment_period", "period"),
            .init("totalBillingPeriods", "commitment_periods", "of periods"),
            .init("commitmentPrice", "commitment_price_milliunits", "commitment"),
            .init("commitmentExpiresDate", "commitment_expires_date", "committed to"),
            .init("invitationManagement", "seat_invitations", "invited by"),
            .init("revokedSeatQuantity", "seats_revoked", "seats revoked"),
            .init("additionalTransactionReason", "additional_reason", "addition"),
            .init("previousOriginalTransactionId", "previous_original_transaction_id", "came from"),
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
            .init("offerDiscountType", "offer_discount_type", "discount"),
            .init("offerPeriod", "offer_period", "offer period"),
            .init("eligibleWinBackOfferIds", "eligible_win_back_offer_ids", "win-back"),
            .init("priceIncreaseStatus", "price_increase_status", "price increase"),
            .init("recentSubscriptionStartDate", "recent_subscription_start_date", "since"),
            .init("renewalBillingPlanType", "billing_plan", "plan"),
            .init("commitmentAutoRenewStatus", "commitment_auto_renew_status", "commitment"),
            .init("commitmentAutoRenewProductId", "commitment_product_id", "commits to"),
            .init("commitmentRenewalDate", "commitment_renewal_date", "committed to"),
            .init("commitmentRenewalPrice", "commitment_renewal_price_milliunits", "next price"),
            .init("commitmentRenewalBillingPlanType", "commitment_billing_plan", "next plan"),
            .init("renewalQuantity", "renewal_quantity", "seats"),
            .init("renewalPriceTiers", "renewal_amount_milliunits", "amount", column: "renewal_amount_milliunits"),
            .init("renewalPriceTiers", "renewal_price_tiers", "seat prices"),
        ] + persons

    private static let appTransaction: [ContentField] = [
        .init("appAppleId", "app_apple_id", "app apple id"),
        .init("originalApplicationVersion", "original_app_version", "bought version"),
        .init("originalPlatform", "original_platform", "bought on"),
        .init("originalPurchaseDate", "original_purchase_date", "bought at"),
        .init("preorderDate", "preorder_date", "preordered"),
        .init("storeType", "store_type", "store"),
        .init("revocationDate", "revocation_date", "revoked"),
        .init("appTransactionId", "app_transaction_id", "app transaction"),
    ]

    private static let notification: [ContentField] = [
        .init("notificationType", "notification_type", "type"),
        .init("subtype", "subtype", "subtype"),
        .init("notificationUUID", "notification_uuid", "uuid"),
        .init("appAppleId", "app_apple_id", "app apple id"),
        .init("status", "status", "status"),
        .init("consumptionRequestReason", "consumption_request_reason", "request"),
        .init("version", "version", nil),
        .init("bundleVersion", "bundle_version", "app version"),
        .init("productId", "summary_product_id", "product", column: "summary_product_id"),
        .init("requestIdentifier", "request_identifier", "request id"),
        .init("storefrontCountryCodes", "storefront_country_codes", "storefronts"),
        .init("succeededCount", "succeeded_count", "succeeded"),
        .init("failedCount", "failed_count", "failed"),
        .init("externalPurchaseId", "external_purchase_id", "token"),
        .init("tokenType", "token_type", "token type"),
        .init("tokenCreationDate", "token_creation_date", "token made"),
        .init("tokenExpirationDate", "token_expiration_date", "token ends"),
        .init("unclaimSeatIds", "unclaim_seat_ids", "seats"),
    ]

    private static let realtimeRequest: [ContentField] = [
        .init("originalTransactionId", "original_transaction_id", "subscription"),
        .init("productId", "product_id", "product"),
        .init("appAppleId", "app_apple_id", "app apple id"),
        .init("userLocale", "user_locale", "locale"),
        .init("requestIdentifier", "request_identifier", "request"),
    ]
}
