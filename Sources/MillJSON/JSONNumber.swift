/// Decodes numbers that a cursor has already found to be well-formed.
package enum JSONNumber {
    /// The exact value of a number that consists of digits; nil if it has a fraction or an exponent, or doesn't fit
    /// into 64 bits.
    package static func integer(_ bytes: Span<UInt8>, in range: Range<Int>) -> Int64? {
        var range = range
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        if isNegative { range = (range.lowerBound + 1)..<range.upperBound }
        guard !range.isEmpty else { return nil }
        // The sum is kept negative, because the smallest integer has no positive counterpart.
        var value: Int64 = 0
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.subtractingReportingOverflow(Int64(digit))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// The value of a number in any form; nil if it is too great.
    package static func double(_ bytes: Span<UInt8>, in range: Range<Int>) -> Double? {
        let text = bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
