internal import Foundation
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

@Suite("inspect of a signed string")
struct SignedInspectionTests {
    private let store: SignedStringStore

    init() throws { store = try SignedStringStore() }

    /// The lines of the payload, which don't depend on keys.
    private func payloadLines(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex { $0.hasPrefix("  payload:") } ?? 0
        let end = lines[start...].firstIndex { $0.hasPrefix("  signature") } ?? lines.count
        return lines[start..<end].joined(separator: "\n") + "\n"
    }

    private static let transaction = #"""
        {"transactionId":"2000000123456789","bundleId":"com.example.app","purchaseDate":1729999000000,\#
        "originalPurchaseDate":-62135769600000,"type":"Auto-Renewable Subscription","price":1990,"currency":"USD",\#
        "offerType":4,"offerPeriod":"P1M","revocationReason":1,"revocationPercentage":67932,"isUpgraded":true,\#
        "signedDate":1730000000000.447,"commitmentInfo":{"commitmentPrice":300000,"totalBillingPeriods":12},\#
        "advancedCommerceInfo":{"items":[{"SKU":"a","price":1234,"refunds":[]}],"newKey":null},"other\u0041":["x",2]}
        """#

    @Test("shows each field with its meaning, unknown ones too")
    func goldenTransaction() throws {
        let (text, isReadable) = try inspected(try store.sign(Self.transaction), .text)
        #expect(isReadable)
        #expect(
            payloadLines(text) == """
                  payload: 511 bytes, 16 fields
                    transactionId               2000000123456789  (the transaction)
                    bundleId                    com.example.app  (bundle identifier of the app)
                    purchaseDate                1729999000000 = 2024-10-27T03:16:40Z  (when the store charged for it, or restored it)
                    originalPurchaseDate        -62135769600000 = no date  (when the first transaction was, or when the app was bought)
                    type                        Auto-Renewable Subscription  (type of the product)
                    price                       1990 = 1.99 USD  (price in thousandths of the currency, after the offer, for the whole quantity)
                    currency                    USD  (currency of the price (ISO 4217))
                    offerType                   4 = win-back offer  (type of the offer)
                    offerPeriod                 P1M  (length of the offer (ISO 8601))
                    revocationReason            1 = an issue with the app  (why the store refunded it)
                    revocationPercentage        67932 = 67.932 %  (share of the price that was refunded, in thousandths of a percent)
                    isUpgraded                  true  (the customer went on to another subscription of the group)
                    signedDate                  1730000000000.447 = 2024-10-27T03:33:20Z  (when the store signed this)
                    commitmentInfo              (commitment of a subscription that is billed in parts)
                      commitmentPrice             300000 = 300 USD  (price of the whole commitment, in thousandths of the currency)
                      totalBillingPeriods         12  (number of the commitment's periods)
                    advancedCommerceInfo        (what the app sells by the Advanced Commerce API)
                      items                       (what was sold)
                        [0]
                          SKU                         a  (the item)
                          price                       1234 = 1.234 USD  (price of the item, in thousandths of the currency)
                          refunds                     []  (refunds of the item)
                      newKey                      null  (unknown field)
                    otherA                      ["x",2]  (unknown field)

                """)
    }

    @Test("reads the numbers of renewal infos in words")
    func goldenRenewal() throws {
        let payload = """
            {"originalTransactionId":"7","autoRenewStatus":0,"expirationIntent":2,"isInBillingRetryPeriod":true,\
            "priceIncreaseStatus":0,"renewalPrice":1500,"currency":"EUR","eligibleWinBackOfferIds":["w1"]}
            """
        let text = try inspected(try store.sign(payload), .text).text
        #expect(
            payloadLines(text) == """
                  payload: 194 bytes, 8 fields
                    originalTransactionId       7  (the first transaction of the purchase or subscription)
                    autoRenewStatus             0 = off: it ends with the period  (whether it will renew)
                    expirationIntent            2 = billing error  (why it expired)
                    isInBillingRetryPeriod      true  (whether the store tries to charge for it again)
                    priceIncreaseStatus         0 = the customer has not answered  (the customer's answer to a price increase)
                    renewalPrice                1500 = 1.50 EUR  (price of the next renewal, in thousandths of the currency)
                    currency                    EUR  (currency of the price (ISO 4217))
                    eligibleWinBackOfferIds     ["w1"]  (win-back offers that the customer may take)

                """)
    }

    @Test("opens what a notification holds, one level deep")
    func held() throws {
        let inner = try store.sign(Self.transaction)
        let middle = try store.sign(store.notification(["signedTransactionInfo": inner]))
        let outer = try store.sign(store.notification(["signedTransactionInfo": middle, "signedRenewalInfo": "e30.x"]))
        let (text, isReadable) = try inspected(outer)
        let found = try object(text)
        #expect(!isReadable)
        #expect(
            found.objects("holds").map { $0["field"] as? String } == ["signedRenewalInfo", "signedTransactionInfo"])
        #expect(found.objects("holds")[1]["kind"] as? String == "notification")
        #expect(found.objects("holds")[1]["holds"] == nil)
        let errors = found.objects("errors").compactMap { $0["detail"] as? String }
        #expect(!errors.isEmpty && errors.allSatisfy { $0.hasPrefix("signedRenewalInfo: ") })
        let shown = try inspected(outer, .text).text
        #expect(shown.contains("  signedTransactionInfo, opened\n    kind          notification\n"))
        #expect(shown.contains("    header        the same as above\n"))
    }

    /// Names of the payload's fields that stand in full before a cut.
    private func names(_ found: Object) -> [String] {
        found.object("payload").objects("fields").filter { $0["whole"] as? Bool == true }
            .compactMap { $0["name"] as? String }
    }

    @Test("shows what is left of one that is cut short, wherever that is")
    func cut() throws {
        let string = try store.sign(Self.transaction)
        let whole = try object(try inspected(string).text)
        let all = names(whole)
        #expect(all.count == 16)
        let parts = string.split(separator: ".").map(\.count)
        var mostNames = 0
        for count in stride(from: 24, to: string.count - 1, by: Nightly.rounds(day: 241, night: 61)) {
            let text = String(string.prefix(count))
            for file in [text, "\"\(text)\"", "{\"signedPayload\":\"\(text)\"}", "{\"signedPayload\":\"\(text)"] {
                let (json, isReadable) = try inspected(file)
                let found = try object(json)
                #expect(!isReadable, "\(count)")
                #expect(!found.objects("errors").isEmpty)
                #expect(found["bytes"] as? Int == count)
                let left = names(found)
                #expect(left == Array(all.prefix(left.count)))
                if count > parts[0] + 1 {
                    #expect(found.object("header")["readable"] as? Bool == true)
                    #expect(found.objects("certificates").count == 3)
                }
                if count > parts[0] + parts[1] + 1 { #expect(left == all) }
                mostNames = max(mostNames, left.count)
            }
            _ = try inspected(text, .text)
        }
        #expect(mostNames == 16)
    }

    @Test("never fails on changed characters, and always writes JSON")
    func mutated() throws {
        let string = Array(try store.sign(Self.transaction).utf8)
        var generator = SeededGenerator(seed: 20_261_123)
        let pool = Array("AZaz09-_.+/=\"\\ \n$\u{7f}".utf8) + [0xff, 0x00]
        for _ in 0..<Nightly.rounds(day: 40, night: 150) {
            var changed = string
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: changed.indices, using: &generator)
                changed[index] = pool.randomElement(using: &generator) ?? 0
            }
            let file = String(decoding: changed, as: UTF8.self)
            let workdir = try Workdir()
            for format in [ListingFormat.json, .text] {
                var run = InspectRun(inputs: [try workdir.write(file, to: "file")])
                run.format = format
                var text = ""
                _ = try run.run { text += $0 }
                guard format == .json else { continue }
                let documents = text.hasPrefix("{\n") ? [text[...]] : text.split(separator: "\n")
                for document in documents { _ = try object(String(document)) }
            }
        }
    }

    @Test("shows payloads that the mill rejects")
    func rejected() throws {
        for (payload, reason, fields) in [
            (#"{"a":1,"a":2}"#, "malformed_payload", ["a", "a"]), (#"{"a":1}"#, "unsupported_kind", ["a"]),
            (#"{"transactionId":"\ud800","b":[1,{"c":2"#, "malformed_payload", ["transactionId", "b"]),
            ("[1]", "malformed_payload", []), ("", "malformed_payload", []),
        ] {
            let (text, isReadable) = try inspected(try store.sign(payload))
            let found = try object(text)
            #expect(!isReadable)
            #expect(found.objects("errors").first?["reason"] as? String == reason, "\(payload)")
            let names = found.object("payload").objects("fields").compactMap { $0["name"] as? String }
            #expect(names == fields, "\(payload)")
        }
    }

    @Test("lists the documents of a line with several")
    func several() throws {
        let line = "{\"signedTransactionInfo\":\"\(try store.sign())\",\"signedRenewalInfo\":\"e30.e30\"}"
        let (text, isReadable) = try inspected(line)
        let documents = try object(text).objects("documents")
        #expect(!isReadable)
        #expect(documents.map { $0["kind"] as? String } == ["signed_transaction", nil])
        #expect(documents.map { $0.objects("errors").isEmpty } == [true, false])
        let titles = try inspected(line, .text).text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(titles == ["file:1, document 1 of 2", "file:1, document 2 of 2"])
    }

    @Test(
        "gives prices in units of the currency",
        arguments: [
            (Int64(1990), "1.99"), (300_000, "300"), (1500, "1.50"), (1234, "1.234"), (0, "0"), (-990, "-0.99"),
            (5, "0.005"),
            (.max, "9223372036854775.807"), (.min, "-9223372036854775.808"),
        ])
    func amounts(milliunits: Int64, text: String) {
        #expect(SignedWords.amount(ofMilliunits: milliunits, currency: nil) == text)
        #expect(SignedWords.amount(ofMilliunits: milliunits, currency: "JPY") == text + " JPY")
    }
}
