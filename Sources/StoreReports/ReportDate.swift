internal import MillSystem

/// Dates of reports as days since 1970-01-01.
enum ReportDate {
    /// The years that a report can be from; the App Store opened in 2008.
    private static let years = 2000...2100

    /// The day in a cell such as `10/28/2025`, `10/28/25`, `2025-10-28`, `20251028` or `28.10.2025`, with or without a
    /// time of day after it; nil for any other text.
    static func day(_ cell: ArraySlice<UInt8>) -> Int? {
        let date = cell.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "T") }
        let separator = date.first { $0.asDigit == nil }
        let parts = date.split(separator: separator ?? 0, omittingEmptySubsequences: false)
        let lengths = parts.map(\.count)
        guard parts.allSatisfy({ $0.allSatisfy { $0.asDigit != nil } }), lengths.allSatisfy((1...8).contains) else {
            return nil
        }
        let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        switch (separator, lengths.count) {
        case (nil, 1) where lengths[0] == 8:
            return day(numbers[0] / 10_000, numbers[0] / 100 % 100, numbers[0] % 100)
        case (UInt8(ascii: "-")?, 3) where lengths[0] == 4, (UInt8(ascii: "/")?, 3) where lengths[0] == 4:
            return day(numbers[0], numbers[1], numbers[2])
        case (UInt8(ascii: "/")?, 3) where lengths[2] == 4:
            return day(numbers[2], numbers[0], numbers[1])
        case (UInt8(ascii: "/")?, 3) where lengths[2] == 2 && lengths[0] <= 2:
            return day(2000 + numbers[2], numbers[0], numbers[1])
        case (UInt8(ascii: ".")?, 3) where lengths[2] == 4:
            return day(numbers[2], numbers[1], numbers[0])
        default:
            return nil
        }
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard years.contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let number = CivilTime.dayNumber(year, month, day)
        return CivilTime(seconds: Int64(number) * 86_400).day == day ? number : nil
    }

    /// A day in the form `2025-10-28`.
    static func iso8601(_ day: Int) -> String {
        String(CivilTime.iso8601(milliseconds: Int64(day) * 86_400_000).prefix(10))
    }
}
