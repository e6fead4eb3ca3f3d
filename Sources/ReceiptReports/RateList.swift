internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// Rates of exchange by day: a file of the user's with the columns `valid_from`,
/// `currency`, `into_currency` and `rate`.
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

    package let rates: [Rate]

    private static let form = ListForm(
        option: "--rates", noun: "rate", required: ["valid_from", "currency", "into_currency", "rate"],
        example: "2025-01-01,USD,EUR,0.96")

    /// Reads a file.
    ///
    /// - Throws: ``MillError`` with the line that can't be read as a rate.
    package init(path: String) throws {
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

    /// The view that reports read: rates by number of day, into the one currency that is asked for.
    static let view = "rates"
    /// The end of a rate's validity where no later rate follows: no number of a day is greater.
    private static let endOfDays: Double = 1e7

    /// Fills the temporary table that hides the view ``view`` with the rates into the currency that a run asks for.
    func offerConverting(_ run: ReportRun, on connection: Database) throws {
        guard let target = run.values[Self.parameter]?.plainText else { return }
        let insert = try connection.makeStatement(
            sql: """
                INSERT INTO temp.\(Self.view) (currency, into_currency, rate, from_day, until_day)
                VALUES (?, ?, ?, ?, ?)
                """)
        let converting = Dictionary(grouping: rates.filter { $0.intoCurrency == target }, by: \.currency)
        for (currency, rates) in converting {
            let dated = rates.map {
                (day: CalendarAxis.days.number(of: DocumentText($0.validFrom)) ?? 0, rate: $0.rate)
            }
            .sorted { $0.day < $1.day }
            for (index, rate) in dated.enumerated() {
                let end = index + 1 < dated.count ? dated[index + 1].day : Self.endOfDays
                try insert.execute(arguments: [currency, target, rate.rate, Int(rate.day), Int(end)])
            }
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
