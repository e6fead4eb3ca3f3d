internal import GRDB
internal import ReceiptFormat
internal import ReportHeaders

extension RateList {
    private struct Pair: Hashable {
        var currency, intoCurrency: String
    }

    /// The rates into a currency, by the currency converted. If the list does not state them, they are the inverse of the
    /// rates in the other direction. If it states neither, they are the product of the rates into a third currency and
    /// from there into the wanted one; of several third currencies the first in the alphabet is taken.
    func series(into target: String, of wanted: Set<String?>) -> [String: RateSeries] {
        let stated = Dictionary(grouping: rates) { Pair(currency: $0.currency, intoCurrency: $0.intoCurrency) }
        let currencies = Set(stated.keys.flatMap { [$0.currency, $0.intoCurrency] }).sorted()
        func series(_ currency: String, _ other: String) -> RateSeries? {
            stated[Pair(currency: currency, intoCurrency: other)].map { rates in
                RateSeries(
                    rates.map { (Int(CalendarAxis.days.number(of: DocumentText($0.validFrom)) ?? 0), $0.rate) })
            }
        }
        func direct(_ currency: String, _ other: String) -> RateSeries? {
            series(currency, other) ?? series(other, currency)?.inverse
        }
        func crossed(_ currency: String) -> RateSeries? {
            for third in currencies {
                if let first = direct(currency, third), let second = direct(third, target) {
                    return first.followed(by: second)
                }
            }
            return nil
        }
        return currencies.filter { $0 != target && wanted.contains($0) }.reduce(into: [:]) { found, currency in
            found[currency] = direct(currency, target) ?? crossed(currency)
        }
    }

    /// The tables that state amounts. Only their currencies get rates.
    private static let tables = [
        "model_daily_sales", "model_periods", "model_renewal_states", "listed_price", "model_store_sales",
    ]

    /// Fills the temporary table that hides the view ``view`` with the rates into the currency that a run asks for: a
    /// row for each day, so that a report finds a rate by one look-up, however long the list is.
    func offerConverting(_ run: ReportRun, on connection: Database) throws {
        guard let target = run.values[Self.parameter]?.plainText else { return }
        let present = try Optional<String>.fetchSet(
            connection, sql: Self.tables.map { "SELECT currency FROM main.\($0)" }.joined(separator: " UNION "))
        let insert = try connection.makeStatement(
            sql: "INSERT INTO temp.\(Self.view) (currency, into_currency, rate, day_number) VALUES (?, ?, ?, ?)")
        let days = Int(CalendarAxis.drawable.lowerBound)...Int(CalendarAxis.drawable.upperBound)
        for (currency, series) in series(into: target, of: present) {
            try series.forEachDay(in: days) { day, rate in
                try insert.execute(arguments: [currency, target, rate, day])
            }
        }
        try connection.execute(
            sql: "CREATE INDEX temp.rates_by_day ON \(Self.view) (currency, day_number, into_currency, rate)")
    }
}
