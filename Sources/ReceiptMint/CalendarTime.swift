/// A moment, in milliseconds since 1970 (UTC, without leap seconds).
struct CalendarTime: Hashable, Comparable, Sendable {
    var milliseconds: Int64

    static let second: Int64 = 1_000
    static let hour = 3_600 * second
    static let day = 24 * hour

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Midnight that begins a day of the Gregorian calendar.
    ///
    /// Counts days from the first of March of year 0, so that a leap day ends its year.
    init(_ year: Int, _ month: Int, _ day: Int) {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        milliseconds = Int64(era * 146_097 + dayOfEra - 719_468) * Self.day
    }

    static func < (left: CalendarTime, right: CalendarTime) -> Bool { left.milliseconds < right.milliseconds }
    static func + (time: CalendarTime, milliseconds: Int64) -> CalendarTime {
        CalendarTime(milliseconds: time.milliseconds + milliseconds)
    }
    static func - (time: CalendarTime, milliseconds: Int64) -> CalendarTime { time + -milliseconds }

    /// `2024-02-29T12:00:00Z`: what views show.
    var wholeSeconds: String {
        let (year, month, day) = date
        let second = Int(milliseconds / Self.second - daysSinceEpoch * 86_400)
        return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2) + "T"
            + Self.padded(second / 3_600, 2) + ":" + Self.padded(second / 60 % 60, 2) + ":"
            + Self.padded(second % 60, 2) + "Z"
    }

    /// As receipts write it: with milliseconds only where there are some.
    var text: String {
        let fraction = Int(milliseconds % Self.second)
        return fraction == 0 ? wholeSeconds : wholeSeconds.dropLast() + "." + Self.padded(fraction, 3) + "Z"
    }

    /// `YYMMDDHHMMSSZ`, the UTCTime of X.690 11.8; for years before 2050.
    var utcTime: String {
        String(wholeSeconds.dropFirst(2).filter { $0 != "-" && $0 != ":" && $0 != "T" })
    }

    var daysSinceEpoch: Int64 { milliseconds / Self.day }

    /// This moment without its fraction of a second.
    var truncated: CalendarTime { CalendarTime(milliseconds: milliseconds / Self.second * Self.second) }

    private var date: (year: Int, month: Int, day: Int) {
        let days = Int(daysSinceEpoch) + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
