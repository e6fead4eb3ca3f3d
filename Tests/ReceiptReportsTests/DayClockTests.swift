internal import Testing

@testable import MillSystem
@testable import ReceiptReports

/// What days by another clock give is worked out in the hand-worked case `days-of-tokyo`.
@Suite struct DayClockTests {
    private func run(_ report: String, _ settings: (String, String)...) throws -> ReportRun {
        try ReportRun(
            ReportCatalog().report(named: report), settings: settings.map { (name: $0.0, text: $0.1) })
    }

    @Test(
        "An offset, or a zone that keeps one, is a clock",
        arguments: [
            ("+09:00", 32_400), ("-0530", -19_800), ("+05:45", 20_700), ("UTC", 0), ("Asia/Tokyo", 32_400),
            ("America/Phoenix", -25_200),
        ])
    func clocks(text: String, seconds: Int) throws {
        #expect(try run("revenue", ("time_zone", text)).clock?.seconds == seconds)
    }

    @Test(
        "What has no one offset is refused, with what to give instead",
        arguments: [
            ("Europe/Berlin", "is a zone that changed its clocks since 2008, between +01:00 and +02:00: give one of"),
            ("Mars/Olympus", "is neither an offset such as +09:00 nor a zone such as Asia/Tokyo"),
            ("+9", "is neither an offset"), ("+14:15", "is no offset that a zone has"),
            ("+09:07", "is no offset that a zone has"), ("", "is neither an offset"),
        ])
    func refused(text: String, what: String) {
        let error = #expect(throws: MillError.self) { _ = try run("revenue", ("time_zone", text)) }
        #expect(error?.what.contains("time_zone=\(text): the value \(what)") == true)
        #expect(error?.exitStatus == .usage)
    }

    @Test("A report whose days are those of UTC takes no clock")
    func notTaken() {
        let error = #expect(throws: MillError.self) { _ = try run("fraud-signals", ("time_zone", "+09:00")) }
        #expect(error?.what == "the report fraud-signals has no parameter time_zone")
    }

    @Test("The words of a report name its clock")
    func words() throws {
        let header = try run("revenue", ("time_zone", "-05:00")).header
        let meaning = { (name: String) in header.columns.first { $0.name == name }?.meaning ?? "" }
        #expect(meaning("month").hasPrefix("month in UTC-05:00: of a sale"))
        #expect(try run("revenue").header.columns == ReportCatalog().report(named: "revenue").header.columns)
    }

    @Test("Today is that of the clock")
    func today() throws {
        let days = try ["-14:00", "+14:00"].map { try run("refunds", ("time_zone", $0)) }
            .compactMap { $0.clock?.today }
        // 28 hours apart.
        #expect(days.count == 2 && (1...2).contains(days[1] - days[0]))
    }
}
