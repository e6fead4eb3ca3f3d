import ReceiptFormat
import TestSupport
import Testing

@testable import SignedDataFormat

@Suite("Fields of 2026")
struct Fields2026Tests {
    @Test("of a commitment are read from the object that holds them")
    func commitment() throws {
        let instalment = try ReadPayload(Documents2026.instalment)
        #expect(instalment.payload.kind == .signedTransaction)
        #expect(instalment.text(named: "billingPlanType") == "MONTHLY")
        #expect(instalment.payload.number("billingPeriodNumber") == 3)
        #expect(instalment.payload.number("totalBillingPeriods") == 12)
        #expect(instalment.payload.number("commitmentPrice") == 119_880)
        #expect(instalment.payload.number("commitmentExpiresDate") == 1_756_000_000_000)
        #expect(instalment.text(named: "previousOriginalTransactionId") == "2999")
        #expect(instalment.text(named: "storefrontId") == "143455")
        let leaving = try ReadPayload(Documents2026.leaving)
        #expect(leaving.payload.kind == .signedRenewal)
        #expect(leaving.payload.number("commitmentAutoRenewStatus") == 0)
        #expect(leaving.text(named: "commitmentAutoRenewProductId") == "silver.year")
        #expect(leaving.text(named: "eligibleWinBackOfferIds") == #"["back1","back2"]"#)
        #expect(instalment.payload.extras == nil && leaving.payload.extras == nil)
    }

    /// 5 × 9.99 + 3 × 7.99 = 73.92, where 8 × 9.24 is 73.92, too; of seven seats 65.93, and not 7 × 9.419.
    @Test("of seats have the price of all seats together")
    func seats() throws {
        let seats = try ReadPayload(Documents2026.seats)
        #expect(seats.payload[.amount] == 73_920)
        #expect(seats.payload.number("revokedSeatQuantity") == 1)
        #expect(seats.text(named: "invitationManagement") == "DEVELOPER")
        #expect(seats.text(named: "priceTiers") == #"[{"price":9990,"quantity":5},{"quantity":3,"price":7990}]"#)
        let seven = Documents2026.seats.replacing(#""quantity":3,"#, with: #""quantity":2,"#)
        #expect(try ReadPayload(seven).payload[.amount] == 65_930)
    }

    @Test(
        "of seats have no price together where a tier can't be read",
        arguments: [
            #"{"price":9990}"#, #"{"quantity":2}"#, #"{"price":"9990","quantity":2}"#, #"{"price":-1,"quantity":2}"#,
            #"{"price":9223372036854775807,"quantity":2}"#, #"{"price":9007199254740991,"quantity":2}"#,
            #"{"price":9007199254740991,"quantity":9007199254740991}"#,
            #"{"price":9007199254740991,"quantity":1},{"price":1,"quantity":1}"#,
        ])
    func tiers(text: String) throws {
        let payload = try ReadPayload(
            #"{"transactionId":"1","multiSeatInfo":{"priceTiers":[\#(text)]}}"#)
        #expect(payload.payload[.amount] == nil)
    }

    @Test("of a sale by the Advanced Commerce API stand in a record for each item and refund")
    func commerce() throws {
        let read = try ReadPayload(Documents2026.commerce)
        let commerce = try #require(read.payload.extras?.commerce)
        func text(_ values: SlotValues, _ column: String, _ record: SignedField.Record) -> String? {
            guard case .text(let slot) = SignedField.stored(in: record).first(where: { $0.column == column })?.slot
            else { return nil }
            return read.text(values[text: slot])
        }
        func number(_ values: SlotValues, _ column: String, _ record: SignedField.Record) -> Int64? {
            guard case .number(let slot) = SignedField.stored(in: record).first(where: { $0.column == column })?.slot
            else { return nil }
            return values[number: slot]
        }
        #expect(text(commerce.values, "tax_rate", .commerce) == "0.20")
        #expect(number(commerce.values, "tax_exclusive_price_milliunits", .commerce) == 15_000)
        #expect(text(commerce.values, "display_name", .commerce) == "All")
        #expect(commerce.items.map { text($0.values, "sku", .item) } == ["one", "two", "three"])
        #expect(commerce.items.map { number($0.values, "price_milliunits", .item) } == [10_000, 5_000, 3_000])
        #expect(number(commerce.items[0].values, "offer_price_milliunits", .item) == 500)
        #expect(number(commerce.items[1].values, "revoked_date", .item) == 1_730_500_000_000)
        #expect(
            commerce.items.map { $0.refunds.map { number($0, "refund_milliunits", .refund) } }
                == [[], [2_000, 500], []])
        #expect(read.payload.number("price") == 18_000)
        #expect(read.payload[.revocationDate] == nil)
    }

    @Test(
        "of notifications stand in the object that the notification is about, which names the app",
        arguments: [
            (Documents2026.summary, "ProductionSandbox", "succeededCount"),
            (Documents2026.token, "ProductionSandbox", "tokenExpirationDate"),
            (Documents2026.unclaim, "Production", nil),
        ] as [(String, String, String?)])
    func notifications(json: String, environment: String, number: String?) throws {
        let read = try ReadPayload(json)
        #expect(read.payload.kind == .notification && read.payload.extras == nil)
        #expect(read.text(.environment) == environment && read.text(.bundleID) == "com.example.app")
        #expect(read.payload[.appAppleID] == 777)
        if let number { #expect(read.payload.number(number) != nil) }
    }

    @Test("of several objects that a notification is about are all read; the first in the table counts")
    func subjects() throws {
        for order in [["data", "unclaimInfo"], ["unclaimInfo", "data"]] {
            let objects = [
                "data": #"{"bundleId":"one","environment":"Production","status":1}"#,
                "unclaimInfo": #"{"bundleId":"two","unclaimSeatIds":["s"]}"#,
            ]
            let members = order.map { "\"\($0)\":\(objects[$0] ?? "")" }.joined(separator: ",")
            let read = try ReadPayload(#"{"notificationType":"UNCLAIM_SEATS",\#(members)}"#)
            #expect(read.text(.bundleID) == "one" && read.payload.number("status") == 1)
            #expect(read.text(named: "unclaimSeatIds") == #"["s"]"# && read.payload.extras == nil)
        }
    }

    @Test("a request for a retention message is of a kind of its own")
    func realtimeRequest() throws {
        let read = try ReadPayload(Documents2026.realtimeRequest)
        #expect(read.payload.kind == .realtimeRequest && read.payload.extras == nil)
        #expect(read.text(named: "userLocale") == "fr-CA" && read.text(.originalTransactionID) == "3001")
        #expect(read.payload[.signedDate] == SignedStringStore.signedAt)
    }
}

@Suite("Members that the table of fields does not know")
struct UnknownMembersTests {
    private func unknown(_ json: String) throws -> [String] {
        try ReadPayload(json).payload.extras?.unknown.members.map { "\($0.path) \($0.valueType)" } ?? []
    }

    @Test("are noted with their path and type; so are values of closed lists, and values of another type")
    func tomorrow() throws {
        #expect(
            try unknown(Documents2026.tomorrow) == [
                "commitmentInfo.pause boolean", #"inAppOwnershipType string "LEASED""#, "loyalty object",
                "offerType number 9", "price string", "renewalDate number", #"type string "Rental""#,
            ])
        let read = try ReadPayload(Documents2026.tomorrow)
        #expect(read.payload.number("price") == nil && read.payload.number("offerType") == 9)
        #expect(read.text(.productType) == "Rental")
    }

    @Test("are none in the documents of 2026 that are known")
    func none() throws {
        for json in Documents2026.all.dropLast() { #expect(try unknown(json) == [], "\(json)") }
    }

    @Test(
        "are named within the objects that hold them",
        arguments: [
            (
                #""multiSeatInfo":{"priceTiers":[{"price":1,"quantity":1,"x":1}]}"#,
                "multiSeatInfo.priceTiers[].x number"
            ),
            (#""multiSeatInfo":{"priceTiers":[7]}"#, "multiSeatInfo.priceTiers[] number"),
            (#""multiSeatInfo":7"#, "multiSeatInfo number"),
            (#""advancedCommerceInfo":{"items":{}}"#, "advancedCommerceInfo.items object"),
            (#""advancedCommerceInfo":{"items":[{"x":[]}]}"#, "advancedCommerceInfo.items[].x array"),
            (
                #""advancedCommerceInfo":{"items":[{"refunds":[{"refundType":"HALF"}]}]}"#,
                #"advancedCommerceInfo.items[].refunds[].refundType string "HALF""#
            ),
            (#""x\ty":true"#, "x?y boolean"), (#""a":null,"x":[]"#, "x array"),
            (#""isUpgraded":"yes""#, "isUpgraded string"),
            (#""quantity":1.5"#, "quantity number"), (#""":1"#, #""" number"#),
            (#""webOrderLineItemId":"7a""#, "webOrderLineItemId string"),
        ])
    func paths(member: String, expected: String) throws {
        #expect(try unknown(#"{"transactionId":"1",\#(member)}"#) == [expected])
    }

    @Test("are those, too, that only documents of another kind are known to state, also within objects")
    func foreign() throws {
        let found = try unknown(
            #"{"originalTransactionId":"1","autoRenewStatus":1,"transactionReason":"X","price":1,"commitmentInfo":"#
                + #"{"billingPeriodNumber":3,"commitmentAutoRenewStatus":1},"multiSeatInfo":{"invitationManagement":"APPLE"}}"#
        )
        #expect(
            found == [
                "commitmentInfo.billingPeriodNumber number", "multiSeatInfo.invitationManagement string",
                "price number", #"transactionReason string "X""#,
            ])
    }

    @Test("of a notification's subject begin with its name")
    func subject() throws {
        let found = try unknown(
            #"{"notificationType":"NEW","data":{"status":6,"x":1},"subtype":"\u0041B"}"#)
        #expect(
            found == [
                "data.status number 6", "data.x number", #"notificationType string "NEW""#,
                #"subtype string "\u0041B""#,
            ])
    }

    @Test("are bounded in number and in length, whatever the document")
    func bounds() throws {
        let many = (0..<500).map { "\"m\($0)\":1" }.joined(separator: ",")
        #expect(try unknown(#"{"transactionId":"1",\#(many)}"#).count == UnknownMembers.maximumCount)
        let long = String(repeating: "é", count: 5_000)
        let found = try unknown(#"{"transactionId":"1","\#(long)":1,"type":"\#(long)"}"#)
        #expect(found.count == 2 && found.allSatisfy { $0.count < 180 })
    }
}
