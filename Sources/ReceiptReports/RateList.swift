internal import GRDB

/// Rates of exchange by day: a file of the user's with the columns `valid_from`,
/// `currency`, `into_currency` and `rate`.
package struct RateList: OfferedList, Hashable {
    package struct Rate: Sendable, Hashable {
        /// The first day of the rate in UTC; the next one of the same currencies ends it.
        var validFrom: String
        var currency: String
        var intoCurrency: String
        /// Units of the second currency for one of the first.
        var rate: Double
    }

    /// The parameter that names the currency to convert into.
    package static let parameter = "into_currency"

    package let rates: [Rate]

    static let view = "exchange_rates"
    static let columns = "currency TEXT, into_currency TEXT, valid_from TEXT, rate REAL"

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

    var rows: [StatementArguments] { rates.map { [$0.currency, $0.intoCurrency, $0.validFrom, $0.rate] } }
}

extension ReportRun {
    /// A warning where nothing can be converted, though it is asked for or a list is given.
    func rateWarning(on connection: Database) throws -> ReportWarning? {
        guard report.reads(RateList.view) else { return nil }
        guard let target = values[RateList.parameter]?.plainText else {
            guard rates != nil, report.header.parameters.contains(where: { $0.name == RateList.parameter }) else {
                return nil
            }
            return ReportWarning(
                what: "the rates convert nothing: no currency to convert into is set",
                hint: "add --param \(RateList.parameter)=EUR")
        }
        let listed = prices.map { Set($0.prices.map(\.currency)) } ?? []
        let signed = try String.fetchSet(
            connection, sql: "SELECT DISTINCT currency FROM main.purchase_terms WHERE currency IS NOT NULL")
        let others = listed.union(signed).subtracting([target])
        let convertible = Set((rates?.rates ?? []).filter { $0.intoCurrency == target }.map(\.currency))
        guard !others.isEmpty, others.isDisjoint(with: convertible) else { return nil }
        let targets = Set((rates?.rates ?? []).map(\.intoCurrency)).sorted()
        return ReportWarning(
            what: "no rate converts a currency of the database into \(target)",
            hint: rates == nil
                ? "give rates with --rates FILE.csv"
                : "prices are in \(others.sorted().joined(separator: ", ")); the list converts into "
                    + (targets.isEmpty ? "none" : targets.joined(separator: ", ")))
    }
}
