internal import MillDatabase
internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// Rates of exchange by day: a file of the user's with the columns `valid_from`, `currency`, `into_currency` and
/// `rate`, or the European Central Bank's (``ReferenceRates``).
package struct RateList: Sendable, Hashable {
    package struct Rate: Sendable, Hashable {
        /// The first day of the rate, in the database's time zone. The rate ends where the next one of the same
        /// currencies begins.
        var validFrom: String
        var currency: String
        var intoCurrency: String
        /// Units of the second currency for one of the first.
        var rate: Double
    }

    /// The parameter that names the currency to convert into.
    package static let parameter = "into_currency"

    /// The view that reports read: the rates into the currency that is asked for, by day.
    static let view = "rates"

    package let rates: [Rate]

    private static let form = ListForm(
        option: "--rates", noun: "rate", required: ["valid_from", "currency", "into_currency", "rate"],
        example: "2025-01-01,USD,EUR,0.96")

    /// Reads a file.
    ///
    /// - Throws: ``MillError`` with the line that can't be read as a rate.
    package init(path: String) throws {
        if let reference = try ReferenceRates.read(path) {
            rates = reference
            return
        }
        rates = try Self.form.entries(ofFile: path) { line in
            guard let day = try line.day("valid_from") else { throw line.fault("valid_from is empty") }
            let rate = Rate(
                validFrom: day, currency: try line.currency("currency"),
                intoCurrency: try line.currency("into_currency"), rate: try line.amount("rate", "rate"))
            guard rate.rate > 0 else { throw line.fault("the rate is not above 0") }
            return (
                rate, [rate.currency, rate.intoCurrency, day],
                "\(rate.currency) has a rate into \(rate.intoCurrency) from \(day)"
            )
        }
    }
}

extension ReportRun {
    /// Whether the report's statement reads rates of exchange.
    package var readsRates: Bool { filters.contains { $0.view == RateList.view } }

    /// A warning where rates are given and no currency to convert into is set.
    var rateWarning: ReportWarning? {
        guard readsRates, rates != nil, values[RateList.parameter] == nil else { return nil }
        return ReportWarning(
            message: "the rates convert nothing: no currency to convert into is set",
            hint: "add \(RateList.parameter)=EUR")
    }
}
