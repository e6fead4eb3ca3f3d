import MillSystem
import Testing

@testable import MillDatabase

@Suite("The store's fiscal months")
struct FiscalCalendarTests {
    private func day(_ year: Int, _ text: Substring) -> Int {
        let parts = text.split(separator: "/").compactMap { Int($0) }
        return CivilTime.dayNumber(year, parts[0], parts[1])
    }

    @Test(
        "begin on the days that the store's calendars and reports state",
        arguments: [
            (2024, "10/01 11/05 12/03 12/31 02/04 03/03 03/31 05/05 06/02 06/30 08/04 09/01"),
            (2025, "09/29 11/03 12/01 12/29 02/02 03/02 03/30 05/04 06/01 06/29 08/03 08/31"),
            (2026, "09/28 11/02 11/30 12/28 02/01 03/01 03/29 05/03 05/31 06/28 08/02 08/30"),
            (2027, "09/27 11/01 11/29 12/27 01/31 02/28 03/28 05/02 05/30 06/27 08/01 08/29"),
            // A year of 53 weeks, whose second quarter begins in January.
            (2028, "09/26 10/31 11/28"),
        ])
    func begins(year: Int, starts: String) {
        let months = FiscalCalendar(years: year...year).months
        for (month, start) in zip(months, starts.split(separator: " ")) {
            #expect(month.begins == day(start < "09/15" ? year : year - 1, start), "\(month)")
        }
        #expect(months.count == 12 && months.first?.name == "\(year)-01" && months.last?.name == "\(year)-12")
    }

    @Test(
        "end on the days that reports of single months state",
        arguments: [
            // September 2014: 08/31/2014 to 09/27/2014; November 2025: 11/02/2025 to 11/29/2025.
            ("2014-12", (2014, "08/31"), (2014, "09/27")), ("2026-02", (2025, "11/02"), (2025, "11/29")),
            // The 53rd week of the year 2028 goes to December; January 2028 begins on 01/02.
            ("2028-03", (2027, "11/28"), (2028, "01/01")), ("2028-04", (2028, "01/02"), (2028, "02/05")),
            // The company's first quarters of 14 weeks ended on 2011-12-31, 2016-12-31 and 2022-12-31, and these
            // years on 2012-09-29, 2017-09-30 and 2023-09-30.
            ("2012-03", (2011, "11/27"), (2011, "12/31")), ("2012-12", (2012, "09/02"), (2012, "09/29")),
            ("2017-03", (2016, "11/27"), (2016, "12/31")), ("2017-12", (2017, "09/03"), (2017, "09/30")),
            ("2023-03", (2022, "11/27"), (2022, "12/31")), ("2023-12", (2023, "09/03"), (2023, "09/30")),
            ("2026-07", (2026, "03/29"), (2026, "05/02")),
        ] as [(String, (Int, String), (Int, String))])
    func spans(name: String, begins: (Int, String), ends: (Int, String)) throws {
        let month = try #require(FiscalCalendar.all.months.first { $0.name == name })
        #expect(month.begins == day(begins.0, begins.1[...]) && month.ends == day(ends.0, ends.1[...]), "\(month)")
    }

    @Test("follow one another without a gap, and cover the days of every time zone's calendar")
    func gapless() throws {
        let months = FiscalCalendar.all.months
        #expect(zip(months, months.dropFirst()).allSatisfy { $0.ends + 1 == $1.begins && $0.number + 1 == $1.number })
        let days = try LocalCalendar(zone: "UTC").days
        let (first, last) = try (#require(months.first), #require(months.last))
        #expect(try first.begins <= #require(days.first).number && last.ends >= #require(days.last).number)
    }
}
