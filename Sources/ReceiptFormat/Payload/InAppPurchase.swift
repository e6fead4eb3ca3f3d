/// One in-app purchase receipt: a transaction as stated by an app receipt.
///
/// Texts are ranges of the receipt's bytes; dates are milliseconds since 1970 UTC; nil means absent, which receipts
/// write as an empty string.
public struct InAppPurchase: Sendable, Hashable {
    /// The number of items purchased (attribute 1701).
    public package(set) var quantity: Int64?
    /// The product's identifier (attribute 1702).
    public package(set) var productIdentifier: ByteRange?
    /// The transaction's identifier, never empty once parsed (attribute 1703).
    public package(set) var transactionIdentifier: ByteRange
    /// The identifier of the transaction that was restored or renewed (attribute 1705).
    public package(set) var originalTransactionIdentifier: ByteRange?
    /// The type of the product (attribute 1707): 0 non-consumable, 1 consumable, 2
    /// non-renewing subscription, 3 auto-renewable subscription, -1 unknown.
    public package(set) var productType: Int64?
    /// When the product was purchased or restored (attribute 1704).
    public package(set) var purchaseDate: Int64?
    /// When the original transaction was made (attribute 1706).
    public package(set) var originalPurchaseDate: Int64?
    /// When the subscription's period ends (attribute 1708).
    public package(set) var expiresDate: Int64?
    /// When Apple's support canceled the transaction (attribute 1712).
    public package(set) var cancellationDate: Int64?
    /// The identifier of a subscription's purchase across devices (attribute 1711).
    public package(set) var webOrderLineItemID: Int64?
    /// Whether the period is a free trial, 0 or 1 (attribute 1713).
    public package(set) var isTrialPeriod: Int64?
    /// Whether the period has an introductory price, 0 or 1 (attribute 1719).
    public package(set) var isInIntroOfferPeriod: Int64?
    /// Why the transaction was canceled: 1 for an issue with the app, 0 for another
    /// reason (attribute 1720).
    public package(set) var cancellationReason: Int64?
    /// The identifier of a promotional offer that was redeemed (attribute 1721).
    public package(set) var promotionalOfferIdentifier: ByteRange?

    /// Creates a purchase with only its transaction.
    package init(transactionIdentifier: ByteRange) {
        self.transactionIdentifier = transactionIdentifier
    }
}

extension InAppPurchase {
    /// Reads an in-app purchase receipt and requires that nothing follows it.
    ///
    /// ```
    /// InAppReceipt ::= SET OF ReceiptAttribute
    /// ```
    /// Apple, Receipt Validation Programming Guide, "In-App Purchase Receipt
    /// Fields". Attributes not in ``PurchaseAttribute`` are skipped.
    ///
    /// - Parameter types: the set to which undocumented types are added.
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
