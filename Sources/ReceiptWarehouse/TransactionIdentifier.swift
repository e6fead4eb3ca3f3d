/// A transaction identifier as the database stores it: an integer if the text is canonical decimal, as Apple's always
/// is, otherwise text.
///
/// Either form is represented by one number, so that a window of purchases contains no references. A text is
/// represented by the complement of its index in a ``TextTable``.
package struct TransactionIdentifier: Hashable, Sendable {
    package let code: Int64

    init(code: Int64) {
        self.code = code
    }

    init(_ text: UnsafeBufferPointer<UInt8>, texts: inout TextTable) {
        code = Self.canonicalDecimal(text) ?? ~Int64(texts.index(of: text))
    }

    /// The value of digits without leading zeros, in 64 bits; nil for any text that the number would not reproduce.
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

    func put(into rows: inout RowBuffer, texts: TextTable) {
        if code >= 0 {
            rows.put(code)
        } else {
            texts[Int(~code)].withUnsafeBufferPointer { rows.putText($0) }
        }
    }
}

/// Texts of a window's transaction identifiers that are not numbers. Apple's receipts have none, so the table is
/// usually empty.
package struct TextTable: Sendable {
    private var indices: [[UInt8]: Int] = [:]
    private var texts: [[UInt8]] = []

    package mutating func index(of text: UnsafeBufferPointer<UInt8>) -> Int {
        let bytes = Array(text)
        if let index = indices[bytes] { return index }
        indices[bytes] = texts.count
        texts.append(bytes)
        return texts.count - 1
    }

    package subscript(index: Int) -> [UInt8] { texts[index] }
}
