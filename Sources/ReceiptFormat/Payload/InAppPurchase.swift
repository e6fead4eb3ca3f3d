/// One in-app purchase receipt: a transaction as an app receipt tells of it.
///
/// Texts are places in the receipt's bytes, dates milliseconds since 1970 UTC;
/// nil means absent, which receipts write as an empty string.
public struct InAppPurchase: Sendable, Hashable {
    public package(set) var quantity: Int64?
    public package(set) var productIdentifier: ByteRange?
    public package(set) var transactionIdentifier: ByteRange
    public package(set) var originalTransactionIdentifier: ByteRange?
    /// 0 non-consumable, 1 consumable, 2 non-renewing subscription, 3
    /// auto-renewable subscription, -1 unknown.
    public package(set) var productType: Int64?
    public package(set) var purchaseDate: Int64?
    public package(set) var originalPurchaseDate: Int64?
    public package(set) var expiresDate: Int64?
    public package(set) var cancellationDate: Int64?
    public package(set) var webOrderLineItemID: Int64?
    public package(set) var isTrialPeriod: Int64?
    public package(set) var isInIntroOfferPeriod: Int64?
    public package(set) var cancellationReason: Int64?
    public package(set) var promotionalOfferIdentifier: ByteRange?

    /// A purchase of which nothing else is known.
    package init(transactionIdentifier: ByteRange) {
        self.transactionIdentifier = transactionIdentifier
    }
}

extension InAppPurchase {
    /// ```
    /// InAppReceipt ::= SET OF ReceiptAttribute
    /// ```
    /// Apple, Receipt Validation Programming Guide, "In-App Purchase Receipt
    /// Fields". Attributes that are not named here are skipped.
    ///
    /// - Parameter types: where undocumented types are added.
    init(
        parsing reader: inout ByteReader, noting types: inout UndocumentedTypes
    ) throws(MalformedReceipt) {
        let start = reader.position
        var set = reader.reader(in: try reader.readElement(Tag.set).content)
        try reader.requireEnd()

        transactionIdentifier = ByteRange(offset: start, count: 0)
        var seen = AttributeSet(firstType: PurchaseAttribute.quantity)
        var attributeCount = 0
        while !set.isAtEnd {
            let attribute = try set.readAttribute()
            attributeCount += 1
            do throws(MalformedReceipt) {
                guard attributeCount <= AppReceipt.maximumAttributes else {
                    throw MalformedReceipt(.tooManyAttributes, at: attribute.value.offset)
                }
                try seen.insert(attribute)
                try read(attribute, from: set.reader(in: attribute.value))
            } catch {
                throw error.naming(attribute)
            }
        }
        guard !transactionIdentifier.isEmpty else {
            throw MalformedReceipt(.missingTransactionIdentifier, at: start)
        }
        types.formUnion(seen)
    }

    private mutating func read(
        _ attribute: Attribute, from value: consuming ByteReader
    ) throws(MalformedReceipt) {
        guard !value.isAtEnd else { return }
        switch attribute.type {
        case PurchaseAttribute.quantity: quantity = try value.readInteger()
        case PurchaseAttribute.productIdentifier: productIdentifier = try value.readText()
        case PurchaseAttribute.transactionIdentifier:
            if let text = try value.readText() { transactionIdentifier = text }
        case PurchaseAttribute.purchaseDate: purchaseDate = try value.readDate()
        case PurchaseAttribute.originalTransactionIdentifier:
            originalTransactionIdentifier = try value.readText()
        case PurchaseAttribute.originalPurchaseDate: originalPurchaseDate = try value.readDate()
        case PurchaseAttribute.productType: productType = try value.readInteger()
        case PurchaseAttribute.expiresDate: expiresDate = try value.readDate()
        case PurchaseAttribute.webOrderLineItemID: webOrderLineItemID = try value.readInteger()
        case PurchaseAttribute.cancellationDate: cancellationDate = try value.readDate()
        case PurchaseAttribute.isTrialPeriod: isTrialPeriod = try value.readInteger()
        case PurchaseAttribute.isInIntroOfferPeriod: isInIntroOfferPeriod = try value.readInteger()
        case PurchaseAttribute.cancellationReason: cancellationReason = try value.readOptionalNumber()
        case PurchaseAttribute.promotionalOfferIdentifier:
            promotionalOfferIdentifier = try value.readText()
        default: return
        }
        try value.requireEnd()
    }
}
