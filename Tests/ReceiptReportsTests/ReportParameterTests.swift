internal import Testing

@testable import MillConfiguration
@testable import MillSystem
@testable import ReceiptReports

/// Values of parameters: which are taken, and what is said of others.
@Suite struct ReportParameterTests {
    private func failure(_ report: String, _ settings: [(name: String, text: String)]) throws -> MillError? {
        let report = try ReportCatalog().report(named: report)
        return #expect(throws: MillError.self) { _ = try ReportRun(report, settings: settings) }
    }

    @Test(
        "A value that a parameter does not take is refused, and those that it takes are listed",
        arguments: [
            ("fraud-signals-by-day", "least", "hihg", "is not one of low, medium, high"),
            ("freemium-owners", "era", "Free", "is not one of paid, free, unknown, all"),
            (
                "receipts-by-month", "verdict", "ok",
                "is not one of all, trusted, untrusted_root, broken_chain, wrong_purpose, not_valid_at_creation, "
                    + "bad_signature, unsupported_algorithm"
            ),
            ("fraud-devices", "top", "0", "is less than 1"), ("fraud-devices", "top", "-5", "is less than 1"),
            ("subscriptions-expiring", "days", "-1", "is less than 1"),
            ("subscription-churn", "grace_days", "-1", "is less than 0"),
            ("subscription-retention", "periods", "401", "is more than 400"),
            ("subscriptions-active", "on", "2041-01-01", "is after 2040-12-31"),
            ("refunds", "from", "2024-02-30", "is not a day such as 2024-02-29"),
            ("refunds", "until", "2008-07-09", "is before from, which is 2008-07-10"),
            ("refunds", "bundle", "", "is not a bundle identifier, or all"),
            ("refunds", "environment", "", "is not names of environments separated by commas, or all by itself"),
            (
                "refunds", "environment", "all,Xcode",
                "is not names of environments separated by commas, or all by itself"
            ),
        ])
    func refused(report: String, name: String, text: String, what: String) throws {
        let error = try failure(report, [(name, text)])
        #expect(error?.what == "\(name)=\(text): the value \(what)")
        #expect(error?.exitStatus == .usage)
    }

    @Test("The value that may have been meant is named")
    func nearest() throws {
        #expect(try failure("fraud-signals-by-day", [("least", "hihg")])?.hint?.hasPrefix("did you mean high?") == true)
        #expect(try failure("freemium-owners", [("era", "Free")])?.hint?.hasPrefix("did you mean free?") == true)
    }

    @Test("A time that ends before it begins is refused, whichever is given first")
    func reversed() throws {
        let days = try failure("refunds", [("until", "2024-01-01"), ("from", "2024-01-02")])
        #expect(days?.what == "until=2024-01-01: the value is before from, which is 2024-01-02")
        let months = try failure("subscription-churn", [("from", "2024-02"), ("until", "2024-01")])
        #expect(months?.what == "until=2024-01: the value is before from, which is 2024-02")
        let report = try ReportCatalog().report(named: "refunds")
        let same = try ReportRun(report, settings: [("from", "2024-01-02"), ("until", "2024-01-02")])
        #expect(same.values.count == 2)
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
        let report = try ReportCatalog().report(named: "refunds")
        let run = try ReportRun(report, settings: [(name, text)], today: Self.today)
        #expect(run.values == [name: .text(day)])
    }

    @Test(
        "The column of months holds days where weeks or days are asked for",
        arguments: [(nil, .month), ("month", .month), ("week", .date), ("day", .date)]
            as [(String?, ReportColumn.Kind)])
    func grain(_ grain: String?, kind: ReportColumn.Kind) throws {
        let run = try ReportRun(
            ReportCatalog().report(named: "notifications-by-type"), settings: grain.map { [("grain", $0)] } ?? [])
        let kinds = Dictionary(uniqueKeysWithValues: run.header.columns.map { ($0.name, $0.kind) })
        #expect(kinds["month"] == kind)
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
        let error = try failure("refunds", [("from", text)])
        #expect(error?.what == "from=\(text): the value is not a day such as 2024-02-29")
        #expect(error?.hint?.hasSuffix("; today, yesterday or last-7-days will do, too") == true)
    }

    @Test("Bounds hold for the day that is told from today")
    func relativeBounds() throws {
        let report = try ReportCatalog().report(named: "refunds")
        let settings = [(name: "from", text: "yesterday"), (name: "until", text: "last-2-days")]
        let error = #expect(throws: MillError.self) { _ = try ReportRun(report, settings: settings, today: Self.today) }
        #expect(error?.what == "until=2024-03-29: the value is before from, which is 2024-03-30")
        let active = try ReportCatalog().report(named: "subscriptions-active")
        let late = #expect(throws: MillError.self) {
            _ = try ReportRun(active, settings: [("on", "today")], today: 30_000)
        }
        #expect(late?.what == "on=today (2052-02-20): the value is after 2040-12-31")
    }

    @Test("A default can't be told from today: the statement holds it")
    func relativeDefault() {
        let text = "-- a: A\n-- B?\n-- Grain: one row per c\n-- Parameters:\n--   :from  date  today  day\n"
        let error = #expect(throws: MalformedReportHeader.self) { _ = try ReportHeader(parsing: text) }
        #expect(error?.what == "the default of :from, today, is not a day such as 2024-02-29")
    }

    @Test("Environments may have blanks around them")
    func blanks() throws {
        let report = try ReportCatalog().report(named: "refunds")
        let run = try ReportRun(report, settings: [("environment", "Production, Xcode")])
        #expect(run.values == ["environment": .text("Production,Xcode")])
    }

    @Test("A real number is a decimal one", arguments: ["0x10", "nan", "inf", "1e400", "", "1,5"])
    func decimal(text: String) {
        #expect(ReportParameter.Kind.real.value(of: text) == nil)
        #expect(ReportParameter.Kind.real.value(of: "-2.5e-1") == .real(-0.25))
    }

    /// `docs/reports.md`: the contract's verdicts.
    @Test("The verdicts that can be asked for are the verdicts that there are")
    func verdicts() throws {
        let parameter = try ReportCatalog().report(named: "receipts-by-month").header.parameters[1]
        #expect(
            parameter.range
                == .values([
                    "all", "trusted", "untrusted_root", "broken_chain", "wrong_purpose", "not_valid_at_creation",
                    "bad_signature",
                    "unsupported_algorithm",
                ]))
    }
}
