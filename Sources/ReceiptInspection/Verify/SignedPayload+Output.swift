internal import ReceiptFormat
internal import SignedDataFormat

extension SignedPayload {
    /// The members and values that are not in the table of fields.
    var unknownMembers: UnknownMembers { extras?.unknown ?? UnknownMembers() }

    /// Writes the payload's main fields.
    func write(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        let currency = bytes.text(text("currency"))?.string
        report.section("content", nil) { report in
            report.field("signed_at", as: "signed at", self[.signedDate]?.date)
            for field in ShownField.ofDocuments[kind] ?? [] { field.write(values, currency, to: &report, bytes) }
            if let commerce = extras?.commerce { write(commerce, currency, to: &report, bytes) }
        }
    }

    /// Writes the items of a sale by the Advanced Commerce API, each with its refunds.
    private func write(
        _ commerce: SignedCommerce, _ currency: String?, to report: inout ReportWriter, _ bytes: Span<UInt8>
    ) {
        report.list("items", commerce.items) { report, item in
            let shown = ShownField.ofItems.map { $0.write(item.values, currency, to: &report, bytes) }
            let words = [shown[0] ?? "no SKU", shown[1] ?? "no price", shown[2].map { "revoked \($0)" }]
            report.text("item", words.compactMap { $0 }.joined(separator: "  "))
            report.list("refunds", item.refunds) { report, refund in
                let shown = ShownField.ofRefunds.map { $0.write(refund, currency, to: &report, bytes) }
                let words = [shown[1] ?? "no amount", shown[0], shown[2], shown[3]]
                report.text("  refunded", words.compactMap { $0 }.joined(separator: "  "))
            }
        }
    }
}

/// A field that the report on a signed document shows.
private struct ShownField {
    let key: StaticString
    let field: SignedField
    /// The label in text; nil for a field that is only in JSON.
    let label: String?

    /// The fields with some keys, in this order.
    private static func fields(
        of kinds: SignedKinds = [], in record: SignedField.Record = .document, _ keys: [StaticString],
        label: String? = nil
    ) -> [ShownField] {
        keys.map { key in
            let name = DocumentText("\(key)")
            let field = SignedField.table.first { field in
                field.record == record && field.kinds.contains(kinds) && field.key.map { DocumentText($0) } == name
            }
            guard let field else { preconditionFailure("no field has the key \(key)") }
            return ShownField(key: key, field: field, label: label ?? field.label)
        }
    }

    /// Writes the field's value in a record.
    ///
    /// - Returns: the value in words, for text; nil if the record states none, or if the value has no words.
    @discardableResult
    func write(
        _ values: SlotValues, _ currency: String?, to report: inout ReportWriter, _ bytes: Span<UInt8>
    ) -> String? {
        let (value, words) = content(of: values, currency, bytes)
        report.member(key, value)
        if let label { report.text(label, words) }
        return words
    }

    private func content(
        of values: SlotValues, _ currency: String?, _ bytes: Span<UInt8>
    ) -> (value: (any FieldValue)?, words: String?) {
        if case .text(let slot) = field.slot {
            let text = bytes.text(values[text: slot])
            return (text, text?.string)
        }
        guard case .number(let slot) = field.slot, let number = values[number: slot] else { return (nil, nil) }
        switch field.type {
        case .date: return (number.date, number.date)
        case .flag: return (number == 1, field.words[number])
        case .share:
            let share = Int64(exactly: (Double(bitPattern: UInt64(bitPattern: number)) * 100_000).rounded())
            return (share, share.map(SignedWords.share))
        case .amount, .tierSum: return (number, SignedWords.amount(ofMilliunits: number, currency: currency))
        default: return (number, field.words[number].map { "\(number) (\($0))" } ?? number.shown)
        }
    }

    static let ofItems = fields(in: .item, ["sku", "price_milliunits", "revoked_date"])
    static let ofRefunds = fields(in: .refund, ["refund_date", "refund_milliunits", "refund_type", "refund_reason"])

    static let ofDocuments: [ReceiptKind: [ShownField]] = [
        .signedTransaction: fields(
            of: .transaction,
            [
                "product_type", "price_milliunits", "amount_milliunits", "seat_price_tiers", "currency", "storefront",
                "storefront_id", "ownership", "offer_type", "offer_id", "offer_discount_type", "offer_period",
                "transaction_reason", "is_upgraded", "revocation_date", "revocation_reason", "revocation_type",
                "revocation_percentage", "subscription_group_id", "billing_plan", "commitment_period",
                "commitment_periods", "commitment_price_milliunits", "commitment_expires_date", "seat_invitations",
                "seats_revoked", "additional_reason", "previous_original_transaction_id", "app_account_token",
                "app_transaction_id",
            ]),
        .signedRenewal: fields(
            of: .renewal,
            [
                "original_transaction_id", "product_id", "auto_renew_product_id", "auto_renew_status",
                "expiration_intent", "is_in_billing_retry", "grace_period_expires_date", "renewal_date",
                "renewal_price_milliunits", "currency", "offer_type", "offer_id", "offer_discount_type", "offer_period",
                "eligible_win_back_offer_ids", "price_increase_status", "recent_subscription_start_date",
                "billing_plan", "commitment_auto_renew_status", "commitment_product_id", "commitment_renewal_date",
                "commitment_renewal_price_milliunits", "commitment_billing_plan", "renewal_quantity",
                "renewal_amount_milliunits", "renewal_price_tiers", "app_account_token", "app_transaction_id",
            ]),
        .appTransaction: fields(
            of: .appTransaction,
            [
                "app_apple_id", "original_app_version", "original_platform", "original_purchase_date", "preorder_date",
                "store_type", "revocation_date", "app_transaction_id",
            ]),
        .notification: fields(
            of: .notification,
            [
                "notification_type", "subtype", "notification_uuid", "app_apple_id", "status",
                "consumption_request_reason", "version", "bundle_version", "summary_product_id", "request_identifier",
                "storefront_country_codes", "succeeded_count", "failed_count", "external_purchase_id", "token_type",
                "token_creation_date", "token_expiration_date", "unclaim_seat_ids",
            ]),
        .realtimeRequest: fields(
            of: .realtimeRequest, ["original_transaction_id", "product_id", "app_apple_id", "user_locale"])
            + fields(of: .realtimeRequest, ["request_identifier"], label: "request"),
    ]
}
