import ReceiptFormat
import Testing

@testable import SignedDataFormat

/// The kind of a payload is what it says, wherever it stood.
@Suite("A payload's kind")
struct PayloadKindTests {
    private func kind(_ json: String) throws -> ReceiptKind { try ReadPayload(json).payload.kind }

    @Test("follows from its members")
    func recognises() throws {
        #expect(try kind(#"{"transactionId":"1"}"#) == .signedTransaction)
        #expect(try kind(#"{"originalTransactionId":"1","autoRenewStatus":0}"#) == .signedRenewal)
        #expect(try kind(#"{"originalTransactionId":"1","autoRenewProductId":"p"}"#) == .signedRenewal)
        #expect(try kind(#"{"originalTransactionId":"1","expirationIntent":1,"productId":"p"}"#) == .signedRenewal)
        #expect(try kind(#"{"originalTransactionId":"1","renewalDate":1}"#) == .signedRenewal)
        #expect(try kind(#"{"receiptType":"Production"}"#) == .appTransaction)
        #expect(try kind(#"{"receiptCreationDate":1}"#) == .appTransaction)
        #expect(try kind(#"{"originalApplicationVersion":"1"}"#) == .appTransaction)
        #expect(try kind(#"{"notificationType":"TEST"}"#) == .notification)
        #expect(try kind(#"{"notificationType":"NEW_ONE","data":{"transactionId":"1"}}"#) == .notification)
        // All of a transaction's members beside those of a renewal info.
        #expect(try kind(#"{"autoRenewStatus":1,"transactionId":"1","renewalDate":1}"#) == .signedTransaction)
        #expect(try kind(#"{"transactionId":"1","notificationType":"TEST"}"#) == .notification)
        // A null is absent.
        #expect(try kind(#"{"notificationType":null,"transactionId":"1"}"#) == .signedTransaction)
        #expect(try kind(#"{"transactionId":null,"originalTransactionId":"1","autoRenewStatus":1}"#) == .signedRenewal)
        #expect(try kind(#"{"purchaseDate":null,"receiptType":"Xcode"}"#) == .appTransaction)
    }

    @Test("is none where nothing tells of one")
    func refusesOthers() {
        for json in [
            "{}", #"{"bundleId":"com.example.app"}"#, #"{"environment":"Sandbox","signedDate":1672956154000}"#,
            #"{"originalTransactionId":"1"}"#, #"{"data":{"transactionId":"1"}}"#, #"{"transactionId":null}"#,
            #"{"TransactionId":"1"}"#, #"{"a":{"transactionId":"1"}}"#, #"{"iss":"x","sub":"y","exp":1}"#,
            #"{"notificationType":null,"data":{}}"#,
        ] { #expect(fault(json) == .kind, "\(json)") }
    }

    @Test("has what it can't be without, or the payload is malformed")
    func requires() {
        for json in [
            #"{"purchaseDate":1}"#, #"{"inAppOwnershipType":"PURCHASED","productId":"p"}"#, #"{"transactionId":""}"#,
            #"{"transactionId":1}"#, #"{"transactionId":["1"]}"#, #"{"transactionId":null,"purchaseDate":1}"#,
            #"{"autoRenewStatus":1}"#, #"{"autoRenewStatus":1,"originalTransactionId":null}"#,
            #"{"autoRenewStatus":1,"originalTransactionId":7}"#, #"{"notificationUUID":"u"}"#,
            #"{"notificationUUID":"u","notificationType":null}"#, #"{"notificationType":1}"#,
            #"{"notificationType":""}"#,
        ] { #expect(fault(json) == .payload, "\(json)") }
    }

    @Test("that is a notification's is about one subject, data before all")
    func subjects() throws {
        func app(_ members: String) throws -> ReadPayload {
            try ReadPayload(#"{"notificationType":"TEST"\#(members)}"#)
        }
        let data = #","data":{"bundleId":"of.data","environment":"Sandbox","appAppleId":7,"status":1}"#
        let summary = #","summary":{"bundleId":"of.summary","environment":"Production"}"#
        let token = #","externalPurchaseToken":{"bundleId":"of.token","externalPurchaseId":"SANDBOX_1"}"#
        let appData = #","appData":{"bundleId":"of.app","environment":"Xcode"}"#
        let all = [data, summary, token, appData]
        for (number, bundle) in ["of.data", "of.summary", "of.token", "of.app"].enumerated() {
            let subjects = all[number...]
            for order in [Array(subjects), subjects.reversed()] {
                let read = try app(order.joined())
                #expect(read.text(.bundleID) == bundle)
                let environment = ["ProductionSandbox", "Production", "ProductionSandbox", "Xcode"][number]
                #expect(read.text(.environment) == environment, "\(order)")
                #expect(read.payload.number("status") == (number == 0 ? 1 : nil))
                #expect(read.payload[.appAppleID] == (number == 0 ? 7 : nil))
            }
        }
        #expect(try app(#","data":null"# + summary).text(.bundleID) == "of.summary")
        #expect(try app(#","data":[1]"# + summary).text(.bundleID) == "of.summary")
        // What stands beside the subject is no part of it, and a subject is no notification.
        #expect(try app(#","bundleId":"beside","data":{}"#).text(.bundleID) == nil)
        #expect(try app(#","data":{"notificationType":"OTHER","subtype":"X"}"#).text(named: "subtype") == nil)
    }

    @Test("that is an external purchase token's tells the environment by its identifier")
    func tokens() throws {
        func environment(_ subject: String) throws -> String? {
            try ReadPayload(#"{"notificationType":"EXTERNAL_PURCHASE_TOKEN",\#(subject)}"#).text(.environment)
        }
        func token(_ value: String) -> String { #""externalPurchaseToken":{"externalPurchaseId":\#(value)}"# }
        #expect(try environment(token(#""SANDBOX_b2158121-7af9-49d4-9561-1f588205523e""#)) == "ProductionSandbox")
        #expect(try environment(token(#""b2158121-7af9-49d4-9561-1f588205523e""#)) == "Production")
        #expect(try environment(token(#""\u0053ANDBOX_1""#)) == "ProductionSandbox")
        #expect(try environment(token(#""sandbox_1""#)) == "Production")
        #expect(try environment(token(#""SAND""#)) == "Production")
        #expect(try environment(#""data":{}"#) == nil)
        // A token beside data says nothing, whichever stands first.
        #expect(try environment(#""data":{},"# + token(#""SANDBOX_1""#)) == nil)
        #expect(try environment(token(#""SANDBOX_1""#) + #","data":{}"#) == nil)
    }
}
