/// A month of the store's fiscal year: four weeks or five, Sunday to Saturday.
struct FiscalMonth: Hashable, Sendable {
    /// The fiscal year, named after the calendar year in which it ends.
    let year: Int
    /// 1 for October.
    let period: Int
    let first, last: StoreDay

    /// A year starts behind September's last Saturday; quarters have 5, 4 and 4 weeks, and where the
    /// year has 53 weeks, December has five.
    static func year(_ year: Int) -> [FiscalMonth] {
        let end = start(of: year + 1)
        var first = start(of: year)
        let hasLeapWeek = (end.number - first.number) / 7 == 53
        return (1...12).map { period in
            let weeks: Int64 = period % 3 == 1 || (hasLeapWeek && period == 3) ? 5 : 4
            let month = FiscalMonth(year: year, period: period, first: first, last: first.advanced(by: weeks * 7 - 1))
            first = month.last.advanced(by: 1)
            return month
        }
    }

    private static func start(of year: Int) -> StoreDay {
        // The Sunday behind the last Saturday lies between September 25 and October 1.
        StoreDay(year - 1, 9, 25).sundayOnOrAfter
    }

    /// The month in which a day is.
    static func of(_ day: StoreDay) -> FiscalMonth {
        // A fiscal year begins at most six days before its October, or on the first.
        let months = [0, 1].flatMap { year(day.year + $0) }
        return months.first { $0.contains(day) } ?? months[0]
    }

    func contains(_ day: StoreDay) -> Bool { first <= day && day <= last }

    /// `1025` for October 2025: how files are named.
    var fileName: String {
        let month = period <= 3 ? period + 9 : period - 3
        let calendarYear = period <= 3 ? year - 1 : year
        return String(String(100 + month).suffix(2)) + String(String(calendarYear).suffix(2))
    }
}
