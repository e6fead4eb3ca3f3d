internal import GRDB
internal import ReceiptFormat

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

    /// The view that reports over models read: rates by number of day, into the one currency that is asked for.
    static let filteredView = "rates"
    /// No day is later.
    private static let endOfDays: Double = 1e7

    /// Adds the rates into the currency that a run asks for to the table that hides the view.
    func offerConverting(_ run: ReportRun, on connection: Database) throws {
        guard let target = run.values[Self.parameter]?.plainText else { return }
        let insert = try connection.makeStatement(
            sql: """
                INSERT INTO temp.\(Self.filteredView) (currency, into_currency, rate, from_day, until_day)
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
    /// A warning where nothing can be converted, though it is asked for or a list is given.
    func rateWarning(on connection: Database) throws -> ReportWarning? {
        guard report.readsRates else { return nil }
        guard let target = values[RateList.parameter]?.plainText else {
            guard rates != nil, report.parameters.contains(where: { $0.name == RateList.parameter }) else {
                return nil
            }
            return ReportWarning(
                what: "the rates convert nothing: no currency to convert into is set",
                hint: "add --param \(RateList.parameter)=EUR")
        }
        // Rows of a report over models say themselves what was not converted.
        guard report.reads(RateList.view) else { return nil }
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
