/// A transaction identifier as the database stores it: an integer where the
/// text is canonical decimal, as the store's always are, and text elsewhere.
enum TransactionIdentifier: Hashable, Comparable, Sendable {
    case number(Int64)
    case text([UInt8])

    init(_ text: UnsafeBufferPointer<UInt8>) {
        if let number = Self.canonicalDecimal(text) {
            self = .number(number)
        } else {
            self = .text(Array(text))
        }
    }

    /// The value of digits without leading zeros that fits 64 bits; nil for
    /// anything that would not read the same when written out again.
    private static func canonicalDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard (1...19).contains(text.count), text.count == 1 || text[0] != UInt8(ascii: "0") else { return nil }
        var value: UInt64 = 0
        for byte in text {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + UInt64(digit)
        }
        return Int64(exactly: value)
    }

    /// SQLite's order: integers before text.
    static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.number, .text): true
        case (.text, .number): false
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        }
    }

    func bind(_ index: Int32, of statement: LoaderStatement) {
        switch self {
        case .number(let number): statement.bind(index, number)
        case .text(let bytes): statement.bindCopy(index, String(decoding: bytes, as: UTF8.self))
        }
    }
}
