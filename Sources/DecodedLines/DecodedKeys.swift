package import MillJSON
package import ReceiptTrust
internal import ReceiptVerification

/// The keys of a decoded line (docs/decode-format.md), in the order in which
/// they are written.
package enum DecodedKeys {
    /// The format's version.
    package static let schema: Int64 = 1

    package enum Line: Int, CaseIterable, DecodedKey {
        case schema, archive, line, submission, receipt, purchases, rejection, last

        package var name: StaticString {
            switch self {
            case .schema: "schema"
            case .archive: "archive"
            case .line: "line"
            case .submission: "submission"
            case .receipt: "receipt"
            case .purchases: "purchases"
            case .rejection: "rejection"
            case .last: "last"
            }
        }
    }

    package enum Archive: Int, CaseIterable, DecodedKey {
        case name, sha256, bytes

        package var name: StaticString {
            switch self {
            case .name: "name"
            case .sha256: "sha256"
            case .bytes: "bytes"
            }
        }
    }

    package enum Submission: Int, CaseIterable, DecodedKey {
        case deviceID, accountID, pseudonymKey, submittedAt, deviceCheck, appCheck

        package var name: StaticString {
            switch self {
            case .deviceID: "device_id"
            case .accountID: "account_id"
            case .pseudonymKey: "pseudonym_key"
            case .submittedAt: "submitted_at_ms"
            case .deviceCheck: "device_check"
            case .appCheck: "app_check"
            }
        }
    }

    package enum Receipt: Int, CaseIterable, DecodedKey {
        case sha256, kind, verdict, verdictDetail, environment, bundleID, appVersion, appVersionKey
        case originalApplicationVersion, originalApplicationVersionKey, originalPurchaseDate, receiptCreationDate
        case expirationDate, appItemID, versionExternalIdentifier, downloadID, digestAlgorithm, signer, opaqueValue
        case deviceHash, purchaseCount, bytes, undocumentedAttributes, undocumentedPurchaseAttributes, issuers, octets

        package var name: StaticString {
            switch self {
            case .sha256: "sha256"
            case .kind: "kind"
            case .verdict: "verdict"
            case .verdictDetail: "verdict_detail"
            case .environment: "environment"
            case .bundleID: "bundle_id"
            case .appVersion: "app_version"
            case .appVersionKey: "app_version_key"
            case .originalApplicationVersion: "original_application_version"
            case .originalApplicationVersionKey: "original_application_version_key"
            case .originalPurchaseDate: "original_purchase_date_ms"
            case .receiptCreationDate: "receipt_creation_date_ms"
            case .expirationDate: "expiration_date_ms"
            case .appItemID: "app_item_id"
            case .versionExternalIdentifier: "version_external_identifier"
            case .downloadID: "download_id"
            case .digestAlgorithm: "digest_algorithm"
            case .signer: "signer"
            case .opaqueValue: "opaque_value"
            case .deviceHash: "device_hash"
            case .purchaseCount: "purchase_count"
            case .bytes: "bytes"
            case .undocumentedAttributes: "undocumented_attributes"
            case .undocumentedPurchaseAttributes: "undocumented_purchase_attributes"
            case .issuers: "issuers"
            case .octets: "octets"
            }
        }
    }

    package enum Purchase: Int, CaseIterable, DecodedKey {
        case transactionID, originalTransactionID, productID, quantity, productType, purchaseDate
        case originalPurchaseDate, expiresDate, cancellationDate, webOrderLineItemID, isTrialPeriod
        case isInIntroOfferPeriod, promotionalOfferID

        package var name: StaticString {
            switch self {
            case .transactionID: "transaction_id"
            case .originalTransactionID: "original_transaction_id"
            case .productID: "product_id"
            case .quantity: "quantity"
            case .productType: "product_type"
            case .purchaseDate: "purchase_date_ms"
            case .originalPurchaseDate: "original_purchase_date_ms"
            case .expiresDate: "expires_date_ms"
            case .cancellationDate: "cancellation_date_ms"
            case .webOrderLineItemID: "web_order_line_item_id"
            case .isTrialPeriod: "is_trial_period"
            case .isInIntroOfferPeriod: "is_in_intro_offer_period"
            case .promotionalOfferID: "promotional_offer_id"
            }
        }
    }

    package enum Rejection: Int, CaseIterable, DecodedKey {
        case reason, detail, octets

        package var name: StaticString {
            switch self {
            case .reason: "reason"
            case .detail: "detail"
            case .octets: "octets"
            }
        }
    }
}

/// A key of one of a decoded line's objects.
package protocol DecodedKey: Sendable, CaseIterable {
    var name: StaticString { get }
}

extension DecodedKey {
    /// To find keys by their names.
    package static var table: KnownTexts<Self> { KnownTexts(allCases.map { ($0.name.withUTF8Buffer(Array.init), $0) }) }
}

extension JSONWriter {
    @inline(__always)
    package mutating func key(_ key: some DecodedKey) { self.key(key.name) }
    @inline(__always)
    package mutating func open(_ key: some DecodedKey) { open(key.name) }
    @inline(__always)
    package mutating func openArray(_ key: some DecodedKey) { openArray(key.name) }

    /// Writes a member; nothing for nil, as in all that follow.
    @inline(__always)
    package mutating func member(_ key: some DecodedKey, _ number: Int64?) {
        guard let number else { return }
        member(key.name, number)
    }

    @inline(__always)
    package mutating func member(_ key: some DecodedKey, _ text: String?) {
        guard let text else { return }
        member(key.name, text)
    }

    @inline(__always)
    package mutating func text(_ key: some DecodedKey, _ part: UnsafeBufferPointer<UInt8>?) {
        guard let part else { return }
        self.key(key)
        string { $0.appendEscaped(part) }
    }

    @inline(__always)
    package mutating func hex(_ key: some DecodedKey, _ part: UnsafeBufferPointer<UInt8>?) {
        guard let part else { return }
        self.key(key)
        string { $0.appendHex(part) }
    }

    @inline(__always)
    package mutating func digest(_ key: some DecodedKey, _ digest: SHA256Digest) {
        self.key(key)
        string { json in digest.withBytes { json.appendHex($0) } }
    }

    @inline(__always)
    package mutating func base64(_ key: some DecodedKey, _ octets: UnsafeBufferPointer<UInt8>) {
        self.key(key)
        string { $0.appendBase64(octets) }
    }
}
