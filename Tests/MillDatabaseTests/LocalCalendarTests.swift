import MillSystem
import Testing

@testable import MillDatabase

/// Instants worked out with Python's zoneinfo.
@Suite("Days of a time zone")
struct LocalCalendarTests {
    private func hours(_ day: Int, in zone: String) throws -> (begins: Int64, hours: Int64) {
        let day = try #require(try LocalCalendar(zone: zone).days.first { $0.number == day })
        return (day.begins, (day.ends - day.begins) / 3_600_000)
    }

    @Test(
        "begin at midnight by the zone's clocks, and last 23 or 25 hours where these change",
        arguments: [
            // 2024-02-29 in UTC.
            ("UTC", 19_782, 1_709_164_800_000, 24),
            // 2024-03-10 and 2024-11-03 in Los Angeles: to summer time and back.
            ("America/Los_Angeles", 19_792, 1_710_057_600_000, 23),
            ("America/Los_Angeles", 20_030, 1_730_617_200_000, 25),
            // 2024-03-31 in London, where midnight of winter is that of UTC.
            ("Europe/London", 19_813, 1_711_843_200_000, 23),
            // 2024-02-29 in India, half an hour off.
            ("Asia/Kolkata", 19_782, 1_709_145_000_000, 24),
            // 2018-11-04 in Sao Paulo, whose clocks went from 24:00 to 01:00; 2018-02-17, whose last hour came twice.
            ("America/Sao_Paulo", 17_839, 1_541_300_400_000, 23),
            ("America/Sao_Paulo", 17_579, 1_518_832_800_000, 25),
            // 2011-12-30, which Samoa left out.
            ("Pacific/Apia", 15_338, 1_325_239_200_000, 0),
        ])
    func days(zone: String, day: Int, begins: Int64, hours: Int64) throws {
        let found = try self.hours(day, in: zone)
        #expect(found.begins == begins && found.hours == hours, "\(found)")
    }

    @Test("follow one another without a gap through all years, in every zone that is taken")
    func gapless() throws {
        for zone in ["UTC", "America/Los_Angeles", "Europe/London", "America/Sao_Paulo", "Pacific/Apia", "Asia/Tokyo"] {
            let calendar = try LocalCalendar(zone: zone)
            // 33 years with 9 leap days.
            #expect(calendar.days.count == 33 * 365 + 9, "\(zone)")
            #expect(zip(calendar.days, calendar.days.dropFirst()).allSatisfy { $0.ends == $1.begins }, "\(zone)")
        }
    }

    @Test("A day of UTC tells each of its instants the day that begins and ends around it")
    func utcDays() throws {
        for zone in ["America/Los_Angeles", "Europe/London", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kolkata"] {
            let calendar = try LocalCalendar(zone: zone)
            let utcDays = Dictionary(uniqueKeysWithValues: calendar.utcDays.map { ($0.number, $0) })
            for day in calendar.days.dropFirst(2).dropLast(2) where day.begins < day.ends {
                for instant in [day.begins, day.ends - 1] {
                    let utcDay = try #require(utcDays[Int(instant / 86_400_000)])
                    let found = instant < utcDay.midnight ? utcDay.earlierDay : utcDay.laterDay
                    #expect(found == day.number, "\(zone) \(day)")
                }
            }
        }
    }

    @Test(
        "are refused of what is no zone, and of zones whose dates began twice",
        arguments: [
            ("Mars/Olympus", "no time zone"), ("", "no time zone"), ("PST", "no time zone"),
            // Clocks of Newfoundland went from 00:01 back to 23:01 in these years.
            ("America/St_Johns", "went back over midnight on 2008-11-02"),
        ])
    func refused(zone: String, what: String) throws {
        let error = #expect(throws: MillError.self) { _ = try LocalCalendar(zone: zone) }
        #expect(error?.what.contains(what) == true && error?.exitStatus == .usage, "\(String(describing: error))")
    }
}
