import ReceiptFormat
import Testing

@testable import SignedDataFormat

@Suite("A value of a payload")
struct PayloadValueTests {
    private func read(_ members: String) throws -> ReadPayload {
        try ReadPayload(#"{"transactionId":"1",\#(members)}"#)
    }

    @Test(
        "that is a whole number is exact within the numbers that all readers of JSON agree on (RFC 8259, 6)",
        arguments: [
            ("1990", 1990), ("0", 0), ("-0", 0), ("-1", -1), ("9007199254740991", 9_007_199_254_740_991),
            ("-9007199254740991", -9_007_199_254_740_991), ("9007199254740993", nil), ("-9007199254740993", nil),
            ("9223372036854775807", nil), ("-9223372036854775808", nil),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("18446744073709551616", nil),
            ("1e3", 1000), ("1E+3", 1000), ("1.99e3", 1990), ("1000.0", 1000), ("19900e-1", 1990), ("-0.0", 0),
            ("1.5", nil), ("1e-1", nil), ("1e300", nil), ("1e400", nil), ("-1e400", nil), ("\"1990\"", nil),
            ("null", nil),
            ("true", nil), ("[1990]", nil), ("{}", nil),
            // Another number than what a Double makes of it: exact or not at all.
            ("9007199254740993.0", nil), ("9.007199254740993e15", nil), ("9223372036854775807.0", nil), ("1e18", nil),
        ] as [(String, Int64?)])
    func integers(text: String, expected: Int64?) throws {
        #expect(try read("\"price\":\(text)").payload.number("price") == expected)
        #expect(try read("\"quantity\":\(text)").payload[.quantity] == expected)
        let app = try ReadPayload(
            "{\"receiptType\":\"Production\",\"appAppleId\":\(text),\"versionExternalIdentifier\":\(text)}")
        #expect(app.payload[.appAppleID] == expected)
        #expect(app.payload[.versionExternalIdentifier] == expected)
    }

    /// `python3 -c 'import math; print(math.floor(1697679936056.485))'`, and so on.
    @Test(
        "that is a date is in milliseconds, a fraction cut off",
        arguments: [
            ("1697679936056", 1_697_679_936_056), ("1697679936056.485", 1_697_679_936_056),
            ("1.73e12", 1_730_000_000_000),
            ("0", 0), ("-0", 0), ("253402300799999", 253_402_300_799_999), ("253402300800000", nil), ("1e300", nil),
            ("1e400", nil),
            ("\"1697679936056\"", nil), ("null", nil), ("true", nil), ("9223372036854775808", nil),
        ] as [(String, Int64?)])
    func dates(text: String, expected: Int64?) throws {
        let found = try read("\"signedDate\":\(text),\"purchaseDate\":\(text),\"revocationDate\":\(text)").payload
        #expect(found[.signedDate] == expected)
        #expect(found[.purchaseDate] == expected)
        #expect(found[.revocationDate] == expected)
    }

    @Test("that is a date before 1970 is none of what happened; of signing it stands")
    func earlyDates() throws {
        // Xcode writes the year 1 for what did not happen.
        let found = try read(#""originalPurchaseDate":-62135769600000,"purchaseDate":-1,"signedDate":-1.5"#).payload
        #expect(found[.originalPurchaseDate] == nil && found[.purchaseDate] == nil)
        #expect(found[.signedDate] == -2)
    }

    @Test("that is text is unescaped, and absent where it is empty or of another type")
    func texts() throws {
        #expect(try read(#""productId":"com.example.gold""#).text(.productID) == "com.example.gold")
        #expect(try read(#""productId":"\u0063om.\ud83d\ude00\/\"\\\u00e9""#).text(.productID) == "com.😀/\"\\é")
        #expect(try read(#""product\u0049d":"é""#).text(.productID) == "é")
        for value in [#""""#, "null", "1", "true", "[]", "{}"] {
            #expect(try read("\"productId\":\(value)").text(.productID) == nil, "\(value)")
        }
        // Several that have to be unescaped, among those that have not.
        let read = try read(
            #""productId":"\u0061","currency":"EUR","storefront":"\u0044EU","offerIdentifier":"\u0062""#)
        #expect(
            ["productId", "currency", "storefront", "offerIdentifier", "transactionId"].map { read.text(named: $0) }
                == ["a", "EUR", "DEU", "b", "1"])
    }

    @Test("of the environment is Sandbox as receipts name it, and else what it says")
    func environments() throws {
        for (text, expected) in [
            ("Sandbox", "ProductionSandbox"), ("Production", "Production"), ("Xcode", "Xcode"),
            ("LocalTesting", "LocalTesting"),
            ("sandbox", "sandbox"), ("New", "New"), ("Sandbox ", "Sandbox "),
        ] {
            #expect(try read("\"environment\":\"\(text)\"").text(.environment) == expected)
            #expect(try ReadPayload("{\"receiptType\":\"\(text)\"}").text(.environment) == expected)
        }
        #expect(try read(#""environment":"\u0053andbox""#).text(.environment) == "ProductionSandbox")
        #expect(try read(#""environment":null"#).text(.environment) == nil)
        // An app transaction's is receiptType, and no other member.
        #expect(try ReadPayload(#"{"receiptType":"Xcode","environment":"Production"}"#).text(.environment) == "Xcode")
    }

    @Test(
        "of a web order line is a number written as text",
        arguments: [
            ("\"2000000000000001\"", 2_000_000_000_000_001), ("\"0\"", 0), ("\"\"", nil), ("\"x\"", nil),
            ("\"1.0\"", nil),
            ("\"9223372036854775808\"", nil), ("12", nil), ("null", nil),
        ] as [(String, Int64?)])
    func identifiers(text: String, expected: Int64?) throws {
        #expect(try read("\"webOrderLineItemId\":\(text)").payload[.webOrderLineItemID] == expected)
    }

    @Test("that is true or false is no other type's")
    func flags() throws {
        for (text, expected) in [("true", true), ("false", false), ("null", nil), ("1", nil), ("\"true\"", nil)]
            as [(String, Bool?)]
        {
            #expect(try read("\"isUpgraded\":\(text)").payload.number("isUpgraded") == expected.map { $0 ? 1 : 0 })
        }
    }
}
