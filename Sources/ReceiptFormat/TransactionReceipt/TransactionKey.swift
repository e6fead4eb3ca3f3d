/// The keys of a transaction receipt that are parsed, in Apple's spelling (known from receipts; Apple never listed
/// them).
public enum TransactionKey: String, Sendable, Hashable, CaseIterable {
    // The keys of the envelope.

    /// The ``SignatureBlob``, in base64.
    case signature
    /// The signed ``TransactionReceipt``, in base64.
    case purchaseInfo = "purchase-info"
    /// `Sandbox`; absent in production.
    case environment
    /// A number of Apple's servers, such as `100`.
    case pod
    /// A status of the signing, such as `0`.
    case signingStatus = "signing-status"

    // The keys of the purchase-info.

    /// The app's identifier in the App Store; decimal.
    case appItemID = "app-item-id"
    /// The app's version.
    case appVersion = "bvrs"
    /// The app's bundle identifier.
    case bundleIdentifier = "bid"
    /// When Apple's support canceled the transaction; date and time, `Etc/GMT`.
    case cancellationDate = "cancellation-date"
    /// When Apple's support canceled the transaction; milliseconds since 1970 UTC.
    case cancellationDateMilliseconds = "cancellation-date-ms"
    /// When the subscription's period ends; milliseconds since 1970 UTC, unlike the other dates
    /// without `-ms`.
    case expiresDate = "expires-date"
    /// When the subscription's period ends; date and time, `Etc/GMT`.
    case expiresDateText = "expires-date-formatted"
    /// Whether the period has an introductory price; `true` or `false`, 1 or 0.
    case isInIntroOfferPeriod = "is-in-intro-offer-period"
    /// Whether the period is a free trial; `true` or `false`, 1 or 0.
    case isTrialPeriod = "is-trial-period"
    /// When the original transaction was made; date and time, `Etc/GMT`.
    case originalPurchaseDate = "original-purchase-date"
    /// When the original transaction was made; milliseconds since 1970 UTC.
    case originalPurchaseDateMilliseconds = "original-purchase-date-ms"
    /// The identifier of the transaction that was restored or renewed.
    case originalTransactionIdentifier = "original-transaction-id"
    /// The product's identifier.
    case productIdentifier = "product-id"
    /// When the product was purchased or restored; date and time, `Etc/GMT`.
    case purchaseDate = "purchase-date"
    /// When the product was purchased or restored; milliseconds since 1970 UTC.
    case purchaseDateMilliseconds = "purchase-date-ms"
    /// The number of items purchased; decimal.
    case quantity
    /// The transaction's identifier.
    case transactionIdentifier = "transaction-id"
    /// Apple's identifier of the app's version; decimal.
    case versionExternalIdentifier = "version-external-identifier"
    /// The identifier of a subscription's purchase across devices; decimal.
    case webOrderLineItemID = "web-order-line-item-id"

    private static let keys = KeyTable(allCases.map(\.rawValue))

    /// The key in a range of bytes; nil if the bytes are none of these keys.
    init?(at range: ByteRange, of reader: borrowing ByteReader) {
        guard let number = Self.keys.number(reader.bytes, range.indices) else { return nil }
        self = Self.allCases[number]
    }
}

extension PropertyList {
    /// The values of every ``TransactionKey`` in the list; other keys are skipped.
    ///
    /// - Throws: `.propertyList(.invalidValue)` if the value of a ``TransactionKey`` is a dictionary.
    func values(_ reader: borrowing ByteReader) throws(MalformedReceipt) -> [TransactionKey: Text] {
        var values: [TransactionKey: Text] = [:]
        for member in members {
            guard let key = TransactionKey(at: member.key, of: reader) else { continue }
            guard let value = member.value else {
                throw MalformedReceipt(.propertyList(.invalidValue(key)), at: member.key.offset)
            }
            values[key] = value
        }
        return values
    }
}
