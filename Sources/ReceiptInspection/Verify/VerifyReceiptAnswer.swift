internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust

/// What the store's deprecated verifyReceipt endpoint would answer about a
/// receipt, as far as a receipt alone shows (Apple, App Store Receipts,
/// "responseBody").
///
/// Types are the endpoint's: scalars are strings, but identifiers of the app are
/// numbers; a date stands three times. Purchases stand in the receipt's order:
/// of the endpoint's, Apple says only that it is not chronological and that all
/// have to be looked at ("responseBody.Receipt.In_app"). What the store knows and
/// the receipt doesn't is absent.
struct VerifyReceiptAnswer {
    /// The endpoint's status codes that can be known offline.
    enum Status: Int64 {
        case valid = 0
        case malformed = 21002
        case notAuthenticated = 21003
        case sandboxReceiptInProduction = 21007
        case productionReceiptInSandbox = 21008
    }

    /// Keys of the endpoint's answer that no receipt holds.
    static let absentKeys = [
        "request_date", "request_date_ms", "request_date_pst", "latest_receipt", "latest_receipt_info",
        "pending_renewal_info", "is-retryable", "in_app_ownership_type", "subscription_group_identifier",
        "app_account_token", "offer_code_ref_name",
    ]

    let report: VerificationReport
    let environment: ReceiptExpectation.Environment?

    /// What stands beside the status of signed data, which the endpoint never read.
    static let signedDataNote =
        "signed data (JWS) is no receipt: verifyReceipt answered it as malformed; ask with --format json"

    /// Authentication goes before the environment: the environment of an unsigned
    /// document means nothing.
    var status: Status {
        guard report.rejection == nil, report.signed == nil else { return .malformed }
        guard report.isSignatureAccepted else { return .notAuthenticated }
        switch report.environmentCheck {
        case .match, .notAsked: return .valid
        case .mismatch: return environment == .production ? .sandboxReceiptInProduction : .productionReceiptInSandbox
        // The endpoint of neither environment would know it.
        case .unknown: return .notAuthenticated
        }
    }

    /// Writes the answer's members; the caller has begun the object.
    func write(to json: inout JSONWriter, _ bytes: Span<UInt8>) {
        let status = status
        json.member("status", status.rawValue)
        if report.signed != nil { json.member("note", Self.signedDataNote) }
        guard status == .valid, let app = report.app else { return }
        if let purchaseInfo = report.purchaseInfo {
            json.open("receipt")
            Self.write(purchaseInfo, to: &json, bytes)
            return json.close()
        }
        if let stated = app.environment {
            json.member("environment", Self.environment(ofAttribute: bytes.text(stated)).string)
        }
        json.open("receipt")
        Self.write(app, to: &json, bytes)
        json.openArray("in_app")
        for purchase in report.purchases {
            json.open()
            Self.write(purchase, to: &json, bytes)
            json.close()
        }
        json.closeArray()
        json.close()
    }

    /// The endpoint's name for attribute 0: that of a local test store, such as Xcode's, and one
    /// that is not known are the attribute's own.
    static func environment(ofAttribute text: DocumentText) -> DocumentText {
        switch text {
        case "Production", "ProductionVPP": "Production"
        case "ProductionSandbox", "ProductionVPPSandbox", "Sandbox": "Sandbox"
        default: text
        }
    }

    /// A transaction receipt's own keys, with underscores, and its values as they
    /// stand: so the endpoint answered it, without environment and with nothing
    /// around the one purchase. Of keys that differ only in hyphens and
    /// underscores the one with hyphens is answered.
    private static func write(_ purchaseInfo: ByteRange, to json: inout JSONWriter, _ bytes: Span<UInt8>) {
        let listing = PropertyListListing(reading: ByteReader(bytes, in: purchaseInfo))
        let members = listing.members.compactMap { member -> (key: DocumentText, text: DocumentText)? in
            guard let value = member.value, let text = bytes.text(value) else { return nil }
            return (bytes.text(member.key), text)
        }
        let keys = Set(members.map(\.key))
        var written: Set<DocumentText> = []
        for member in members {
            // Two keys that differ only so would be one in JSON. The hyphens are
            // the store's spelling, and what the mill reads.
            let stored = member.key.replacing("_", with: "-")
            if stored != member.key, keys.contains(stored) { continue }
            let name = member.key.replacing("-", with: "_")
            guard written.insert(name).inserted else { continue }
            json.key { $0.appendEscaped(name.string) }
            json.value(member.text.string)
        }
    }

    private static func write(_ app: AppReceipt, to json: inout JSONWriter, _ bytes: Span<UInt8>) {
        json.text("receipt_type", app.environment, bytes)
        json.number("adam_id", app.appItemID)
        json.number("app_item_id", app.appItemID)
        json.text("bundle_id", app.bundleIdentifier, bytes)
        json.text("application_version", app.appVersion, bytes)
        // The one key that the endpoint answered without a value, so that null is
        // known and not unknown: it stands in answers of May 2022, August 2023 and
        // November 2024 that others recorded, beside a version_external_identifier.
        json.member("download_id", app.downloadID)
        json.number("version_external_identifier", app.versionExternalIdentifier)
        json.dates("receipt_creation_date", app.receiptCreationDate)
        json.dates("original_purchase_date", app.originalPurchaseDate)
        json.text("original_application_version", app.originalApplicationVersion, bytes)
        json.dates("expiration_date", app.expirationDate)
        json.dates("preorder_date", app.preorderDate)
    }

    private static func write(_ purchase: InAppPurchase, to json: inout JSONWriter, _ bytes: Span<UInt8>) {
        json.digits("quantity", purchase.quantity)
        json.text("product_id", purchase.productIdentifier, bytes)
        json.text("transaction_id", purchase.transactionIdentifier, bytes)
        json.text("original_transaction_id", purchase.originalTransactionIdentifier, bytes)
        json.dates("purchase_date", purchase.purchaseDate)
        json.dates("original_purchase_date", purchase.originalPurchaseDate)
        json.dates("expires_date", purchase.expiresDate)
        json.dates("cancellation_date", purchase.cancellationDate)
        json.digits("cancellation_reason", purchase.cancellationReason)
        // Zero stands in the receipts of what is no subscription, which the
        // endpoint answered without the key.
        json.digits("web_order_line_item_id", purchase.webOrderLineItemID == 0 ? nil : purchase.webOrderLineItemID)
        json.truth("is_trial_period", purchase.isTrialPeriod)
        json.truth("is_in_intro_offer_period", purchase.isInIntroOfferPeriod)
        json.text("promotional_offer_id", purchase.promotionalOfferIdentifier, bytes)
    }
}

/// Members in the types of the store's endpoint; nothing is written for nil.
extension JSONWriter {
    fileprivate mutating func number(_ name: StaticString, _ number: Int64?) {
        if let number { member(name, number) }
    }

    /// A number in a string.
    fileprivate mutating func digits(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        key(name)
        string { $0.appendDigits(number) }
    }

    /// "true" or "false" in a string.
    fileprivate mutating func truth(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        key(name)
        string { $0.append(number == 0 ? "false" : "true") }
    }

    /// A date under three keys: `2020-07-22 17:39:08 Etc/GMT`, "1595439548000",
    /// `2020-07-22 10:39:08 America/Los_Angeles`.
    mutating func dates(_ name: StaticString, _ milliseconds: Int64?) {
        guard let milliseconds else { return }
        let seconds = CivilTime.seconds(ofMilliseconds: milliseconds)
        key(name)
        string { $0.append(CivilTime(seconds: seconds), " Etc/GMT") }
        key(name, "_ms")
        string { $0.appendDigits(milliseconds) }
        key(name, "_pst")
        let pacific = CivilTime(seconds: seconds + PacificTime.offset(atSeconds: seconds))
        string { $0.append(pacific, " America/Los_Angeles") }
    }

    private mutating func key(_ name: StaticString, _ suffix: StaticString) {
        key { json in
            json.append(name)
            json.append(suffix)
        }
    }

    private mutating func append(_ time: CivilTime, _ zone: StaticString) {
        appendDigits(UInt64(clamping: time.year), places: 4)
        append(time.month, after: "-")
        append(time.day, after: "-")
        append(time.hour, after: " ")
        append(time.minute, after: ":")
        append(time.second, after: ":")
        append(zone)
    }

    private mutating func append(_ field: Int, after separator: StaticString) {
        append(separator)
        appendDigits(UInt64(clamping: field), places: 2)
    }
}
