import Testing

@testable import ReceiptMint

/// Seconds of 1970 as `date -u -d … +%s` prints them.
struct CalendarTimeTests {
    @Test(
        "dates are those of the Gregorian calendar",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_208_000, "2024-02-29T12:00:00Z"), (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] as [(Int64, String)])
    func dates(seconds: Int64, text: String) {
        #expect(CalendarTime(milliseconds: seconds * 1_000).wholeSeconds == text)
    }

    @Test("a day given by its parts is that day's midnight")
    func parts() {
        #expect(CalendarTime(2000, 2, 29).wholeSeconds == "2000-02-29T00:00:00Z")
        #expect(CalendarTime(2013, 8, 1).wholeSeconds == "2013-08-01T00:00:00Z")
    }

    @Test("milliseconds are written where there are some, and cut, not rounded, elsewhere")
    func fractions() {
        let time = CalendarTime(milliseconds: 1_601_208_439_086)
        #expect(time.text == "2020-09-27T12:07:19.086Z")
        #expect(time.wholeSeconds == "2020-09-27T12:07:19Z")
        #expect(time.truncated.text == "2020-09-27T12:07:19Z")
        #expect(time.utcTime == "200927120719Z")
    }
}
