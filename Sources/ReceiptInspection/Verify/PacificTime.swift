internal import MillSystem

/// The time of `America/Los_Angeles`, in which the store's endpoint gave each
/// date a second time.
///
/// The rules are those of the law, so that no time zone file is needed and no
/// variable of the environment changes an answer: daylight time from 2 o'clock
/// standard time of the first day to 2 o'clock daylight time of the last.
/// - 1967 on: last Sunday of April to last Sunday of October (Uniform Time Act)
/// - 1987 on: first Sunday of April to last Sunday of October
/// - 2007 on: second Sunday of March to first Sunday of November (Energy Policy Act)
///
/// The oil crisis's early starts of 1974 and 1975 are left out: the store opened
/// in 2008.
enum PacificTime {
    /// Seconds to add to UTC.
    static func offset(atSeconds seconds: Int64) -> Int64 {
        isDaylight(atSeconds: seconds) ? -7 * 3600 : -8 * 3600
    }

    private static func isDaylight(atSeconds seconds: Int64) -> Bool {
        let standard = CivilTime(seconds: seconds - 8 * 3600)
        let first: (month: Int, day: Int)
        let last: (month: Int, day: Int)
        switch standard.year {
        case 2007...:
            first = (3, firstSunday(standard.year, 3) + 7)
            last = (11, firstSunday(standard.year, 11))
        case 1987..<2007:
            first = (4, firstSunday(standard.year, 4))
            last = (10, lastSunday(standard.year, 10, days: 31))
        default:
            first = (4, lastSunday(standard.year, 4, days: 30))
            last = (10, lastSunday(standard.year, 10, days: 31))
        }
        // 2 o'clock daylight time is 1 o'clock standard time.
        let now = order(standard.month, standard.day, standard.hour)
        return order(first.month, first.day, 2) <= now && now < order(last.month, last.day, 1)
    }

    private static func order(_ month: Int, _ day: Int, _ hour: Int) -> Int { (month * 32 + day) * 24 + hour }

    private static func firstSunday(_ year: Int, _ month: Int) -> Int { 1 + (7 - weekday(year, month, 1)) % 7 }

    private static func lastSunday(_ year: Int, _ month: Int, days: Int) -> Int {
        days - weekday(year, month, days)
    }

    /// 0 is Sunday (Sakamoto's rule).
    private static func weekday(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let monthShift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1]
        let shifted = month < 3 ? year - 1 : year
        return (shifted + shifted / 4 - shifted / 100 + shifted / 400 + monthShift + day) % 7
    }
}
