internal import Foundation
internal import Testing

@testable import MillDatabase
@testable import MillSystem
@testable import ReceiptReports

@Suite struct PriceListTests {
    private func list(_ bytes: [UInt8]) throws -> [ListedPrice] {
        let file = FileManager.default.temporaryDirectory.appending(path: "receiptmill-\(UUID().uuidString).csv")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try ListedPrice.list(inFile: file.path)
    }

    @Test("A list may have a byte order mark, any ends of lines, more columns, quotes and lower-case currencies")
    func forms() throws {
        let text = "\u{feff}price, Currency ,note,product_id\r\n4.99,eur,\"a, b\",gold\r\n\r\n\"0\",USD,,gold\r\n"
        #expect(
            try list(Array(text.utf8)) == [
                ListedPrice(product: "gold", currency: "EUR", milliunits: 4_990),
                ListedPrice(product: "gold", currency: "USD", milliunits: 0),
            ])
    }

    @Test("A list may have introductory prices, and prices from a day on")
    func dated() throws {
        let text = """
            product_id,currency,price,valid_from,introductory_price
            gold,EUR,4.99,,0.99
            gold,EUR,5.99,2024-02-29,
            """
        #expect(
            try list(Array(text.utf8)) == [
                ListedPrice(product: "gold", currency: "EUR", milliunits: 4_990, introductoryMilliunits: 990),
                ListedPrice(product: "gold", currency: "EUR", milliunits: 5_990, validFrom: "2024-02-29"),
            ])
    }

    @Test(
        "What is no price is refused",
        arguments: [
            "free", "0x10", "inf", "nan", "1e400", "1e2", "+1", "4,99", "1.000.000", "", ".5", "5.", " ", "1 000",
            "12345678901234567",
        ])
    func amounts(text: String) throws {
        let error = #expect(throws: MillError.self) {
            _ = try list(Array("product_id,currency,price\na,EUR,\"\(text)\"\n".utf8))
        }
        #expect(error?.what == "the price '\(text.trimmed)' is no number such as 4.99")
        #expect(error?.line == 2)
        #expect(error?.exitStatus == .badData)
    }

    @Test(
        "A list that can't be right is refused with its line",
        arguments: [
            ("product,price\n", 1, "the first line does not name product_id, currency and price"),
            ("", 1, "the first line does not name product_id, currency and price"),
            ("product_id;currency;price\n", 1, "the fields are separated by semicolons, not by commas"),
            ("product_id,currency,price,price\n", 1, "the first line names price twice"),
            ("product_id,currency,price\na,EUR\n", 2, "the line has 2 fields, the first 3"),
            ("product_id,currency,price\na,EUR,1\nb,EUR,-1\n", 3, "the price -1 is negative"),
            ("product_id,currency,price\na,EUR,1\nb,EUR,1\na,eur,2\n", 4, "a has a price in EUR already, on line 2"),
            ("product_id,currency,price\n\"a,EUR,1\n", 2, "a quote is not closed"),
            ("product_id,currency,price\na,€,1\n", 2, "the currency '€' is not three letters of ISO 4217 such as EUR"),
            (
                "product_id,currency,price\na,EURO,1\n", 2,
                "the currency 'EURO' is not three letters of ISO 4217 such as EUR"
            ),
            ("product_id,currency,price\n ,EUR,1\n", 2, "the product is empty"),
            (
                "product_id,currency,price,valid_from\na,EUR,1,2024-02-30\n", 2,
                "valid_from '2024-02-30' is no day such as 2024-02-29"
            ),
            (
                "product_id,currency,price,valid_from\na,EUR,1,today\n", 2,
                "valid_from 'today' is no day such as 2024-02-29"
            ),
            (
                "product_id,currency,price,valid_from\na,EUR,1,2024-01-01\na,EUR,1,\na,EUR,2,2024-01-01\n", 4,
                "a has a price in EUR from 2024-01-01 already, on line 2"
            ),
            (
                "product_id,currency,price,introductory_price\na,EUR,1,free\n", 2,
                "the introductory price 'free' is no number such as 4.99"
            ),
            (
                "product_id,currency,price,valid_from,valid_from\n", 1, "the first line names valid_from twice"
            ),
        ])
    func malformed(text: String, line: Int, what: String) {
        let error = #expect(throws: MillError.self) { _ = try list(Array(text.utf8)) }
        #expect(error?.what == what)
        #expect(error?.line == line)
        #expect(error?.exitStatus == .badData)
    }

    @Test("A list that is not UTF-8 is refused with its line")
    func encoding() {
        let bytes = Array("product_id,currency,price\n".utf8) + [0xe9] + Array(",EUR,1\n".utf8)
        let error = #expect(throws: MillError.self) { _ = try list(bytes) }
        #expect(error?.what == "the line is not UTF-8")
        #expect(error?.line == 2)
    }
}
