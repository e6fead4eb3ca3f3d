import MillBytes
import Testing

@Suite("Tables of bytes")
struct TableTests {
    private func number(of text: String, in table: inout InternTable, orElse find: () -> Int64) -> Int64 {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { buffer in
            table.number(of: buffer) { find() }
        }
    }

    @Test("ask once for each text, until they are full, and never give a wrong number")
    func internTableIsBounded() {
        var table = InternTable()
        var asked = 0
        for round in 0..<2 {
            for value in 0..<3_000 {
                let found = number(of: "text \(value)", in: &table) {
                    asked += 1
                    return Int64(value)
                }
                #expect(found == Int64(value))
            }
            #expect(asked == 3_000, "round \(round)")
        }
        // Five thousand texts of a kilobyte don't fit; the first is forgotten and asked for again.
        let large = (0..<5_000).map { "\($0)" + String(repeating: "x", count: 1_000) }
        for (value, text) in large.enumerated() {
            #expect(number(of: text, in: &table) { Int64(value) } == Int64(value))
        }
        var isAskedAgain = false
        _ = number(of: "text 1", in: &table) {
            isAskedAgain = true
            return 1
        }
        #expect(isAskedAgain)
    }

    @Test("distinguish a text from its beginning, and the empty text from none")
    func internTableComparesWholeTexts() {
        var table = InternTable()
        for (value, text) in ["", "a", "ab", "b", "aa"].enumerated() {
            #expect(number(of: text, in: &table) { Int64(value) } == Int64(value))
        }
        for (value, text) in ["", "a", "ab", "b", "aa"].enumerated() {
            #expect(number(of: text, in: &table) { -1 } == Int64(value))
        }
    }

    @Test("find a known key by its bytes, the first of two that are named twice, and no other")
    func keyTable() {
        // All have one length, first, middle and last character, and so one hash.
        let alike = (0..<40).map { "a\($0 / 10)xmy\($0 % 10)z" }
        let names = ["transactionId", "", "quantity", "quantity"] + alike
        let table = KeyTable(names)
        func number(_ text: String) -> Int? {
            let bytes = Array("<\(text)>".utf8)
            return table.number(bytes.span, 1..<bytes.count - 1)
        }
        for (index, name) in names.enumerated() { #expect(number(name) == (index == 3 ? 2 : index)) }
        for other in ["transactionID", "transactionI", "transactionIdx", "a4xmy0z", "q"] {
            #expect(number(other) == nil)
        }
        #expect(KeyTable([String]()).number(Array("a".utf8).span, 0..<1) == nil)
    }

    @Test("grow, and hold every entry through it, also those whose hashes are alike")
    func slotTable() {
        let keys = (0..<5_000).map { $0 * 7 }
        for hash in [{ $0 }, { $0 % 3 }, { $0 << 40 }, { -$0 }] as [(Int) -> Int] {
            let keys = hash(1) == hash(4) ? Array(keys.prefix(300)) : keys
            var table = SlotTable(capacity: 2)
            for (index, key) in keys.enumerated() {
                #expect(table.index(hash(key)) { keys[$0] == key } == nil)
                table.insert(index, hash(key)) { hash(keys[$0]) }
            }
            for (index, key) in keys.enumerated() { #expect(table.index(hash(key)) { keys[$0] == key } == index) }
            table.removeAll()
            #expect(table.index(hash(keys[0])) { _ in true } == nil)
        }
    }
}
