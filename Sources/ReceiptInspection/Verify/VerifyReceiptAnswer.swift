internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust

/// The answer that the App Store's deprecated verifyReceipt endpoint would give about a receipt, as far as the receipt
/// alone shows (Apple, App Store Receipts, "responseBody").
///
/// The types are the endpoint's: scalars are strings, except that identifiers of the app are numbers; each date has
/// three members. Purchases are in the receipt's order. About the endpoint's order, Apple says only that it is not
/// chronological and that all purchases have to be examined ("responseBody.Receipt.In_app"). Values that only Apple
/// knows are absent.
struct VerifyReceiptAnswer {
    /// The endpoint's status codes that can be determined offline.
    enum EndpointStatus: Int64 {
        case valid = 0
        case malformed = 21002
        case notAuthenticated = 21003
        case sandboxReceiptInProduction = 21007
        case productionReceiptInSandbox = 21008
    }

    /// Keys of the endpoint's answer whose values no receipt contains.
    static let absentKeys = [
        "request_date", "request_date_ms", "request_date_pst", "latest_receipt", "latest_receipt_info",
        "pending_renewal_info", "is-retryable", "in_app_ownership_type", "subscription_group_identifier",
        "app_account_token", "offer_code_ref_name",
    ]

    let report: VerificationReport

    /// The note that accompanies the status of signed data, which the endpoint could not read.
    static let signedDataNote =
        "signed data (JWS) is no receipt: verifyReceipt answered it as malformed; ask with --format json"

    /// The endpoint's status. Authentication comes before the environment, because the environment of an
    /// unauthenticated document means nothing.
    var status: EndpointStatus {
        guard report.rejection == nil, report.signed == nil else { return .malformed }
        guard report.isSignatureAccepted else { return .notAuthenticated }
        switch report.environmentCheck {
        case .match, .notAsked: return .valid
        case .mismatch:
            let isProduction = report.expectation.environment == .production
            return isProduction ? .sandboxReceiptInProduction : .productionReceiptInSandbox
        // Neither of the two endpoints would accept a receipt of an unknown environment.
        case .unknown: return .notAuthenticated
        }
    }

    /// Writes the answer's members; the caller begins and ends the object.
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
        if let stated = report.environment {
            json.member("environment", StoreEnvironment.endpointsName(of: stated).string)
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

    /// Writes a transaction receipt's own keys, with underscores, and its values unchanged. The endpoint answered in
    /// this way, without an environment and without a list around the single purchase. If two keys differ only in
    /// hyphens and underscores, the one with hyphens is written.
    private static func write(_ purchaseInfo: ByteRange, to json: inout JSONWriter, _ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes, in: purchaseInfo)
        let list = try? PropertyList(parsing: &reader)
        let members = (list?.members ?? []).compactMap { member -> (key: DocumentText, text: DocumentText)? in
            guard let value = member.value, let text = bytes.text(value) else { return nil }
            return (bytes.text(member.key), text)
        }
        let keys = Set(members.map(\.key))
        var written: Set<DocumentText> = []
        for member in members {
            // Two keys that differ only in hyphens and underscores would become one in JSON. Hyphens are Apple's
            // spelling, and loading reads that one.
            let stored = member.key.replacing("_", with: "-")
            let name = member.key.replacing("-", with: "_")
            let isOther = stored != member.key && keys.contains(stored)
            guard !isOther, written.insert(name).inserted else { continue }
            json.key { $0.appendEscaped(name.string) }
            json.value(member.text.string)
        }
    }

    private static func write(_ app: AppReceipt, to json: inout JSONWriter, _ bytes: Span<UInt8>) {
        json.member("receipt_type", .text(app.environment), bytes)
        json.member("adam_id", .number(app.appItemID), bytes)
        json.member("app_item_id", .number(app.appItemID), bytes)
        json.member("bundle_id", .text(app.bundleIdentifier), bytes)
        json.member("application_version", .text(app.appVersion), bytes)
        // For this key alone, the endpoint answered null if there was no value: answers recorded by others in May 2022,
        // August 2023 and November 2024 have the null beside a version_external_identifier.
        json.member("download_id", app.downloadID)
        json.member("version_external_identifier", .number(app.versionExternalIdentifier), bytes)
        json.member("receipt_creation_date", .date(app.receiptCreationDate), bytes)
        json.member("original_purchase_date", .date(app.originalPurchaseDate), bytes)
        json.member("original_application_version", .text(app.originalApplicationVersion), bytes)
        json.member("expiration_date", .date(app.expirationDate), bytes)
        json.member("preorder_date", .date(app.preorderDate), bytes)
    }

    private static func write(_ purchase: InAppPurchase, to json: inout JSONWriter, _ bytes: Span<UInt8>) {
        // Receipts state zero for purchases that are not subscriptions, and the endpoint then left out the key.
        let webOrderLineItemID = purchase.webOrderLineItemID == 0 ? nil : purchase.webOrderLineItemID
        json.member("quantity", .digits(purchase.quantity), bytes)
        json.member("product_id", .text(purchase.productIdentifier), bytes)
        json.member("transaction_id", .text(purchase.transactionIdentifier), bytes)
        json.member("original_transaction_id", .text(purchase.originalTransactionIdentifier), bytes)
        json.member("purchase_date", .date(purchase.purchaseDate), bytes)
        json.member("original_purchase_date", .date(purchase.originalPurchaseDate), bytes)
        json.member("expires_date", .date(purchase.expiresDate), bytes)
        json.member("cancellation_date", .date(purchase.cancellationDate), bytes)
        json.member("cancellation_reason", .digits(purchase.cancellationReason), bytes)
        json.member("web_order_line_item_id", .digits(webOrderLineItemID), bytes)
        json.member("is_trial_period", .flag(purchase.isTrialPeriod), bytes)
        json.member("is_in_intro_offer_period", .flag(purchase.isInIntroOfferPeriod), bytes)
        json.member("promotional_offer_id", .text(purchase.promotionalOfferIdentifier), bytes)
    }
}

/// A value with one of the endpoint's types.
enum EndpointValue {
    case text(ByteRange?)
    case number(Int64?)
    /// A number that is written as a string.
    case digits(Int64?)
    /// A flag that is written as the string "true" or "false".
    case flag(Int64?)
    /// A date that is written as three members: `2020-07-22 17:39:08 Etc/GMT`, "1595439548000", `2020-07-22 10:39:08
    /// America/Los_Angeles`.
    case date(Int64?)
}

extension JSONWriter {
    /// Writes a member; writes nothing for a nil value.
    mutating func member(_ name: StaticString, _ value: EndpointValue, _ bytes: Span<UInt8>) {
        switch value {
        case .text(let text?): member(name, bytes.text(text).string)
        case .number(let number?): member(name, number)
        case .digits(let number?): member(name, String(number))
        case .flag(let flag?): member(name, flag == 0 ? "false" : "true")
        case .date(let milliseconds?):
            let offset = PacificTime.offset(atSeconds: CivilTime.seconds(ofMilliseconds: milliseconds))
            member(name, "", Self.time(milliseconds) + " Etc/GMT")
            member(name, "_ms", String(milliseconds))
            member(name, "_pst", Self.time(milliseconds + 1000 * offset) + " America/Los_Angeles")
        case .text(nil), .number(nil), .digits(nil), .flag(nil), .date(nil): break
        }
    }

    /// The time in the endpoint's form, without fractions of a second: the date, a space, and the time of the day.
    private static func time(_ milliseconds: Int64) -> String {
        let time = CivilTime.iso8601(milliseconds: milliseconds)
        return "\(time.prefix(10)) \(time.dropFirst(11).prefix(8))"
    }

    private mutating func member(_ name: StaticString, _ suffix: StaticString, _ text: String) {
        key { json in
            json.append(name)
            json.append(suffix)
        }
        value(text)
    }
}
