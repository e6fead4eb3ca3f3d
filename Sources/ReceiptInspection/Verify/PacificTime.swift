internal import MillSystem

/// The time of `America/Los_Angeles`, in which the App Store's verifyReceipt endpoint repeated each date.
///
/// The rules are part of the program, so that no time zone files are needed and no environment variable changes an
/// answer. Daylight time lasts from 2 o'clock standard time of the first day to 2 o'clock daylight time of the last.
/// - from 1967: last Sunday of April to last Sunday of October (Uniform Time Act)
/// - from 1987: first Sunday of April to last Sunday of October
/// - from 2007: second Sunday of March to first Sunday of November (Energy Policy Act)
///
/// The early starts of 1974 and 1975, in the oil crisis, are left out, since the App Store opened in 2008.
enum PacificTime {
    /// The offset from UTC, in seconds to add to UTC.
    static func offset(atSeconds seconds: Int64) -> Int64 {
        isDaylight(atSeconds: seconds) ? -7 * 3600 : -8 * 3600
    }

    private static func isDaylight(atSeconds seconds: Int64) -> Bool {
        let standard = CivilTime(seconds: seconds - 8 * 3600)
        let year = standard.year
        let (first, last): ((month: Int, day: Int), (month: Int, day: Int)) =
            switch year {
            case 2007...: ((3, sunday(from: 8, year, 3)), (11, sunday(from: 1, year, 11)))
            case 1987..<2007: ((4, sunday(from: 1, year, 4)), (10, sunday(from: 25, year, 10)))
            default: ((4, sunday(from: 24, year, 4)), (10, sunday(from: 25, year, 10)))
            }
        // 2 o'clock daylight time is 1 o'clock standard time.
        let now = order(standard.month, standard.day, standard.hour)
        return order(first.month, first.day, 2) <= now && now < order(last.month, last.day, 1)
    }

    private static func order(_ month: Int, _ day: Int, _ hour: Int) -> Int { (month * 32 + day) * 24 + hour }

    /// The first Sunday on or after a given day. The last Sunday is the first from the 24th on in a month of 30 days,
    /// and from the 25th on in one of 31 days.
    private static func sunday(from day: Int, _ year: Int, _ month: Int) -> Int {
        // 1970-01-01, from which days are counted, was a Thursday.
        let weekday = (CivilTime.dayNumber(year, month, day) + 4) % 7
        return day + (weekday <= 0 ? -weekday : 7 - weekday)
    }
}
