/// A day of the calendar. The store's reports count days by Pacific time.
struct StoreDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    let number: Int64

    /// Days follow one another by number.
    static func < (left: StoreDay, right: StoreDay) -> Bool { left.number < right.number }

    /// A day by the number of days since 1970-01-01.
    init(number: Int64) { self.number = number }

    init(_ year: Int, _ month: Int, _ day: Int) {
        self.init(number: CalendarTime(year, month, day).daysSinceEpoch)
    }

    /// The day on which a moment is at Greenwich.
    init(utc time: CalendarTime) { self.init(number: time.daysSinceEpoch) }

    /// The day on which a moment is in California.
    init(pacific time: CalendarTime) {
        let hours = Self.isSummer(time) ? 7 : 8
        self.init(number: (time - Int64(hours) * CalendarTime.hour).daysSinceEpoch)
    }

    /// By the law of 2007: from the second Sunday of March to the first of November, at two o'clock of local time.
    private static func isSummer(_ time: CalendarTime) -> Bool {
        let year = StoreDay(utc: time).parts.year
        let start = StoreDay(year, 3, 8).sundayOnOrAfter.midnight + 10 * CalendarTime.hour
        let end = StoreDay(year, 11, 1).sundayOnOrAfter.midnight + 9 * CalendarTime.hour
        return start <= time && time < end
    }

    /// Midnight at Greenwich.
    var midnight: CalendarTime { CalendarTime(milliseconds: number * CalendarTime.day) }
    /// 1970-01-01 was a Thursday.
    var isSunday: Bool { number % 7 == 3 }
    var sundayOnOrAfter: StoreDay { isSunday ? self : advanced(by: 1).sundayOnOrAfter }

    func advanced(by days: Int64) -> StoreDay { StoreDay(number: number + days) }

    /// Counts from the first of March, as `CalendarTime` does.
    var parts: (year: Int, month: Int, day: Int) {
        let shifted = Int(number) + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private var texts: (year: String, month: String, day: String) {
        let parts = parts
        return (
            String(parts.year), String(String(100 + parts.month).suffix(2)), String(String(100 + parts.day).suffix(2))
        )
    }

    /// `2026-03-31`.
    var iso: String {
        let texts = texts
        return texts.year + "-" + texts.month + "-" + texts.day
    }

    /// `2026-03`.
    var month: String { String(iso.prefix(7)) }

    /// `03/31/2026`.
    var american: String {
        let texts = texts
        return texts.month + "/" + texts.day + "/" + texts.year
    }

    /// `20260331`.
    var compact: String {
        let texts = texts
        return texts.year + texts.month + texts.day
    }
}
