package import GRDB
package import MillSystem

/// The exchange rates into one currency for each day of the calendar, as the database stores them for reports.
package struct DailyRates: Sendable {
    /// The table that holds them.
    package static let table = "exchange_rate"

    /// The currency into which amounts are converted.
    package let currency: String
    /// The rates of the currencies that are converted.
    let series: [String: RateSeries]

    /// No rates; amounts then remain in their currencies.
    package static let none = DailyRates(currency: "", series: [:])

    /// The currencies for which there is a rate on any day.
    package var currencies: [String] {
        series.filter { $0.value.days.first.map { $0 <= Self.days.upperBound } ?? false }.keys.sorted()
    }

    private static let days =
        CivilTime.dayNumber(
            LocalCalendar.years.lowerBound, 1, 1)...CivilTime.dayNumber(LocalCalendar.years.upperBound, 12, 31)

    /// Inserts the rates, a row for each currency and day, so that a report finds a rate with a single look-up.
    package func insert(into table: String, _ db: Database) throws {
        let insert = try db.makeStatement(
            sql: "INSERT INTO \(table) (currency, day_number, into_currency, rate) VALUES (?, ?, ?, ?)")
        for (code, series) in series.sorted(by: { $0.key < $1.key }) {
            try series.forEachDay(in: Self.days) { day, rate in
                try insert.execute(arguments: [code, day, currency, rate])
            }
        }
    }

    /// Replaces the stored rates by these. For use within a transaction.
    package func replace(_ db: Database) throws {
        guard try !areStored(db) else { return }
        try db.execute(sql: "DELETE FROM \(Self.table)")
        try insert(into: Self.table, db)
    }

    /// Whether the database contains exactly these rates, in which case they need not be written again each night.
    private func areStored(_ db: Database) throws -> Bool {
        let stored = try Row.fetchCursor(
            db, sql: "SELECT currency, day_number, into_currency, rate FROM \(Self.table) ORDER BY currency, day_number"
        )
        for (code, series) in series.sorted(by: { $0.key < $1.key }) {
            var isEqual = true
            try series.forEachDay(in: Self.days) { day, rate in
                guard isEqual else { return }
                let row = try stored.next()
                isEqual = row.map { $0[0] == code && $0[1] == day && $0[2] == currency && $0[3] == rate } ?? false
            }
            guard isEqual else { return false }
        }
        return try stored.next() == nil
    }
}

extension RateList {
    private struct Pair: Hashable {
        var currency, intoCurrency: String
    }

    /// The rates into a currency. If the list does not state them, they are the inverse of the rates in the other
    /// direction. If it states neither, they are the product of the rates into a third currency and from there into the
    /// wanted one; if several third currencies are possible, the alphabetically first is used.
    package func daily(into target: String) -> DailyRates {
        let stated = Dictionary(grouping: rates) { Pair(currency: $0.currency, intoCurrency: $0.intoCurrency) }
        let currencies = Set(stated.keys.flatMap { [$0.currency, $0.intoCurrency] }).sorted()
        func series(_ currency: String, _ other: String) -> RateSeries? {
            stated[Pair(currency: currency, intoCurrency: other)].map { RateSeries($0.map { ($0.firstDay, $0.rate) }) }
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
        return DailyRates(
            currency: target,
            series: currencies.filter { $0 != target }.reduce(into: [:]) { found, currency in
                found[currency] = direct(currency, target) ?? crossed(currency)
            })
    }

    /// The currency into which the list converts by default: the one into which all its rates lead or, if there is
    /// none, the one from which all its rates start, such as the euro in the European Central Bank's file.
    package var usualCurrency: String? {
        let targets = Set(rates.map(\.intoCurrency))
        let sources = Set(rates.map(\.currency))
        return targets.count == 1 ? targets.first : sources.count == 1 ? sources.first : nil
    }

    /// The rates to be stored in the database.
    ///
    /// - Parameters:
    ///   - currency: the reporting currency; nil for ``usualCurrency``.
    ///   - setting: the option or key by which the user names the currency, such as `--currency`.
    /// - Throws: ``MillError`` if the list converts nothing into the currency on any day of the calendar, or if no
    ///   currency is named and the list suggests none.
    package func kept(into currency: String?, named setting: String) throws(MillError) -> DailyRates {
        guard !rates.isEmpty else {
            throw MillError(
                stage: .refreshing, path: path, what: "the list has no rate", hint: "add rates", exitStatus: .badData)
        }
        guard let currency = currency ?? usualCurrency else {
            throw MillError(
                stage: .refreshing, path: path, what: "the list has rates into several currencies",
                hint: "say which one reports convert into, as \(setting) EUR", exitStatus: .usage)
        }
        let daily = daily(into: currency)
        guard !daily.currencies.isEmpty else {
            throw MillError(
                stage: .refreshing, path: path,
                what: "the list has no rate of 2008 to 2040 into \(currency), or from it",
                hint: "add rates, or name another currency with \(setting)", exitStatus: .badData)
        }
        return daily
    }
}
