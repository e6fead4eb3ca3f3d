/// A time in calendar fields, without Foundation, so that the machine's time zone and time zone files have no
/// influence.
package struct CivilTime {
    package let year: Int
    package let month, day, hour, minute, second: Int

    /// - Parameter seconds: seconds since 1970-01-01T00:00:00 in the time zone of the fields.
    package init(seconds: Int64) {
        let days = Int(Self.floorDivide(seconds, 86_400))
        let rest = Int(seconds) - days * 86_400
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        // The algorithm uses years that begin in March, in eras of 400 years, so that the leap day is the last day.
        let shifted = days + 719_468
        let era = Int(Self.floorDivide(Int64(shifted), 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970. The algorithm uses years that begin in March, so that the leap day is the last
    /// day, and adds 400 years, so that no number is negative.
    package static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = year + (month <= 2 ? 399 : 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + dayOfYear - 865_565
    }

    /// Whether a text is a day of the Gregorian calendar, such as `2024-02-29`.
    package static func isDay(_ text: String) -> Bool { dayNumber(of: text) != nil }

    /// The number of days from 1970 to a day of the Gregorian calendar, such as `2024-02-29`; nil for any other text.
    package static func dayNumber(of text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count == 3, parts.allSatisfy({ $0 >= 0 }), (1...12).contains(parts[1]), (1...31).contains(parts[2])
        else { return nil }
        let number = dayNumber(parts[0], parts[1], parts[2])
        let text = iso8601(milliseconds: Int64(number) * 86_400_000)
        return text.utf8.prefix(10).elementsEqual(bytes) ? number : nil
    }

    /// The whole seconds of a number of milliseconds, rounded towards the past.
    package static func seconds(ofMilliseconds milliseconds: Int64) -> Int64 {
        floorDivide(milliseconds, 1000)
    }

    /// A UTC time in ISO 8601, `2024-02-29T12:00:00Z`, with three more digits if it is not a whole second.
    package static func iso8601(milliseconds: Int64) -> String {
        let seconds = seconds(ofMilliseconds: milliseconds)
        let time = CivilTime(seconds: seconds)
        let fraction = milliseconds - seconds * 1000
        let text =
            "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
            + "T\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
        return text + (fraction == 0 ? "" : ".\(padded(Int(fraction), 3))") + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value + 1) / divisor - 1
    }
}
