/// Keys of a transaction receipt that are read, by the store's own spelling
/// (known from receipts; Apple never listed them).
public enum TransactionKey: String, Sendable, Hashable, CaseIterable {
    // The receipt's own.
    case signature
    case purchaseInfo = "purchase-info"
    case environment
    case pod
    case signingStatus = "signing-status"

    // Those of its purchase-info.
    case appItemID = "app-item-id"
    case appVersion = "bvrs"
    case bundleIdentifier = "bid"
    case cancellationDate = "cancellation-date"
    case cancellationDateMilliseconds = "cancellation-date-ms"
    /// Milliseconds, unlike the other keys of this form.
    case expiresDate = "expires-date"
    case expiresDateText = "expires-date-formatted"
    case isInIntroOfferPeriod = "is-in-intro-offer-period"
    case isTrialPeriod = "is-trial-period"
    case originalPurchaseDate = "original-purchase-date"
    case originalPurchaseDateMilliseconds = "original-purchase-date-ms"
    case originalTransactionIdentifier = "original-transaction-id"
    case productIdentifier = "product-id"
    case purchaseDate = "purchase-date"
    case purchaseDateMilliseconds = "purchase-date-ms"
    case quantity
    case transactionIdentifier = "transaction-id"
    case versionExternalIdentifier = "version-external-identifier"
    case webOrderLineItemID = "web-order-line-item-id"

    /// Each key with its bytes.
    private static let spelled = allCases.map { (key: $0, bytes: Array($0.rawValue.utf8)) }

    /// The key that stands at a range; nil where it is none that is read.
    init?(at range: ByteRange, of reader: borrowing ByteReader) {
        for (key, bytes) in Self.spelled where reader.matches(range, bytes) {
            self = key
            return
        }
        return nil
    }
}

extension PropertyList {
    /// The strings of the keys that are read.
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
