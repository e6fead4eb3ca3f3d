/// The `purchase-info` of a transaction receipt: what Apple states about one purchase on iOS 6 or earlier.
///
/// Texts are ranges of the bytes that were parsed; dates are milliseconds since 1970 UTC; nil means absent or empty.
/// Values are not trusted until the signature has been verified.
public struct TransactionReceipt: Sendable, Hashable {
    /// The app's bundle identifier.
    public var bundleIdentifier: PropertyList.Text?
    /// The app's version.
    public var appVersion: PropertyList.Text?
    /// The app's identifier in the App Store.
    public let appItemID: Int64?
    /// Apple's identifier of the app's version.
    public let versionExternalIdentifier: Int64?
    /// The product's identifier.
    public var productIdentifier: PropertyList.Text?
    /// The transaction's identifier, not empty: decimal in Apple's receipts, but any text in receipts of other writers.
    public var transactionIdentifier: PropertyList.Text
    /// The identifier of the transaction that was restored or renewed.
    public var originalTransactionIdentifier: PropertyList.Text?
    /// The number of items purchased.
    public let quantity: Int64?
    /// When the product was purchased or restored.
    public let purchaseDate: Int64?
    /// When the original transaction was made.
    public let originalPurchaseDate: Int64?
    /// When the subscription's period ends.
    public let expiresDate: Int64?
    /// When Apple's support canceled the transaction.
    public let cancellationDate: Int64?
    /// The identifier of a subscription's purchase across devices.
    public let webOrderLineItemID: Int64?
    /// Whether the period is a free trial, 0 or 1.
    public let isTrialPeriod: Int64?
    /// Whether the period has an introductory price, 0 or 1.
    public let isInIntroOfferPeriod: Int64?

    /// Reads the decoded `purchase-info` and requires that nothing follows it. Keys
    /// not in ``TransactionKey``, such as the dates in Pacific time, are skipped.
    ///
    /// - Throws: `.propertyList(.missing)` if the transaction's identifier is absent or empty,
    ///   `.propertyList(.invalidValue)` if a value does not have its key's form, `.overlongName` if bundle identifier
    ///   or version is too long, and the errors of ``PropertyList/init(parsing:)``.
    public init(parsing reader: inout ByteReader) throws(MalformedReceipt) {
        let start = reader.position
        let fields = Fields(values: try PropertyList(parsing: &reader).values(reader))
        guard let transaction = fields.text(.transactionIdentifier) else {
            throw MalformedReceipt(.propertyList(.missing(.transactionIdentifier)), at: start)
        }
        transactionIdentifier = transaction
        bundleIdentifier = try fields.name(.bundleIdentifier)
        appVersion = try fields.name(.appVersion)
        productIdentifier = fields.text(.productIdentifier)
        originalTransactionIdentifier = fields.text(.originalTransactionIdentifier)
        appItemID = try fields.number(.appItemID, reader)
        versionExternalIdentifier = try fields.number(.versionExternalIdentifier, reader)
        quantity = try fields.number(.quantity, reader)
        webOrderLineItemID = try fields.number(.webOrderLineItemID, reader)
        isTrialPeriod = try fields.flag(.isTrialPeriod, reader)
        isInIntroOfferPeriod = try fields.flag(.isInIntroOfferPeriod, reader)
        purchaseDate = try fields.date(.purchaseDateMilliseconds, .purchaseDate, reader)
        originalPurchaseDate = try fields.date(.originalPurchaseDateMilliseconds, .originalPurchaseDate, reader)
        expiresDate = try fields.date(.expiresDate, .expiresDateText, reader)
        cancellationDate = try fields.date(.cancellationDateMilliseconds, .cancellationDate, reader)
    }
}

/// The values of a `purchase-info`, converted to their keys' types. An empty value counts as absent; any other value
/// that does not have its key's form is refused.
private struct Fields {
    let values: [TransactionKey: PropertyList.Text]

    func text(_ key: TransactionKey) -> PropertyList.Text? {
        values[key].flatMap { $0.range.isEmpty ? nil : $0 }
    }

    /// The text of a bundle identifier or version. Its size is limited before escapes are resolved.
    func name(_ key: TransactionKey) throws(MalformedReceipt) -> PropertyList.Text? {
        guard let text = text(key) else { return nil }
        guard text.range.count <= AppReceipt.maximumNameBytes else {
            throw MalformedReceipt(.overlongName(text.range.count), at: text.range.offset)
        }
        return text
    }

    func number(_ key: TransactionKey, _ reader: borrowing ByteReader) throws(MalformedReceipt) -> Int64? {
        guard let text = text(key) else { return nil }
        guard let number = reader.decimal(in: text.range) else { throw invalid(key, text) }
        return number
    }

    func flag(_ key: TransactionKey, _ reader: borrowing ByteReader) throws(MalformedReceipt) -> Int64? {
        guard let text = text(key) else { return nil }
        if reader.matches(text.range, "true") || reader.matches(text.range, "1") { return 1 }
        if reader.matches(text.range, "false") || reader.matches(text.range, "0") { return 0 }
        throw invalid(key, text)
    }

    /// The date of the first key, in milliseconds. If it is absent, the date of the second key, such as
    /// `2012-12-02 07:15:54 Etc/GMT`.
    func date(
        _ milliseconds: TransactionKey, _ formatted: TransactionKey, _ reader: borrowing ByteReader
    ) throws(MalformedReceipt) -> Int64? {
        if let date = try number(milliseconds, reader) {
            guard date <= Self.latestDate else {
                throw MalformedReceipt(.propertyList(.invalidValue(milliseconds)), at: reader.position)
            }
            return date
        }
        guard let text = text(formatted) else { return nil }
        guard text.range.count == Self.dateCount + 8,
            reader.matches(ByteRange(offset: text.range.offset + Self.dateCount, count: 8), " Etc/GMT"),
            let date = ReceiptDate.milliseconds(
                reader.bytes, in: ByteRange(offset: text.range.offset, count: Self.dateCount))
        else { throw invalid(formatted, text) }
        return date
    }

    /// The length of date and time in characters.
    private static let dateCount = 19
    /// The end of the year 9999, the last that ISO 8601 writes with four digits.
    private static let latestDate: Int64 = 253_402_300_799_999

    private func invalid(_ key: TransactionKey, _ text: PropertyList.Text) -> MalformedReceipt {
        MalformedReceipt(.propertyList(.invalidValue(key)), at: text.range.offset)
    }
}
