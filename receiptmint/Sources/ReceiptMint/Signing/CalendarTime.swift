internal import Foundation

/// A moment, in milliseconds since 1970 (UTC, without leap seconds).
struct CalendarTime: Hashable, Comparable, Sendable {
    /// Since 1970.
    let milliseconds: Int64

    /// In milliseconds, as the next two.
    static let second: Int64 = 1_000
    /// 60 minutes.
    static let hour = 3_600 * second
    /// 24 hours.
    static let day = 24 * hour

    /// Moments follow one another by time.
    static func < (left: CalendarTime, right: CalendarTime) -> Bool { left.milliseconds < right.milliseconds }
    /// The moment so many milliseconds later.
    static func + (time: CalendarTime, milliseconds: Int64) -> CalendarTime {
        CalendarTime(milliseconds: time.milliseconds + milliseconds)
    }
    /// The moment so many milliseconds earlier.
    static func - (time: CalendarTime, milliseconds: Int64) -> CalendarTime { time + -milliseconds }

    /// `2024-02-29T12:00:00Z`: what views show.
    var wholeSeconds: String { Date(timeIntervalSince1970: Double(milliseconds / Self.second)).ISO8601Format() }

    /// As receipts write it: with milliseconds only where there are some.
    var text: String {
        let fraction = milliseconds % Self.second
        return fraction == 0 ? wholeSeconds : wholeSeconds.dropLast() + ".\(String(1_000 + fraction).dropFirst())Z"
    }

    /// `YYMMDDHHMMSSZ`, the UTCTime of X.690 11.8; for years before 2050.
    var utcTime: String {
        String(wholeSeconds.dropFirst(2).filter { $0 != "-" && $0 != ":" && $0 != "T" })
    }

    /// Whole days since 1970.
    var daysSinceEpoch: Int64 { milliseconds / Self.day }

    /// This moment without its fraction of a second.
    var truncated: CalendarTime { CalendarTime(milliseconds: milliseconds / Self.second * Self.second) }
}

extension Int64 {
    /// So many seconds, in milliseconds, as the next two.
    static func seconds(_ count: some BinaryInteger) -> Int64 { Int64(count) * CalendarTime.second }
    static func hours(_ count: some BinaryInteger) -> Int64 { Int64(count) * CalendarTime.hour }
    static func days(_ count: some BinaryInteger) -> Int64 { Int64(count) * CalendarTime.day }
}

extension CalendarTime {
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
}
