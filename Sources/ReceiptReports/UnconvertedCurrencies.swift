internal import MillDatabase
internal import MillSystem
internal import ReportHeaders

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
