import ReceiptFormat
import TestSupport
import Testing

@Suite("Types that Apple does not document")
struct UndocumentedTypesTests {
    private func parse(_ own: [Int], purchases: [[Int]] = []) throws -> AppReceipt {
        func empty(_ types: [Int]) -> [[UInt8]] { types.map { PayloadBytes.attribute($0, []) } }
        let transaction = PayloadBytes.attribute(1703, PayloadBytes.text("1"))
        let inApp = purchases.map { PayloadBytes.attribute(17, PayloadBytes.payload([transaction] + empty($0))) }
        let bytes = PayloadBytes.payload(empty(own) + inApp)
        var reader = ByteReader(bytes.span)
        var read: [InAppPurchase] = []
        return try AppReceipt(parsing: &reader, purchases: &read)
    }

    @Test("are those that its page Receipt Fields does not name, with a value or without")
    func asApplesPageSays() throws {
        let app = try parse(Array(0..<70).filter { $0 != 17 }, purchases: [Array(1690..<1780).filter { $0 != 1703 }])
        let documented: Set<Int64> = [2, 3, 4, 5, 12, 17, 19, 21]
        #expect(app.undocumentedTypes.types == (0..<70).filter { !documented.contains($0) })
        let inApp: Set<Int64> = [1701, 1702, 1703, 1704, 1705, 1706, 1708, 1711, 1712, 1719]
        #expect(app.undocumentedPurchaseTypes.types == (1690..<1780).filter { !inApp.contains($0) })
    }

    @Test("are collected from all purchases, and apart from the receipt's own")
    func union() throws {
        let app = try parse([9, 22], purchases: [[1709], [], [1722, 1709], [1701]])
        #expect(app.undocumentedTypes.types == [9, 22])
        #expect(app.undocumentedPurchaseTypes.types == [1709, 1722])
    }

    @Test("are none where all are documented")
    func none() throws {
        let app = try parse([2, 3, 12], purchases: [[1701, 1702]])
        #expect(app.undocumentedTypes.isEmpty && app.undocumentedTypes.types == [])
        #expect(app.undocumentedPurchaseTypes.isEmpty)
    }

    @Test("may be any integer, and mean at each level what they mean there")
    func oddNumbers() throws {
        let odd = [Int.min, -1, 64, 1703, 1_000_000, Int.max]
        let app = try parse([63] + odd, purchases: [[Int.min, 2, 1700], [1764, 1765, Int.max]])
        #expect(app.undocumentedTypes.types == [.min, -1, 63, 64, 1703, 1_000_000, .max])
        #expect(app.undocumentedPurchaseTypes.types == [.min, 2, 1700, 1764, 1765, .max])
    }

    @Test("without a bit are kept up to the least 64, in whatever order they come")
    func bounded() throws {
        let many = Array(2_000..<2_100) + [-7]
        let least = [-7] + (2_000..<2_063).map(Int64.init)
        for order in [many, many.reversed(), many.shuffled()] {
            #expect(try parse([9] + order).undocumentedTypes.types.filter { $0 != 9 } == least)
            let halves = [Array(order[..<50]), Array(order[50...])]
            #expect(try parse([], purchases: halves).undocumentedPurchaseTypes.types == least)
        }
    }
}
