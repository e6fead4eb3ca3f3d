internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

extension SignedDataRule {
    /// The name of every machine-readable output.
    var name: String {
        switch self {
        case .algorithm: "algorithm"
        case .certificates: "certificates"
        case .signerKey: "signer_key"
        case .signature: "signature"
        case .pinnedSigner: "pinned_signer"
        case .order: "chain_order"
        case .anchor: "anchor"
        case .purpose: "purpose"
        case .strength: "strength"
        case .dates: "dates"
        }
    }

    /// What the rule demands, in plain words.
    var demand: String {
        switch self {
        case .algorithm: "the header names ES256 and demands no extensions"
        case .certificates: "the header holds 1 to 8 certificates (x5c), all readable"
        case .signerKey: "the first certificate's key is P-256"
        case .signature: "the signature is that key's, over header and payload"
        case .pinnedSigner: "a certificate that stands alone is an anchor"
        case .order: "each certificate is signed by the next, and names it as issuer"
        case .anchor: "the last certificate is an anchor"
        case .purpose: "constraints and markers are those of the store's chains"
        case .strength: "keys and signatures of the chain are strong enough"
        case .dates: "every certificate was valid at the signing date"
        }
    }
}

extension Verification {
    /// What became of a rule.
    private enum Standing: String {
        case ok, failed
        case notReached = "not_reached"
    }

    private func standing(of rule: SignedDataRule) -> Standing {
        guard let brokenRule else { return .ok }
        if rule == brokenRule { return .failed }
        return rule.rawValue < brokenRule.rawValue ? .ok : .notReached
    }

    /// Writes the rules of signed data one by one.
    func writeRules(to report: inout ReportWriter) {
        report.list("rules", SignedDataRule.allCases) { report, rule in
            let standing = standing(of: rule)
            let fault = standing == .failed ? detail ?? verdict.rawValue : nil
            report.member("rule", rule.rawValue)
            report.member("name", rule.name)
            report.member("standing", standing.rawValue)
            report.member("detail", fault)
            let word = standing == .failed ? "FAILED" : standing.rawValue.replacing("_", with: " ")
            report.text("rule \(rule.rawValue)", TerminalText.padded(word, to: 13) + (fault ?? rule.demand))
        }
    }
}

extension SignedPayload {
    /// Writes the main fields: in JSON under the names of the views' columns.
    func write(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.section("content", nil) { report in
            report.field("signed_at", as: "signed at", date: signedDate)
            switch kind {
            case .signedRenewal: writeRenewal(to: &report, bytes)
            case .appTransaction: writeAppTransaction(to: &report, bytes)
            case .notification: writeNotification(to: &report, bytes)
            case .signedTransaction, .appReceipt, .transactionReceipt: writeTransaction(to: &report, bytes)
            }
        }
    }

    private func writeTransaction(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.words("product_type", as: "type", type, bytes)
        report.amount("price_milliunits", price, currency, bytes)
        report.member("currency", currency, bytes)
        report.words("storefront", storefront, bytes)
        report.words("ownership", ownership, bytes)
        writeOffer(to: &report, bytes)
        report.words("offer_discount_type", as: "discount", offerDiscountType, bytes)
        report.words("offer_period", as: "offer period", offerPeriod, bytes)
        report.words("transaction_reason", as: "reason", transactionReason, bytes)
        report.member("is_upgraded", isUpgraded)
        report.text("upgraded", isUpgraded == true ? "yes: another subscription took its place" : nil)
        report.field("revocation_date", as: "revoked", date: revocationDate)
        report.number("revocation_reason", as: "because of", revocationReason, of: "revocationReason")
        report.words("revocation_type", as: "revocation", revocationType, bytes)
        report.member("revocation_percentage", revocationPercentage)
        report.text("returned", revocationPercentage.map(SignedWords.share))
        report.words("subscription_group_id", as: "group", subscriptionGroupID, bytes)
        report.words("app_account_token", as: "token", appAccountToken, bytes)
        report.words("app_transaction_id", as: "app transaction", appTransactionID, bytes)
    }

    private func writeOffer(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.number("offer_type", as: "offer", offerType, of: "offerType")
        report.words("offer_id", as: "offer id", offerID, bytes)
    }

    private func writeRenewal(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.words("original_transaction_id", as: "subscription", originalTransactionID, bytes)
        report.words("product_id", as: "product", productID, bytes)
        report.words("auto_renew_product_id", as: "renews to", autoRenewProductID, bytes)
        report.number("auto_renew_status", as: "auto-renewal", autoRenewStatus, of: "autoRenewStatus")
        report.number("expiration_intent", as: "ended by", expirationIntent, of: "expirationIntent")
        report.member("is_in_billing_retry", isInBillingRetry)
        report.text("billing retry", isInBillingRetry.map { $0 ? "yes" : "no" })
        report.field("grace_period_expires_date", as: "grace until", date: gracePeriodExpiresDate)
        report.field("renewal_date", as: "renewal", date: renewalDate)
        report.amount("renewal_price_milliunits", renewalPrice, currency, bytes)
        report.member("currency", currency, bytes)
        writeOffer(to: &report, bytes)
        report.number("price_increase_status", as: "price increase", priceIncreaseStatus, of: "priceIncreaseStatus")
        report.field("recent_subscription_start_date", as: "since", date: recentSubscriptionStartDate)
        report.words("app_account_token", as: "token", appAccountToken, bytes)
        report.words("app_transaction_id", as: "app transaction", appTransactionID, bytes)
    }

    private func writeAppTransaction(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.member("app_apple_id", appAppleID)
        report.text("app apple id", appAppleID.map { String($0) })
        report.words("original_app_version", as: "bought version", originalApplicationVersion, bytes)
        report.words("original_platform", as: "bought on", originalPlatform, bytes)
        report.field("original_purchase_date", as: "bought at", date: originalPurchaseDate)
        report.field("preorder_date", as: "preordered", date: preorderDate)
        report.words("app_transaction_id", as: "app transaction", appTransactionID, bytes)
    }

    private func writeNotification(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.words("notification_type", as: "type", notificationType, bytes)
        report.words("subtype", subtype, bytes)
        report.words("notification_uuid", as: "uuid", notificationUUID, bytes)
        report.member("app_apple_id", appAppleID)
        report.text("app apple id", appAppleID.map { String($0) })
        report.number("status", as: "status", status, of: "status")
        report.words("consumption_request_reason", as: "request", consumptionRequestReason, bytes)
    }
}

extension ReportWriter {
    /// A text of the payload.
    fileprivate mutating func words(
        _ key: StaticString, as label: String? = nil, _ range: ByteRange?, _ bytes: Span<UInt8>
    ) {
        field(key, as: label, range.map { bytes.text($0).string })
    }

    /// A number that stands for something, in text with its meaning.
    fileprivate mutating func number(_ key: StaticString, as label: String, _ number: Int64?, of field: DocumentText) {
        member(key, number)
        text(label, number.map { SignedWords.text($0, of: field) })
    }

    /// A price, in text in units of its currency.
    fileprivate mutating func amount(
        _ key: StaticString, _ milliunits: Int64?, _ currency: ByteRange?, _ bytes: Span<UInt8>
    ) {
        member(key, milliunits)
        let currency = currency.map { bytes.text($0).string }
        text("price", milliunits.map { SignedWords.amount(ofMilliunits: $0, currency: currency) })
    }
}
