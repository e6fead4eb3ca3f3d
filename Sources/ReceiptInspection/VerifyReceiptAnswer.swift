internal import MillJSON
internal import ReceiptFormat
internal import ReceiptTrust

/// What the store's deprecated verifyReceipt endpoint would answer about a
/// receipt, as far as a receipt alone tells (Apple, App Store Receipts,
/// "responseBody").
///
/// Types are the endpoint's: scalars are strings, but identifiers of the app are
/// numbers; a date stands three times. Purchases stand in the receipt's order:
/// of the endpoint's, Apple says only that it is not chronological and that all
/// have to be looked at ("responseBody.Receipt.In_app"). What the store knows and
/// the receipt doesn't is absent.
struct VerifyReceiptAnswer {
    /// The endpoint's status codes that can be told offline.
    enum Status: Int64 {
        case valid = 0
        case malformed = 21002
        case notAuthenticated = 21003
        case sandboxReceiptInProduction = 21007
        case productionReceiptInSandbox = 21008
    }

    /// Keys of the endpoint's answer that no receipt tells.
    static let absentKeys = [
        "request_date", "request_date_ms", "request_date_pst", "latest_receipt", "latest_receipt_info",
        "pending_renewal_info", "is-retryable", "in_app_ownership_type", "subscription_group_identifier",
        "app_account_token", "offer_code_ref_name",
    ]

    let report: VerificationReport
    let environment: ReceiptExpectation.Environment?

    /// Authentication goes before the environment: what an unsigned document
    /// says of its environment means nothing.
    var status: Status {
        guard report.rejection == nil else { return .malformed }
        guard report.isSignatureAccepted else { return .notAuthenticated }
        guard report.environmentCheck == .mismatch else { return .valid }
        return environment == .production ? .sandboxReceiptInProduction : .productionReceiptInSandbox
    }

    /// Writes the answer's members; the caller has begun the object.
    func write(to json: inout JSONWriter, _ octets: Span<UInt8>) {
        let status = status
        json.member("status", status.rawValue)
        guard status == .valid, let app = report.app else { return }
        if let purchaseInfo = report.purchaseInfo {
            json.open("receipt")
            Self.write(purchaseInfo, to: &json, octets)
            json.close()
            return
        }
        let stated = app.environment.map { octets.text($0) }
        if let environment = StoreEnvironment(attribute: stated) { json.member("environment", environment.name) }
        json.open("receipt")
        writeApp(app, to: &json, octets)
        json.openArray("in_app")
        for purchase in report.purchases {
            json.open()
            Self.write(purchase, to: &json, octets)
            json.close()
        }
        json.closeArray()
        json.close()
    }

    /// A transaction receipt's own keys, with underscores, and its values as they
    /// stand: so the endpoint answered it, without environment and with nothing
    /// around the one purchase. Of keys that differ only in hyphens and
    /// underscores the one with hyphens is answered.
    private static func write(_ purchaseInfo: ByteRange, to json: inout JSONWriter, _ octets: Span<UInt8>) {
        let listing = PropertyListListing(reading: ByteReader(octets, in: purchaseInfo))
        let members = listing.members.compactMap { member -> (key: String, text: String)? in
            guard let value = member.value, let text = octets.text(value) else { return nil }
            return (octets.text(member.key), text)
        }
        let keys = Set(members.map(\.key))
        var written: Set<String> = []
        for member in members {
            // Two keys that differ only so would be one in JSON. The hyphens are
            // the store's spelling, and what the mill reads.
            let stored = member.key.replacing("_", with: "-")
            if stored != member.key, keys.contains(stored) { continue }
            let name = member.key.replacing("-", with: "_")
            if written.insert(name).inserted { json.member(of: name, member.text) }
        }
    }

    private func writeApp(_ app: AppReceipt, to json: inout JSONWriter, _ octets: Span<UInt8>) {
        json.text("receipt_type", app.environment, octets)
        json.number("adam_id", app.appItemID)
        json.number("app_item_id", app.appItemID)
        json.text("bundle_id", app.bundleIdentifier, octets)
        json.text("application_version", app.appVersion, octets)
        // The one key that the endpoint answered without a value, so that null is
        // known and not unknown: it stands in answers of May 2022, August 2023 and
        // November 2024 that others recorded, beside a version_external_identifier.
        json.member("download_id", app.downloadID)
        json.number("version_external_identifier", app.versionExternalIdentifier)
        json.dates(DateKeys.receiptCreation, app.receiptCreationDate)
        json.dates(DateKeys.originalPurchase, app.originalPurchaseDate)
        json.text("original_application_version", app.originalApplicationVersion, octets)
        json.dates(DateKeys.expiration, app.expirationDate)
        json.dates(DateKeys.preorder, app.preorderDate)
    }

    private static func write(_ purchase: InAppPurchase, to json: inout JSONWriter, _ octets: Span<UInt8>) {
        json.digits("quantity", purchase.quantity)
        json.text("product_id", purchase.productIdentifier, octets)
        json.text("transaction_id", purchase.transactionIdentifier, octets)
        json.text("original_transaction_id", purchase.originalTransactionIdentifier, octets)
        json.dates(DateKeys.purchase, purchase.purchaseDate)
        json.dates(DateKeys.originalPurchase, purchase.originalPurchaseDate)
        json.dates(DateKeys.expires, purchase.expiresDate)
        json.dates(DateKeys.cancellation, purchase.cancellationDate)
        json.digits("cancellation_reason", purchase.cancellationReason)
        // Zero stands in the receipts of what is no subscription, which the
        // endpoint answered without the key.
        json.digits("web_order_line_item_id", purchase.webOrderLineItemID == 0 ? nil : purchase.webOrderLineItemID)
        json.truth("is_trial_period", purchase.isTrialPeriod)
        json.truth("is_in_intro_offer_period", purchase.isInIntroOfferPeriod)
        json.text("promotional_offer_id", purchase.promotionalOfferIdentifier, octets)
    }
}
