import ReceiptFormat
import TestSupport
import Testing

@Suite("An app receipt's payload")
struct AppReceiptTests {
    private func parse(_ bytes: [UInt8]) throws -> (app: AppReceipt, purchases: [InAppPurchase]) {
        var reader = ByteReader(bytes.span)
        var purchases: [InAppPurchase] = []
        let app = try AppReceipt(parsing: &reader, purchases: &purchases)
        return (app, purchases)
    }

    private func text(_ range: ByteRange?, in bytes: [UInt8]) -> String? {
        range.map { String(decoding: bytes[$0.indices], as: UTF8.self) }
    }

    private func payload(_ attributes: [UInt8]...) -> [UInt8] { BER.element(0x31, attributes.flatMap { $0 }) }

    private func purchase(_ attributes: [UInt8]...) -> [UInt8] {
        BER.attribute(17, BER.element(0x31, attributes.flatMap { $0 }))
    }

    private let transaction = BER.attribute(1703, BER.utf8("1000000001"))

    @Test("holds the attributes that Apple names, in any order")
    func readsAttributes() throws {
        let bytes = payload(
            BER.attribute(19, BER.utf8("1.0")), BER.attribute(0, BER.utf8("Production")),
            BER.attribute(1, BER.integer(991_234_567)), BER.attribute(2, BER.utf8("com.example.é")),
            BER.attribute(3, BER.utf8("2.1")), BER.attribute(4, [0x02, 0x01, 0x05, 0xff]),
            BER.attribute(5, [UInt8](repeating: 0xab, count: 20)),
            BER.attribute(12, BER.ia5("2016-06-13T12:07:19Z")), BER.attribute(15, BER.integer(77)),
            BER.attribute(16, BER.integer(0)), BER.attribute(18, BER.ia5("2013-08-01T07:00:00Z")),
            BER.attribute(21, BER.ia5("4001-01-01T00:00:00Z")), BER.attribute(32, BER.ia5("1970-01-01T00:00:01Z")))
        let app = try parse(bytes).app
        #expect(text(app.environment, in: bytes) == "Production")
        #expect(app.appItemID == 991_234_567)
        #expect(text(app.bundleIdentifier, in: bytes) == "com.example.é")
        #expect(app.bundleIdentifierBytes.map { Array(bytes[$0.indices]) } == BER.utf8("com.example.é"))
        #expect(text(app.appVersion, in: bytes) == "2.1")
        #expect(app.opaqueValue.map { Array(bytes[$0.indices]) } == [0x02, 0x01, 0x05, 0xff])
        #expect(app.sha1Hash.map { Array(bytes[$0.indices]) } == [UInt8](repeating: 0xab, count: 20))
        #expect(app.receiptCreationDate == 1_465_819_639_000)
        #expect(app.downloadID == 77)
        #expect(app.versionExternalIdentifier == 0)
        #expect(app.originalPurchaseDate == 1_375_340_400_000)
        #expect(text(app.originalApplicationVersion, in: bytes) == "1.0")
        #expect(app.expirationDate == 64_092_211_200_000)
        #expect(app.preorderDate == 1000)
    }

    @Test("holds purchases with the attributes that Apple names, in the receipt's order")
    func readsPurchases() throws {
        let whole = purchase(
            BER.attribute(1721, BER.utf8("spring")), BER.attribute(1702, BER.utf8("gold")), transaction,
            BER.attribute(1701, BER.integer(3)), BER.attribute(1704, BER.ia5("1970-01-01T00:00:04Z")),
            BER.attribute(1705, BER.utf8("1000000000")), BER.attribute(1706, BER.ia5("1970-01-01T00:00:06Z")),
            BER.attribute(1707, [0x02, 0x01, 0xff]), BER.attribute(1708, BER.ia5("1970-01-01T00:00:08Z")),
            BER.attribute(1711, BER.integer(11)), BER.attribute(1712, BER.ia5("1970-01-01T00:00:12Z")),
            BER.attribute(1713, BER.integer(1)), BER.attribute(1719, BER.integer(0)),
            BER.attribute(1720, BER.integer(1)))
        let bytes = payload(purchase(BER.attribute(1703, BER.utf8("7"))), BER.attribute(3, BER.utf8("1")), whole)
        let purchases = try parse(bytes).purchases
        try #require(purchases.count == 2)
        #expect(text(purchases[0].transactionIdentifier, in: bytes) == "7")
        let found = purchases[1]
        #expect(text(found.transactionIdentifier, in: bytes) == "1000000001")
        #expect(text(found.productIdentifier, in: bytes) == "gold")
        #expect(text(found.originalTransactionIdentifier, in: bytes) == "1000000000")
        #expect(text(found.promotionalOfferIdentifier, in: bytes) == "spring")
        #expect(found.quantity == 3 && found.productType == -1 && found.webOrderLineItemID == 11)
        #expect(found.purchaseDate == 4000 && found.originalPurchaseDate == 6000)
        #expect(found.expiresDate == 8000 && found.cancellationDate == 12_000)
        #expect(found.isTrialPeriod == 1 && found.isInIntroOfferPeriod == 0 && found.cancellationReason == 1)
    }

    @Test("may hold unknown attributes, whatever their bytes")
    func skipsUnknownAttributes() throws {
        let bytes = payload(
            BER.attribute(6, [0xff, 0x80]), BER.attribute(63, []), BER.attribute(64, [0x1f]),
            BER.attribute(65, [0x1f]), BER.attribute(1_000_000, [0x30, 0x80]),
            BER.sequence([0x02, 8, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], BER.integer(1), BER.octets([9])),
            BER.sequence([0x02, 8, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x02, 1, 0xff], BER.octets([9])),
            purchase(transaction, BER.attribute(1799, [0xff]), BER.attribute(1710, [0x0c]), BER.attribute(2, [0xff])))
        let found = try parse(bytes)
        #expect(found.purchases.count == 1)
        #expect(found.app.bundleIdentifier == nil && found.app.environment == nil)
    }

    @Test("treats empty strings and empty values as absent")
    func treatsEmptyAsAbsent() throws {
        for empty: (Int) -> [UInt8] in [
            { BER.attribute($0, []) }, { BER.attribute($0, BER.utf8("")) }, { BER.attribute($0, BER.ia5("")) },
        ] {
            let bytes = payload(
                empty(0), empty(2), empty(3), empty(12), empty(18), empty(19), empty(21), empty(32),
                purchase(transaction, empty(1702), empty(1704), empty(1705), empty(1708), empty(1712), empty(1720)))
            let found = try parse(bytes)
            #expect(found.app.environment == nil && found.app.appVersion == nil && found.app.bundleIdentifier == nil)
            #expect(found.app.receiptCreationDate == nil && found.app.originalPurchaseDate == nil)
            #expect(found.app.expirationDate == nil && found.app.preorderDate == nil)
            let first = try #require(found.purchases.first)
            #expect(first.productIdentifier == nil && first.originalTransactionIdentifier == nil)
            #expect(first.purchaseDate == nil && first.expiresDate == nil && first.cancellationDate == nil)
            #expect(first.cancellationReason == nil)
        }
        let bytes = payload(BER.attribute(4, []), BER.attribute(5, []))
        #expect(try parse(bytes).app.opaqueValue == nil)
        #expect(try parse(bytes).app.sha1Hash == nil)
    }

    @Test("is refused where an attribute occurs twice, an empty one too")
    func refusesDuplicates() {
        let bundle = BER.attribute(2, BER.utf8("com.example.app"))
        #expect(fault { try parse(payload(bundle, bundle)) } == .duplicateAttribute)
        #expect(fault { try parse(payload(bundle, BER.attribute(2, []))) } == .duplicateAttribute)
        #expect(fault { try parse(payload(BER.attribute(4, [1]), BER.attribute(4, [2]))) } == .duplicateAttribute)
        #expect(fault { try parse(payload(purchase(transaction, transaction))) } == .duplicateAttribute)
        // Equal purchases are no duplicate attribute: each is a receipt of its own.
        #expect(fault { try parse(payload(purchase(transaction), purchase(transaction))) } == nil)
    }

    @Test(
        "is refused where an attribute that is skipped occurs twice, whatever its type",
        arguments: [8, 63, 64, 99, 1700, 1703, 1801, 70_000])
    func refusesUnknownDuplicates(type: Int) {
        let (one, other) = (BER.attribute(type, [1]), BER.attribute(type, [2]))
        let between = (3000..<3100).flatMap { BER.attribute($0, []) }
        #expect(fault { try parse(payload(one, one)) } == .duplicateAttribute)
        #expect(fault { try parse(payload(one, between, other)) } == .duplicateAttribute)
        // Of another type each, and in a purchase beside the payload, it may stand.
        #expect(fault { try parse(payload(one, between, BER.attribute(type + 1, [2]))) } == nil)
    }

    @Test(
        "is refused where a skipped attribute of a purchase occurs twice, whatever its type",
        arguments: [2, 1699, 1700, 1709, 1763, 1764, 1765, 1800, 70_000])
    func refusesUnknownDuplicatesOfPurchases(type: Int) {
        let (one, other) = (BER.attribute(type, [1]), BER.attribute(type, [2]))
        let between = (3000..<3100).flatMap { BER.attribute($0, []) }
        #expect(fault { try parse(payload(purchase(transaction, one, between, other))) } == .duplicateAttribute)
        #expect(fault { try parse(payload(purchase(transaction, one), purchase(transaction, other))) } == nil)
    }

    @Test("reads attribute types at the ends of 64 bits")
    func distinguishesExtremeTypes() {
        func attribute(_ type: [UInt8]) -> [UInt8] {
            BER.sequence(BER.element(0x02, type), BER.integer(1), BER.octets([]))
        }
        let types: [[UInt8]] = [
            [0xff], [0x80, 0, 0, 0, 0, 0, 0, 0], [0x7f] + [UInt8](repeating: 0xff, count: 7),
            [0x80, 0, 0, 0, 0, 0, 6, 0xa5],
        ]
        #expect(fault { try parse(payload(types.flatMap(attribute))) } == nil)
        for type in types {
            #expect(fault { try parse(payload(attribute(type), attribute(type))) } == .duplicateAttribute)
        }
        // The same type in fewer bytes and in more.
        #expect(fault { try parse(payload(attribute([99]), attribute([0, 99]))) } == .duplicateAttribute)
    }

    @Test("is refused where a purchase lacks its transaction identifier, and says where")
    func refusesNamelessPurchases() {
        let product = BER.attribute(1702, BER.utf8("gold"))
        for bytes in [
            payload(purchase()), payload(purchase(product)), payload(purchase(product, BER.attribute(1703, []))),
            payload(purchase(BER.attribute(1703, BER.utf8("")))),
        ] {
            #expect(fault { try parse(bytes) } == .missingTransactionIdentifier)
        }
        #expect(throws: MalformedReceipt(.missingTransactionIdentifier, at: 12, attribute: 17)) {
            try parse(payload(purchase(product)))
        }
    }

    @Test("states a cancellation's reason as an integer or as its decimal text")
    func readsNumbersAsText() throws {
        func reason(_ value: [UInt8]) throws -> Int64? {
            try parse(payload(purchase(transaction, BER.attribute(1720, value)))).purchases.first?.cancellationReason
        }
        #expect(try reason(BER.utf8("0")) == 0)
        #expect(try reason(BER.ia5("1")) == 1)
        #expect(try reason(BER.integer(1)) == 1)
        #expect(try reason(BER.utf8("9223372036854775807")) == .max)
        #expect(try reason(BER.utf8("9223372036854775808")) == nil)
        #expect(try reason(BER.utf8("99999999999999999999999")) == nil)
        #expect(try reason(BER.utf8("1x")) == nil)
        #expect(fault { try reason([0x02, 0]) } == .invalidInteger)
        #expect(fault { try reason(BER.octets([0x31])) } == .invalidText)
    }
}
