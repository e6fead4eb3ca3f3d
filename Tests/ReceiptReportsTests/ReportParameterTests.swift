internal import Testing

@testable import MillConfiguration
@testable import MillSystem
@testable import ReceiptReports
@testable import ReportHeaders

/// Values of parameters: which are taken, and what is said of others.
@Suite struct ReportParameterTests {
    /// A report that takes a value of each kind.
    private static let report = Result {
        try StandardFilterTests.report(
            "SELECT 1 AS n FROM apps",
            parameters: [
                ":least  text(low, medium, high)  low  least severity", ":era  text(paid, free, all)  all  era",
                ":by  texts(product, offer)  product  what tells rows apart",
                ":top  integer(1..)  100  how many", ":grace_days  integer(0..)  0  days",
                ":periods  integer(1..60)  12  periods", ":on  date(2008-01-01..2040-12-31)  null  day",
                ":from  date  2008-07-10  first day", ":until  date(:from..)  9999-12-31  last day",
                ":first  month  null  first month", ":last  month(:first..)  9999-12  last month",
            ])
    }

    private func run(_ settings: [(name: String, text: String)], today: Int64? = nil) throws -> ReportRun {
        try ReportRun(Self.report.get(), settings: settings, today: today)
    }

    private func failure(_ settings: [(name: String, text: String)]) throws -> MillError? {
        #expect(throws: MillError.self) { _ = try run(settings) }
    }

    @Test(
        "A value that a parameter does not take is refused, and those that it takes are listed",
        arguments: [
            ("least", "hihg", "is not one of low, medium, high"), ("era", "Free", "is not one of paid, free, all"),
            ("by", "product,ofer", "is not one of product, offer, or several with commas"),
            ("by", "product,", "is not a list of words separated by commas"),
            ("top", "0", "is less than 1"), ("top", "-5", "is less than 1"), ("grace_days", "-1", "is less than 0"),
            ("periods", "61", "is more than 60"), ("periods", "1.5", "is not a whole number of 64 bits"),
            ("on", "2041-01-01", "is after 2040-12-31"), ("from", "2024-02-30", "is not a day such as 2024-02-29"),
            ("until", "2008-07-09", "is before from, which is 2008-07-10"),
            ("first", "2024-13", "is not a month such as 2024-02"),
            ("bundle", "", "is not a bundle identifier, or all"),
            ("environment", "", "is not names of environments separated by commas, or all by itself"),
            ("environment", "all,Xcode", "is not names of environments separated by commas, or all by itself"),
        ])
    func refused(name: String, text: String, what: String) throws {
        let error = try failure([(name, text)])
        #expect(error?.what == "\(name)=\(text): the value \(what)")
        #expect(error?.exitStatus == .usage)
    }

    @Test("The value that may have been meant is named")
    func nearest() throws {
        #expect(try failure([("least", "hihg")])?.hint?.hasPrefix("did you mean high?") == true)
        #expect(try failure([("era", "Free")])?.hint?.hasPrefix("did you mean free?") == true)
    }

    @Test("A list takes several of its words, with spaces or without")
    func list() throws {
        #expect(try run([("by", "offer, product")]).values == ["by": .text("offer,product")])
        #expect(try failure([("by", "product,ofer")])?.hint?.hasPrefix("did you mean offer?") == true)
    }

    @Test("A time that ends before it begins is refused, whichever is given first")
    func reversed() throws {
        let days = try failure([("until", "2024-01-01"), ("from", "2024-01-02")])
        #expect(days?.what == "until=2024-01-01: the value is before from, which is 2024-01-02")
        let months = try failure([("first", "2024-02"), ("last", "2024-01")])
        #expect(months?.what == "last=2024-01: the value is before first, which is 2024-02")
        #expect(try run([("from", "2024-01-02"), ("until", "2024-01-02")]).values.count == 2)
    }

    /// 2024-03-31, a Sunday; from a shell: `date --date 2024-03-31 +%s`, divided by 86,400.
    private static let today: Int64 = 19_813

    @Test(
        "Days and months may be told from today",
        arguments: [
            ("from", "today", "2024-03-31"), ("from", "yesterday", "2024-03-30"), ("from", "last-1-days", "2024-03-30"),
            ("from", "last-31-days", "2024-02-29"), ("from", "last-366-days", "2023-03-31"),
            ("from", "2024-03-30", "2024-03-30"),
        ])
    func relativeDays(name: String, text: String, day: String) throws {
        #expect(try run([(name, text)], today: Self.today).values == [name: .text(day)])
    }

    @Test(
        "The column of months holds days where weeks or days are asked for",
        arguments: [(nil, .month), ("month", .month), ("week", .date), ("day", .date)]
            as [(String?, ColumnKind)])
    func grain(_ grain: String?, kind: ColumnKind) throws {
        let text = """
            -- mine: Mine
            -- What?
            -- Grain: one row per month
            -- Parameters:
            --   :grain  text(month, week, day)  month  grain
            -- Columns:
            --   month       month  month
            --   cohort      month  cohort
            --   last_month  month  another
            -- Example:
            --   receiptmill report mine
            SELECT :grain AS month, '' AS cohort, '' AS last_month
            """
        let report = try Report(sql: text, fileName: "mine", topic: nil, origin: .init(path: "mine.sql"))
        let run = try ReportRun(report, settings: grain.map { [("grain", $0)] } ?? [])
        #expect(run.header.columns.map(\.kind) == [kind, kind, .month])
    }

    @Test(
        "Months that are told from today are months, however many days they have",
        arguments: [
            ("this-month", "2024-03"), ("last-month", "2024-02"), ("last-1-months", "2024-02"),
            ("last-3-months", "2023-12"), ("last-12-months", "2023-03"),
        ])
    func relativeMonths(text: String, month: String) throws {
        let report = try ReportCatalog().report(named: "subscription-churn")
        let run = try ReportRun(report, settings: [("from", text)], today: Self.today)
        #expect(run.values == ["from": .text(month)])
    }

    @Test(
        "What tells no day from today is refused",
        arguments: [
            "tomorrow", "Today", "last-0-days", "last--1-days", "last-7-day", "last-days", "last-7-months",
            "last-99999999-days", "last-+7-days", "this-month", "next-7-days", "last-7-days-",
        ])
    func noRelativeDay(text: String) throws {
        let error = try failure([("from", text)])
        #expect(error?.what == "from=\(text): the value is not a day such as 2024-02-29")
        #expect(error?.hint?.hasSuffix("; today, yesterday or last-7-days will do, too") == true)
    }

    @Test("Bounds hold for the day that is told from today")
    func relativeBounds() throws {
        let error = #expect(throws: MillError.self) {
            _ = try run([("from", "yesterday"), ("until", "last-2-days")], today: Self.today)
        }
        #expect(error?.what == "until=2024-03-29: the value is before from, which is 2024-03-30")
        let late = #expect(throws: MillError.self) { _ = try run([("on", "today")], today: 30_000) }
        #expect(late?.what == "on=today (2052-02-20): the value is after 2040-12-31")
    }

    /// 2024-03-31T23:30:00Z, at which it is 08:30 of the next day in Tokyo, and 16:30 in Los Angeles, seven hours behind.
    @Test(
        "Today is that of the database's time zone",
        arguments: [("UTC", 0), ("Asia/Tokyo", 1), ("America/Los_Angeles", 0)] as [(String, Int64)])
    func todayOfZone(zone: String, later: Int64) {
        #expect(RelativeTime.today(in: zone, at: 1_711_927_800) == Self.today + later)
        // Half an hour past midnight in UTC.
        #expect(RelativeTime.today(in: "America/Los_Angeles", at: 1_711_931_400) == Self.today)
    }

    @Test("A default can't be told from today: the statement holds it")
    func relativeDefault() {
        let text = "-- a: A\n-- B?\n-- Grain: one row per c\n-- Parameters:\n--   :from  date  today  day\n"
        let error = #expect(throws: MalformedReportHeader.self) { _ = try ReportHeader(parsing: text) }
        #expect(error?.message == "the default of :from, today, is not a day such as 2024-02-29")
    }

    @Test("Environments may have blanks around them")
    func blanks() throws {
        let report = try ReportCatalog().report(named: "refunds")
        let run = try ReportRun(report, settings: [("environment", "Production, Xcode")])
        #expect(run.values == ["environment": .text("Production,Xcode")])
    }

    @Test("A real number is a decimal one", arguments: ["0x10", "nan", "inf", "1e400", "", "1,5"])
    func decimal(text: String) {
        #expect(ParameterKind.real.value(of: text) == nil)
        #expect(ParameterKind.real.value(of: "-2.5e-1") == .real(-0.25))
    }

    /// `docs/reports.md`: the contract's verdicts.
    @Test("The verdicts that can be asked for are the verdicts that there are")
    func verdicts() throws {
        let parameter = try #require(
            ReportCatalog().report(named: "receipts-by-month").parameters.first { $0.name == "verdict" })
        #expect(
            parameter.range
                == .values([
                    "all", "trusted", "untrusted_root", "broken_chain", "wrong_purpose", "not_valid_at_creation",
                    "bad_signature", "unsupported_algorithm",
                ]))
    }
}
