/// The dates of receipts, read without Foundation.
///
/// Three forms occur in receipts: `2016-06-13T12:07:19Z`, with a fraction (`2020-09-27T12:07:19.686Z`, from September
/// 2020), and with an offset without colon (`2020-07-22T18:33:15+0100`, Xcode 12). Servers also write RFC 3339's offset
/// with colon, a space instead of the `T`, or no offset (read as UTC) as the time of submission, so these are read,
/// too.
public enum ReceiptDate {
    /// The accepted dates, 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z, in
    /// milliseconds since 1970.
    public static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// The date in a range of bytes, in milliseconds since 1970-01-01T00:00:00Z.
    ///
    /// - Returns: nil if the bytes are not a date of the proleptic Gregorian calendar, or a date outside the years 1 to
    ///   9999 in UTC, for which ISO 8601 has no common notation.
    public static func milliseconds(_ bytes: Span<UInt8>, in range: ByteRange) -> Int64? {
        guard range.count >= 19, range.count <= 40, range.end <= bytes.count else { return nil }
        let at = range.offset
        // The first nineteen bytes are within the range, and so within the bytes.
        let separators = unsafe (
            bytes[unchecked: at + 4], bytes[unchecked: at + 7], bytes[unchecked: at + 10], bytes[unchecked: at + 13],
            bytes[unchecked: at + 16]
        )
        guard separators.0 == UInt8(ascii: "-"), separators.1 == UInt8(ascii: "-"),
            separators.2 == UInt8(ascii: "T") || separators.2 == UInt8(ascii: " "),
            separators.3 == UInt8(ascii: ":"), separators.4 == UInt8(ascii: ":")
        else { return nil }
        var digits = Digits()
        let year = unsafe digits.two(bytes, at) * 100 + digits.two(bytes, at + 2)
        let month = unsafe digits.two(bytes, at + 5)
        let day = unsafe digits.two(bytes, at + 8)
        let hour = unsafe digits.two(bytes, at + 11)
        let minute = unsafe digits.two(bytes, at + 14)
        let second = unsafe digits.two(bytes, at + 17)
        guard digits.areAll else { return nil }
        // Second 60 is a leap second; it counts as the next minute's first.
        guard (1...12).contains(month), day >= 1, day <= days(in: month, of: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }

        var next = at + 19
        guard let fraction = milliseconds(bytes, at: &next, end: range.end),
            let offset = offsetInMinutes(bytes, at: next, end: range.end)
        else { return nil }
        let minutes = (daysSinceEpoch(year: year, month: month, day: day) * 24 + hour) * 60 + minute - offset
        let milliseconds = Int64(minutes * 60 + second) * 1000 + Int64(fraction)
        return Self.range.contains(milliseconds) ? milliseconds : nil
    }

    /// A reader of digits that checks all of them at the end, with a single comparison.
    private struct Digits {
        private var maximum: UInt8 = 0
        /// Whether all bytes that were read are digits.
        var areAll: Bool { maximum <= 9 }

        /// The value of two digits, both of which must be within `bytes`.
        @unsafe @inline(__always)
        mutating func two(_ bytes: Span<UInt8>, _ index: Int) -> Int {
            let tens = unsafe bytes[unchecked: index] &- UInt8(ascii: "0")
            let ones = unsafe bytes[unchecked: index + 1] &- UInt8(ascii: "0")
            maximum = max(maximum, tens, ones)
            return Int(tens) * 10 + Int(ones)
        }
    }

    private static func twoDigits(_ bytes: Span<UInt8>, _ index: Int) -> Int? {
        let tens = bytes[index] &- UInt8(ascii: "0")
        let ones = bytes[index + 1] &- UInt8(ascii: "0")
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// The fraction of a second, truncated to milliseconds; 0 if there is none, nil if a point has no digits after it.
    private static func milliseconds(_ bytes: Span<UInt8>, at next: inout Int, end: Int) -> Int? {
        guard next < end, bytes[next] == UInt8(ascii: ".") else { return 0 }
        next += 1
        var value = 0
        var digits = 0
        while next < end, case let digit = bytes[next] &- UInt8(ascii: "0"), digit <= 9 {
            if digits < 3 { value = value * 10 + Int(digit) }
            digits += 1
            next += 1
        }
        guard digits > 0 else { return nil }
        for _ in min(digits, 3)..<3 { value *= 10 }
        return value
    }

    /// The offset from UTC: `Z`, nothing, `+HHMM`, `+HH:MM`, or the same with a
    /// minus; nil for anything else.
    private static func offsetInMinutes(_ bytes: Span<UInt8>, at start: Int, end: Int) -> Int? {
        guard start < end else { return 0 }
        let sign: Int
        switch bytes[start] {
        case UInt8(ascii: "Z"): return start + 1 == end ? 0 : nil
        case UInt8(ascii: "+"): sign = 1
        case UInt8(ascii: "-"): sign = -1
        default: return nil
        }
        let hasColon = end - start == 6 && bytes[start + 3] == UInt8(ascii: ":")
        guard end - start == 5 || hasColon,
            let hours = twoDigits(bytes, start + 1),
            let minutes = twoDigits(bytes, start + (hasColon ? 4 : 3)),
            hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number of days since 1970-01-01, computed with years that begin in March, so that the leap day is the last
    /// day.
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let leapDays = shifted >= 0 ? shifted / 4 - shifted / 100 + shifted / 400 : -1
        // There are 719468 days between 0000-03-01 and 1970-01-01.
        return shifted * 365 + leapDays + dayOfYear - 719_468
    }
}
