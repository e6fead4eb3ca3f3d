/// The `purchase-info` of a transaction receipt: what the store says of one
/// purchase on iOS 6 and before.
///
/// Texts are places in the bytes that were parsed, dates milliseconds since 1970
/// UTC; nil means absent or empty. Everything here is a claim until the
/// signature has been verified.
public struct TransactionReceipt: Sendable, Hashable {
    public var bundleIdentifier: PropertyList.Text?
    public var appVersion: PropertyList.Text?
    public let appItemID: Int64?
    public let versionExternalIdentifier: Int64?
    public var productIdentifier: PropertyList.Text?
    /// Decimal in the store's receipts; other writers take any text.
    public var transactionIdentifier: PropertyList.Text
    public var originalTransactionIdentifier: PropertyList.Text?
    public let quantity: Int64?
    public let purchaseDate: Int64?
    public let originalPurchaseDate: Int64?
    public let expiresDate: Int64?
    public let cancellationDate: Int64?
    public let webOrderLineItemID: Int64?
    public let isTrialPeriod: Int64?
    public let isInIntroOfferPeriod: Int64?

    /// Reads the decoded `purchase-info`; keys that are not named here, such as
    /// the dates in Pacific time, are skipped.
    public init(parsing reader: inout ByteReader) throws(MalformedReceipt) {
        let start = reader.position
        let fields = Fields(values: try PropertyList(parsing: &reader).values(reader))
        guard let transaction = fields.text(.transactionIdentifier) else {
            throw MalformedReceipt(.propertyList(.missing(.transactionIdentifier)), at: start)
        }
        transactionIdentifier = transaction
        bundleIdentifier = fields.text(.bundleIdentifier)
        appVersion = fields.text(.appVersion)
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

/// The strings of a `purchase-info`, read as what their keys stand for. A value
/// that is there but not of its form is a fault; an empty one is absent.
private struct Fields {
    let values: [TransactionKey: PropertyList.Text]

    func text(_ key: TransactionKey) -> PropertyList.Text? {
        values[key].flatMap { $0.range.isEmpty ? nil : $0 }
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

    /// The milliseconds of one key, or else the `2012-12-02 07:15:54 Etc/GMT` of
    /// the other.
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

    /// Characters of a date and a time.
    private static let dateCount = 19
    /// The end of the year 9999, the last that ISO 8601 writes with four digits.
    private static let latestDate: Int64 = 253_402_300_799_999

    private func invalid(_ key: TransactionKey, _ text: PropertyList.Text) -> MalformedReceipt {
        MalformedReceipt(.propertyList(.invalidValue(key)), at: text.range.offset)
    }
}
