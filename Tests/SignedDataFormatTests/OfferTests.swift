import ReceiptFormat
import Testing

@testable import SignedDataFormat

/// What a purchase and its terms are made of.
@Suite("A signed transaction's purchase")
struct OfferTests {
    private func read(_ members: String) throws -> (purchase: InAppPurchase, text: ReadPayload) {
        let read = try ReadPayload(#"{"transactionId":"1"\#(members)}"#)
        let purchase = read.payload.purchase(in: read.bytes.span)
        return (try #require(purchase), read)
    }

    /// The share of the price that was refunded.
    private func share(_ read: ReadPayload) throws -> Double? {
        guard case .number(let slot) = try #require(SignedField.named("revocationPercentage")).slot else { return nil }
        return read.payload[share: slot]
    }

    @Test(
        "has a trial and an introductory offer as the discount says, unknown where none is told",
        arguments: [
            ("", 0, 0), (#","offerType":1"#, nil, nil), (#","offerType":1,"offerDiscountType":"FREE_TRIAL""#, 1, 0),
            (#","offerType":1,"offerDiscountType":"PAY_AS_YOU_GO""#, 0, 1),
            (#","offerType":1,"offerDiscountType":"PAY_UP_FRONT""#, 0, 1),
            (#","offerType":2,"offerDiscountType":"FREE_TRIAL""#, 1, 0), (#","offerType":2"#, 0, 0),
            (#","offerType":3,"offerDiscountType":"PAY_UP_FRONT""#, 0, 0), (#","offerType":4"#, 0, 0),
            (#","offerType":1,"offerDiscountType":"NEW_ONE""#, 0, 1),
            (#","offerType":null,"offerDiscountType":null"#, 0, 0),
        ] as [(String, Int64?, Int64?)])
    func offers(members: String, trial: Int64?, introductory: Int64?) throws {
        let found = try read(members).purchase
        #expect(found.isTrialPeriod == trial)
        #expect(found.isInIntroOfferPeriod == introductory)
    }

    @Test("names a promotional offer only where it is one")
    func promotionalOffers() throws {
        for type in 1...4 {
            let found = try read(#","offerType":\#(type),"offerIdentifier":"winter""#)
            #expect(found.text.text(found.purchase.promotionalOfferIdentifier) == (type == 2 ? "winter" : nil))
            #expect(found.text.text(.offerID) == "winter")
        }
    }

    @Test(
        "has the product types of receipts",
        arguments: [
            ("Non-Consumable", 0), ("Consumable", 1), ("Non-Renewing Subscription", 2),
            ("Auto-Renewable Subscription", 3),
            ("New", -1), ("consumable", -1),
        ] as [(String, Int64)])
    func productTypes(name: String, number: Int64) throws {
        #expect(try read(#","type":"\#(name)""#).purchase.productType == number)
    }

    @Test("is revoked by a date alone; the share is of thousandths of a percent")
    func revocations() throws {
        let undated = try read(#","revocationReason":1,"revocationType":"REFUND_FULL","revocationPercentage":100000"#)
        var none = undated.text.payload
        #expect(none.hasUndatedRevocation && undated.purchase.cancellationDate == nil)
        none.removeUndatedRevocation()
        #expect(none[.revocationReason] == nil && none.text("revocationType") == nil)
        #expect(none.number("revocationPercentage") == nil && none[.transactionID] != nil)
        let dated = try read(
            #","revocationDate":1730000000000,"revocationType":"REFUND_PRORATED","revocationPercentage":67932"#)
        var payload = dated.text.payload
        payload.removeUndatedRevocation()
        #expect(payload == dated.text.payload)
        #expect(try share(dated.text) == 0.67932 && payload[.revocationDate] == 1_730_000_000_000)
        #expect(payload[.revocationReason] == nil && dated.text.text(named: "revocationType") == "REFUND_PRORATED")
        #expect(dated.purchase.cancellationDate == 1_730_000_000_000)
        for (percentage, expected) in [("0", 0), ("100000", 1), ("100001", nil), ("-1", nil), ("1.5", nil)]
            as [(String, Double?)]
        {
            let found = try read(#","revocationDate":1,"revocationPercentage":\#(percentage)"#)
            #expect(try share(found.text) == expected, "\(percentage)")
        }
    }
}
