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
                "digests-by-month", "verdict", "ok",
                "is not one of trusted, untrusted_root, broken_chain, wrong_purpose, not_valid_at_creation, "
                    + "bad_signature, unsupported_algorithm, all"
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
        let parameter = try ReportCatalog().report(named: "digests-by-month").header.parameters[0]
        #expect(
            parameter.range
                == .values([
                    "trusted", "untrusted_root", "broken_chain", "wrong_purpose", "not_valid_at_creation",
                    "bad_signature",
                    "unsupported_algorithm", "all",
                ]))
    }
}
