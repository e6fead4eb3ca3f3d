package import MillJSON
internal import ReceiptFormat

/// Reads numbers, dates and flags of payloads; nil if the token is of another kind or out of range.
extension JSONToken {
    var flag: Int64? {
        guard kind == .boolean else { return nil }
        return range.count == "true".utf8.count ? 1 : 0
    }

    /// The bits of a Double that is the share (Apple, JWSTransactionDecodedPayload: thousandths of a percent).
    func share(_ bytes: Span<UInt8>) -> Int64? {
        number(bytes).map { Int64(bitPattern: (Double($0) / 100_000).bitPattern) }
    }

    /// The maximum whole number on which all JSON readers agree (RFC 8259, 6). Sums of greater numbers could exceed 64
    /// bits, and Apple's numbers are far smaller.
    static let maximumNumber: Int64 = 1 << 53 - 1

    /// A number without a fraction.
    package func number(_ bytes: Span<UInt8>) -> Int64? {
        guard kind == .number else { return nil }
        let number =
            JSONNumber.integer(bytes, in: range)
            ?? JSONNumber.double(bytes, in: range).flatMap { Int64(exactly: $0) }
        return number.flatMap { (-Self.maximumNumber...Self.maximumNumber).contains($0) ? $0 : nil }
    }

    /// An identifier that is written as a text of digits.
    func identifier(_ bytes: Span<UInt8>) -> Int64? {
        guard kind == .string, !range.isEmpty else { return nil }
        return JSONNumber.integer(bytes, in: range)
    }

    /// Milliseconds since 1970. Xcode writes them with fractions. Nil beyond the years 1 to 9999.
    func milliseconds(_ bytes: Span<UInt8>) -> Int64? {
        guard kind == .number else { return nil }
        if let exact = JSONNumber.integer(bytes, in: range) {
            return ReceiptDate.range.contains(exact) ? exact : nil
        }
        guard let number = JSONNumber.double(bytes, in: range)?.rounded(.down),
            let whole = Int64(exactly: number), ReceiptDate.range.contains(whole)
        else { return nil }
        return whole
    }

    /// Milliseconds since 1970; nil for earlier dates, because Xcode writes the year 1 for an event that did not
    /// happen.
    func date(_ bytes: Span<UInt8>) -> Int64? {
        milliseconds(bytes).flatMap { $0 >= 0 ? $0 : nil }
    }
}
