import ReceiptFormat
import TestSupport
import Testing

@Suite("The shape of a payload")
struct PayloadShapeTests {
    private func parse(_ bytes: [UInt8]) throws -> (app: AppReceipt, purchases: [InAppPurchase]) {
        var reader = ByteReader(bytes.span)
        var purchases: [InAppPurchase] = []
        let app = try AppReceipt(parsing: &reader, purchases: &purchases)
        return (app, purchases)
    }

    private let environment = BER.attribute(0, BER.utf8("Xcode"))

    @Test("is not wrapped in octet strings of its own")
    func refusesWrapping() throws {
        let payload = BER.set(environment)
        #expect(try parse(payload).app.environment?.count == 5)
        for bytes in [BER.octets(payload), BER.octets(BER.octets(payload)), BER.indefinite(0x24, BER.octets(payload))] {
            #expect(fault { try parse(bytes) } == .unexpectedTag(expected: 0x31, found: bytes[0]))
        }
    }

    @Test("is a SET of triples and nothing else")
    func refusesOtherShapes() {
        let (type, version) = (BER.integer(3), BER.integer(1))
        #expect(fault { try parse(BER.sequence(environment)) } == .unexpectedTag(expected: 0x31, found: 0x30))
        #expect(fault { try parse(BER.set(BER.set(type, version, BER.octets([])))) } != nil)
        #expect(fault { try parse(BER.set(BER.sequence(type, version))) } == .truncated)
        #expect(fault { try parse(BER.set(BER.sequence(type, version, BER.utf8("1")))) } != nil)
        let four = BER.sequence(type, version, BER.octets(BER.utf8("1")), BER.integer(1))
        #expect(fault { try parse(BER.set(four)) } == .trailingBytes)
        #expect(fault { try parse(BER.set(environment) + [0]) } == .trailingBytes)
        #expect(fault { try parse(BER.set(BER.attribute(3, BER.utf8("1") + [5]))) } == .trailingBytes)
        #expect(fault { try parse(BER.set(BER.attribute(17, BER.set() + [5]))) } == .trailingBytes)
        #expect(fault { try parse(BER.set(BER.attribute(17, []))) } == .truncated)
        #expect(fault { try parse([]) } == .truncated)
    }

    @Test("holds values in one piece, which may be wrapped")
    func refusesFragments() throws {
        let pieces: [UInt8] = [0x24, 6, 0x04, 1, 0x0c, 0x04, 1, 0x00]
        let fragmented = BER.set(BER.sequence(BER.integer(3), BER.integer(1), pieces))
        #expect(throws: MalformedReceipt(.fragmentedValue, at: 10, attribute: 3)) { try parse(fragmented) }
        let wrapped = BER.indefinite(0x24, BER.octets(BER.utf8("1.0")))
        let bytes = BER.indefinite(0x31, BER.indefinite(0x30, BER.integer(3) + BER.integer(1) + wrapped))
        #expect(try parse(bytes).app.appVersion?.count == 3)
    }

    @Test("may be empty")
    func readsEmptyPayloads() throws {
        for bytes: [UInt8] in [[0x31, 0], [0x31, 0x80, 0, 0]] {
            let found = try parse(bytes)
            #expect(found.app.receiptCreationDate == nil && found.purchases.isEmpty)
        }
    }

    @Test("names the attribute that holds a fault")
    func namesAttributes() {
        func attribute(_ bytes: [UInt8]) -> Int64? {
            do {
                _ = try parse(bytes)
                return nil
            } catch {
                return (error as? MalformedReceipt)?.attribute
            }
        }
        #expect(attribute(BER.set(environment, BER.attribute(12, BER.ia5("soon")))) == 12)
        #expect(attribute(BER.set(BER.attribute(1, BER.utf8("1")))) == 1)
        let transaction = BER.attribute(1703, BER.utf8("1"))
        let badDate = BER.attribute(1704, BER.ia5("2023-02-29T00:00:00Z"))
        #expect(attribute(BER.set(BER.attribute(17, BER.set(transaction, badDate)))) == 1704)
    }

    @Test("holds as many purchases as the limit and no more")
    func limitsPurchases() throws {
        let purchase = BER.attribute(17, BER.set(BER.attribute(1703, BER.utf8("1"))))
        let most = [[UInt8]](repeating: purchase, count: AppReceipt.maximumPurchases).flatMap { $0 }
        #expect(try parse(BER.element(0x31, most)).purchases.count == AppReceipt.maximumPurchases)
        #expect(fault { try parse(BER.element(0x31, most + purchase)) } == .tooManyPurchases)
    }

    @Test("holds as many attributes as the limit and no more, in purchases too")
    func limitsAttributes() throws {
        func unknown(_ count: Int) -> [UInt8] { (0..<count).flatMap { BER.attribute(2000 + $0, []) } }
        let most = unknown(AppReceipt.maximumAttributes)
        #expect(fault { try parse(BER.element(0x31, most)) } == nil)
        let more = unknown(AppReceipt.maximumAttributes + 1)
        #expect(fault { try parse(BER.element(0x31, more)) } == .tooManyAttributes)
        // Purchases don't count as attributes.
        let transaction = BER.attribute(1703, BER.utf8("1"))
        let purchase = BER.attribute(17, BER.set(transaction))
        #expect(fault { try parse(BER.element(0x31, most + purchase)) } == nil)
        let few = unknown(AppReceipt.maximumAttributes - 1)
        #expect(fault { try parse(BER.set(BER.attribute(17, BER.element(0x31, few + transaction)))) } == nil)
        let many = BER.set(BER.attribute(17, BER.element(0x31, most + transaction)))
        #expect(fault { try parse(many) } == .tooManyAttributes)
    }

    @Test("is read the same without its purchases")
    func readsOwnAttributesAlone() throws {
        func own(_ bytes: [UInt8]) throws -> AppReceipt {
            var reader = ByteReader(bytes.span)
            return try AppReceipt(parsingOwnAttributes: &reader)
        }
        let purchase = BER.attribute(17, BER.set(BER.attribute(1703, BER.utf8("1"))))
        let bytes = BER.set(environment, purchase, BER.attribute(5, [1, 2]), BER.attribute(1, BER.integer(9)))
        #expect(try own(bytes) == parse(bytes).app)
    }
}
