internal import MillJSON
internal import ReceiptTrust
internal import ReceiptVerification

/// The keys of a decoded line (docs/decode-format.md), in the order in which
/// they are written.
package enum DecodedKeys {
    /// The format's version.
    package static let schema: Int64 = 2
    /// The versions that are read: the first knows one receipt in a line, and no signed data.
    static let readableSchemas: ClosedRange<Int64> = 1...schema

    /// The line, whose first document stands in it.
    enum Line: KeyName, DecodedKey {
        case schema, archive, line, submission, receipt, purchases, terms, renewal
        case appTransaction = "app_transaction"
        case notification, parts, rejection, documents, last
    }

    /// Another document of the line.
    enum Document: KeyName, DecodedKey {
        case document, submission, receipt, purchases, terms, renewal
        case appTransaction = "app_transaction"
        case notification, parts, rejection
    }

    /// A document that another holds.
    enum Part: KeyName, DecodedKey {
        case part, receipt, purchases, terms, renewal
        case appTransaction = "app_transaction"
        case notification
    }

    enum Archive: KeyName, DecodedKey {
        case name, sha256, bytes
    }

    enum Submission: KeyName, DecodedKey {
        case deviceID = "device_id"
        case accountID = "account_id"
        case pseudonymKey = "pseudonym_key"
        case submittedAt = "submitted_at_ms"
        case deviceCheck = "device_check"
        case appCheck = "app_check"
    }

    enum Receipt: KeyName, DecodedKey {
        case sha256, kind, verdict
        case verdictDetail = "verdict_detail"
        case environment
        case bundleID = "bundle_id"
        case appVersion = "app_version"
        case appVersionKey = "app_version_key"
        case originalApplicationVersion = "original_application_version"
        case originalApplicationVersionKey = "original_application_version_key"
        case originalPurchaseDate = "original_purchase_date_ms"
        case receiptCreationDate = "receipt_creation_date_ms"
        case expirationDate = "expiration_date_ms"
        case appItemID = "app_item_id"
        case versionExternalIdentifier = "version_external_identifier"
        case downloadID = "download_id"
        case digestAlgorithm = "digest_algorithm"
        case signer
        case opaqueValue = "opaque_value"
        case deviceHash = "device_hash"
        case purchaseCount = "purchase_count"
        case bytes
        case undocumentedAttributes = "undocumented_attributes"
        case undocumentedPurchaseAttributes = "undocumented_purchase_attributes"
        case issuers
        case content = "octets"
    }

    enum Purchase: KeyName, DecodedKey {
        case transactionID = "transaction_id"
        case originalTransactionID = "original_transaction_id"
        case productID = "product_id"
        case quantity
        case productType = "product_type"
        case purchaseDate = "purchase_date_ms"
        case originalPurchaseDate = "original_purchase_date_ms"
        case expiresDate = "expires_date_ms"
        case cancellationDate = "cancellation_date_ms"
        case webOrderLineItemID = "web_order_line_item_id"
        case isTrialPeriod = "is_trial_period"
        case isInIntroOfferPeriod = "is_in_intro_offer_period"
        case promotionalOfferID = "promotional_offer_id"
    }

    enum Rejection: KeyName, DecodedKey {
        case reason, detail
        case content = "octets"
    }
}

/// The text of a key, which is written without making a String.
struct KeyName: ExpressibleByStringLiteral, Equatable {
    let text: StaticString

    init(stringLiteral text: StaticString) { self.text = text }

    static func == (one: KeyName, other: KeyName) -> Bool { one.text.description == other.text.description }
}

/// A key of one of a decoded line's objects.
protocol DecodedKey: Sendable, CaseIterable, RawRepresentable<KeyName> {}

extension DecodedKey {
    @inline(__always)
    var name: StaticString { rawValue.text }

    /// Finds keys by their names.
    static var table: KnownTexts<Self> { KnownTexts(allCases.map { ($0.name.withUTF8Buffer(Array.init), $0) }) }
}

/// Members under known keys; nothing is written for nil.
extension JSONWriter {
    @inline(__always)
    mutating func member(_ key: some DecodedKey, _ number: Int64?) {
        if let number { member(key.name, number) }
    }

    @inline(__always)
    mutating func member(_ key: some DecodedKey, _ text: String?) {
        if let text { member(key.name, text) }
    }

    @inline(__always)
    mutating func text(_ key: some DecodedKey, _ part: UnsafeBufferPointer<UInt8>?) {
        guard let part else { return }
        self.key(key.name)
        string { $0.appendEscaped(part) }
    }

    @inline(__always)
    mutating func hex(_ key: some DecodedKey, _ part: UnsafeBufferPointer<UInt8>?) {
        guard let part else { return }
        self.key(key.name)
        string { $0.appendHex(part) }
    }

    @inline(__always)
    mutating func digest(_ key: some DecodedKey, _ digest: SHA256Digest) {
        self.key(key.name)
        string { json in digest.withBytes { json.appendHex($0) } }
    }

    @inline(__always)
    mutating func base64(_ key: some DecodedKey, _ bytes: UnsafeBufferPointer<UInt8>) {
        self.key(key.name)
        string { $0.appendBase64(bytes) }
    }
}
