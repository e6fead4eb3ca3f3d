/// A day of the calendar. The store's reports count days by Pacific time.
public struct StoreDay: Hashable, Strideable, Sendable {
    /// Days since 1970-01-01.
    let number: Int64

    /// A day by the number of days since 1970-01-01.
    init(number: Int64) { self.number = number }

    init(_ year: Int, _ month: Int, _ day: Int) {
        self.init(number: CalendarTime(year, month, day).daysSinceEpoch)
    }

    /// - Parameter text: as in `iso`.
    public init?(_ text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard text.utf8.count == 10, parts.count == 3, (2_000...2_099).contains(parts[0]) else { return nil }
        self.init(parts[0], parts[1], parts[2])
        if iso != text { return nil }
    }

    /// The day on which a moment is at Greenwich.
    init(utc time: CalendarTime) { self.init(number: time.daysSinceEpoch) }

    /// The day on which a moment is in California.
    init(pacific time: CalendarTime) {
        let hours = Self.isSummer(time) ? 7 : 8
        self.init(number: (time - .hours(hours)).daysSinceEpoch)
    }

    /// By the law of 2007: from the second Sunday of March to the first of November, at two o'clock of local time.
    private static func isSummer(_ time: CalendarTime) -> Bool {
        let year = StoreDay(utc: time).year
        let start = StoreDay(year, 3, 8).sundayOnOrAfter.midnight + .hours(10)
        let end = StoreDay(year, 11, 1).sundayOnOrAfter.midnight + .hours(9)
        return start <= time && time < end
    }

    /// Midnight at Greenwich.
    var midnight: CalendarTime { CalendarTime(milliseconds: number * CalendarTime.day) }
    /// 1970-01-01 was a Thursday.
    var isSunday: Bool { number % 7 == 3 }
    var sundayOnOrAfter: StoreDay { isSunday ? self : advanced(by: 1).sundayOnOrAfter }

    public func advanced(by days: Int64) -> StoreDay { StoreDay(number: number + days) }
    public func distance(to other: StoreDay) -> Int64 { other.number - number }

    /// `2026-03-31`.
    public var iso: String { String(midnight.wholeSeconds.prefix(10)) }
    /// `2026-03`.
    var month: String { String(iso.prefix(7)) }
    var year: Int { Int(iso.prefix(4)) ?? 0 }
    /// `20260331`.
    var compact: String { iso.filter { $0 != "-" } }

    /// `03/31/2026`.
    var american: String {
        let parts = iso.split(separator: "-")
        return parts[1] + "/" + parts[2] + "/" + parts[0]
    }
}
