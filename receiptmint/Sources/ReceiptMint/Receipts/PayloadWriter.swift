/// Writes the content of a receipt (Apple, Receipt Validation Programming
/// Guide, "Receipt Fields"):
///
///     Payload ::= SET OF Attribute
///     Attribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
///
/// Attributes whose meaning Apple doesn't state hold plausible bytes.
struct PayloadWriter {
    var random: SeededRandom
    /// The store keeps no dependable order; a share of receipts shows it.
    private let isShuffled: Bool

    init(random: SeededRandom) {
        var random = random
        isShuffled = random.chance(0.4)
        self.random = random
    }

    mutating func payload(_ claims: ReceiptClaims) -> [UInt8] {
        DER.set(ordered(attributes(claims)).flatMap { $0 })
    }

    /// A SET whose last attribute claims more bytes than there are.
    mutating func overrunningPayload(_ claims: ReceiptClaims) -> [UInt8] {
        DER.set(attributes(claims).flatMap { $0 } + [0x30, 0x50, 0x02, 0x01, 0x02])
    }

    private mutating func attributes(_ claims: ReceiptClaims) -> [[UInt8]] {
        let isVolumePurchase = claims.environment == Customer.volumePurchase
        let attributes = [
            attribute(0, DER.utf8String(claims.environment)),
            attribute(1, DER.integer(claims.itemID)),
            attribute(2, DER.utf8String(claims.bundleID)),
            attribute(3, DER.utf8String(claims.appVersion)),
            attribute(4, claims.opaqueValue, version: 2),
            attribute(5, claims.deviceHash),
            attribute(6, random.bytes(random.int(44...106))),
            attribute(7, random.bytes(random.int(44...106))),
            attribute(8, date(claims.isSandbox ? nil : claims.createdAt)),
            attribute(9, DER.integer(0x5033_3035)),
            attribute(10, DER.ia5String(claims.app.ageRating)),
            attribute(11, DER.integer(claims.app.developerID)),
            attribute(12, date(claims.createdAt)),
            attribute(13, DER.integer(Int64(random.int(70_000...150_000)))),
            attribute(14, DER.integer(Int64(random.int(1...140)))),
            attribute(15, DER.integer(claims.downloadID)),
            attribute(16, DER.integer(claims.versionExternalID)),
            attribute(18, date(claims.customer.originallyPurchasedAt)),
            attribute(19, DER.utf8String(claims.customer.originalVersion)),
            attribute(21, date(claims.expiresAt)),
            attribute(25, DER.integer(claims.app.platform == .ios ? 3 : 2)),
            claims.app.platform == .ios ? attribute(20, DER.utf8String("")) : nil,
            isVolumePurchase ? attribute(23, DER.utf8String("Example School District")) : nil,
        ]
        let sold = claims.transactions.map { attribute(17, DER.set(inApp($0, claims).flatMap { $0 })) }
        return attributes.compactMap(\.self) + sold
    }

    private mutating func inApp(_ transaction: Transaction, _ claims: ReceiptClaims) -> [[UInt8]] {
        let isSubscription = transaction.product.kind == .autoRenewable
        let attributes = [
            attribute(1701, DER.integer(transaction.quantity)),
            attribute(1702, DER.utf8String(transaction.product.id)),
            attribute(1703, DER.utf8String(String(transaction.id))),
            attribute(1704, date(transaction.purchasedAt)),
            attribute(1705, DER.utf8String(String(transaction.originalID))),
            attribute(1706, date(transaction.originallyPurchasedAt)),
            attribute(1707, DER.integer(transaction.product.kind.rawValue)),
            attribute(1708, date(transaction.expiresAt)),
            attribute(1709, DER.utf8String("")),
            attribute(1710, DER.integer(claims.isSandbox ? 0 : claims.app.itemID + 7)),
            attribute(1711, DER.integer(transaction.webOrderLineItemID)),
            attribute(1712, date(transaction.canceledAt)),
            attribute(1713, DER.integer(transaction.isTrial ? 1 : 0)),
        ]
        let empty = (Int64(1714)...1718).map { attribute($0, DER.utf8String("")) }
        let further = [
            isSubscription ? attribute(1719, DER.integer(transaction.isIntroductory ? 1 : 0)) : nil,
            transaction.canceledAt == nil ? nil : attribute(1720, DER.utf8String("0")),
            transaction.promotionalOfferID.map { attribute(1721, DER.utf8String($0)) },
            claims.createdAt < Authority.changeover ? nil : attribute(1722, DER.integer(0)),
        ]
        return ordered(attributes + empty + further.compactMap(\.self))
    }

    private mutating func ordered(_ attributes: [[UInt8]]) -> [[UInt8]] {
        var attributes = attributes
        if isShuffled { random.shuffle(&attributes) }
        return attributes
    }

    private func attribute(_ type: Int64, _ value: [UInt8], version: Int64 = 1) -> [UInt8] {
        DER.sequence(DER.integer(type), DER.integer(version), DER.octetString(value))
    }

    /// An empty string stands for no date.
    private func date(_ time: CalendarTime?) -> [UInt8] { DER.ia5String(time?.text ?? "") }
}
