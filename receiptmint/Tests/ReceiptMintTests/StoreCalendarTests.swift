import Foundation
import Testing

@testable import ReceiptMint

/// The store's days, fiscal months and shares, held against dates and amounts that are known.
struct StoreCalendarTests {
    @Test("a day in California is that of Foundation's calendar, hour by hour over the changes of the clock")
    func pacificDays() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        for hour in stride(from: 0, to: 24 * 365 * 4, by: 1) {
            let time = CalendarTime(2023, 1, 1) + Int64(hour) * CalendarTime.hour + 59 * 60_000
            let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            #expect(StoreDay(pacific: time) == StoreDay(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0))
        }
        #expect(StoreDay(2026, 3, 31).american == "03/31/2026" && StoreDay(2024, 2, 29).compact == "20240229")
    }

    @Test(
        "fiscal months begin as the store's calendar has them",
        arguments: [
            (2024, "10/01/23,11/05,12/03,12/31,02/04,03/03,03/31,05/05,06/02,06/30,08/04,09/01"),
            (2025, "09/29/24,11/03,12/01,12/29,02/02,03/02,03/30,05/04,06/01,06/29,08/03,08/31"),
            (2026, "09/28/25,11/02,11/30,12/28,02/01,03/01,03/29,05/03,05/31,06/28,08/02,08/30"),
            (2027, "09/27/26,11/01,11/29,12/27,01/31,02/28,03/28,05/02,05/30,06/27,08/01,08/29"),
            // Of 53 weeks.
            (2028, "09/26/27,10/31,11/28,01/02,02/06"),
        ])
    func fiscalMonths(year: Int, starts: String) {
        let months = FiscalMonth.year(year)
        for (month, start) in zip(months, starts.split(separator: ",")) {
            #expect(month.first.american.prefix(5) == start.prefix(5))
            #expect(FiscalMonth.of(month.first) == month && FiscalMonth.of(month.last) == month)
        }
        #expect(months[11].last.advanced(by: 1) == FiscalMonth.year(year + 1)[0].first)
        #expect(months[0].fileName.hasPrefix("10") && months[3].fileName.hasPrefix("01"))
    }

    @Test(
        "proceeds are those of real rows, and of examples worked by hand",
        arguments: [
            ("USA", 990, 700, false), ("USA", 4_490, 3_150, false), ("USA", 9_990, 8_490, true),
            ("USA", 9_990, 7_000, false), ("JPN", 600_000, 464_000, true), ("AUS", 2_990, 2_310, true),
            ("BRA", 19_900, 14_780, true), ("CAN", 4_990, 4_240, true),
        ])
    func proceeds(country: String, price: Int64, expected: Int64, isSecondYear: Bool) throws {
        let storefront = try #require(Storefront.all.first { $0.country == country })
        let day = StoreDay(2026, 4, 1)
        #expect(
            storefront.proceeds(of: price, on: day, isSecondYear: isSecondYear) == expected)
    }
}
