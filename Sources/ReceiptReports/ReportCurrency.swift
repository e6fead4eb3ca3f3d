internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReportHeaders

/// The currency in which reports state money.
package enum ReportCurrency {
    /// The parameter that names the currency to convert into. Without it, reports convert into the currency of the
    /// rates that the database stores.
    package static let parameter = "into_currency"

    /// The value of the parameter that leaves amounts unconverted.
    static let none = "none"

    /// The view of the exchange rates into the currency, by day, which reports read.
    static let view = "rates"

    /// The currency into which the stored rates convert; nil without stored rates.
    static func stored(_ connection: Database) throws -> String? {
        // A database of an older version may lack the view.
        guard try connection.has(view) else { return nil }
        return try String.fetchOne(connection, sql: "SELECT into_currency FROM main.\(view) LIMIT 1")
    }
}

extension ReportRun {
    /// Whether the report's statement reads exchange rates.
    package var readsRates: Bool { filters.contains { $0.view == ReportCurrency.view } }

    /// The value of the parameter; nil if the run does not set it.
    var askedCurrency: String? { values[ReportCurrency.parameter]?.plainText }

    /// Whether the run uses the stored rates unchanged.
    func takesStoredRates(on connection: Database) throws -> Bool {
        guard rates == nil else { return false }
        return try askedCurrency == nil || askedCurrency == ReportCurrency.stored(connection)
    }

    /// The name of the index of a temporary table of rates. It states the currency and the list for which the table was
    /// made, since the reports of a page share the table.
    private var indexName: String { "rates of \(askedCurrency ?? "") by \(rates?.path ?? "")" }

    /// Whether an earlier run on the same connection has made the temporary table that this run needs.
    func hasItsRates(on connection: Database) throws -> Bool {
        try Bool.fetchOne(
            connection, sql: "SELECT EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE type = 'index' AND name = ?)",
            arguments: [indexName]) ?? false
    }

    /// A warning if rates are given and no currency to convert into is set.
    ///
    /// - Parameter stored: the currency of the stored rates; nil without such rates.
    func rateWarning(stored: String?) -> ReportWarning? {
        guard readsRates, rates != nil, askedCurrency == nil, stored == nil else { return nil }
        return ReportWarning(
            message: "the rates convert nothing: no currency to convert into is set",
            hint: "add \(ReportCurrency.parameter)=EUR")
    }

    /// Completes the temporary table of rates: the run's own list replaces the stored rates.
    func completeRates(on connection: Database) throws {
        let table = "temp.\(ReportCurrency.view)"
        if let rates, let currency = try askedCurrency ?? ReportCurrency.stored(connection) {
            try connection.execute(sql: "DELETE FROM \(table)")
            try rates.daily(into: currency).insert(into: table, connection)
        }
        try connection.execute(
            sql: """
                CREATE INDEX temp.\(indexName.quotedDatabaseIdentifier)
                ON \(ReportCurrency.view) (currency, day_number, into_currency, rate)
                """)
    }
}

/// The currencies of a run's rows for which there was no rate into the wanted currency.
struct UnconvertedCurrencies {
    /// Greater than the number of currencies.
    private static let maximumCount = 300

    private let target: String
    private let hint: String
    private let places: Set<Int>
    private var found: Set<String> = []

    /// Nil if the run converts nothing.
    ///
    /// - Parameter stored: the currency of the stored rates; nil without such rates.
    init?(_ run: ReportRun, stored: String?) {
        guard run.readsRates, run.askedCurrency != ReportCurrency.none,
            let target = run.askedCurrency ?? stored
        else { return nil }
        let columns = run.header.columns
        self.target = target
        if run.rates != nil {
            hint = "add lines to the list of rates, each from the day of the first sale on"
        } else if let stored, stored != target {
            hint =
                "the database's rates into \(stored) have to include \(target): give receiptmill refresh --rates such a list"
        } else {
            hint =
                "receiptmill refresh --rates FILE --currency \(target) keeps a list, each rate from the day of the first sale on"
        }
        places = Set(columns.compactMap(\.currencyColumn).compactMap { name in columns.firstIndex { $0.name == name } })
    }

    mutating func add(_ row: [ReportValue]) {
        for place in places {
            // A text that is no currency code marks an amount without a currency.
            guard let code = row[place].plainText.flatMap(CurrencyCode.init), code.letters != target,
                found.count < Self.maximumCount
            else { continue }
            found.insert(code.letters)
        }
    }

    var warning: ReportWarning? {
        guard !found.isEmpty else { return nil }
        return ReportWarning(
            message: "no rate into \(target) for some or all amounts in \(found.sorted().joined(separator: ", ")): "
                + "they stay rows of their own",
            hint: hint)
    }
}
