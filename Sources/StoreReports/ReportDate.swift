internal import MillSystem

/// Dates of reports as days since 1970-01-01.
enum ReportDate {
    /// The years that a report can be from; the App Store opened in 2008.
    private static let years = 2000...2100

    /// The day in a cell such as `10/28/2025`, `10/28/25`, `2025-10-28`, `20251028` or `28.10.2025`, with or without a
    /// time of day after it; nil for any other text.
    static func day(_ cell: ArraySlice<UInt8>) -> Int? {
        var (numbers, lengths, separator): ([Int], [Int], UInt8?) = ([], [], nil)
        var (number, length) = (0, 0)
        scan: for byte in cell {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard length < 8 else { return nil }
                (number, length) = (number * 10 + Int(byte - UInt8(ascii: "0")), length + 1)
            case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard length > 0, numbers.count < 2, separator == nil || separator == byte else { return nil }
                separator = byte
                numbers.append(number)
                lengths.append(length)
                (number, length) = (0, 0)
            case UInt8(ascii: " "), UInt8(ascii: "T"):
                break scan
            default:
                return nil
            }
        }
        guard length > 0 else { return nil }
        numbers.append(number)
        lengths.append(length)
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
