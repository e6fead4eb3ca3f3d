internal import ReportHeaders

/// Sums of the columns that a header lists under Total, with separate sums for each currency.
struct ColumnTotals {
    /// Greater than the number of currencies. A column with more distinct values holds no currencies, and nothing is
    /// summed.
    private static let maximumCurrencies = 300
    static let label = "total"

    private let places: [Int]
    /// The index of the currency column, by which sums are separated; nil if no summed column is money.
    private let currency: Int?
    /// Sums by currency, in the order of the rows.
    private var sums: [(currency: ReportValue, values: [Int: ReportValue])] = []
    private var isImpossible = false
    private var rowCount = 0

    init(_ header: ReportHeader) {
        places = header.places(of: header.totals)
        let currencies = Set(places.compactMap { header.columns[$0].currencyColumn })
        currency = currencies.first.flatMap { name in header.columns.firstIndex { $0.name == name } }
        isImpossible = places.isEmpty || currencies.count > 1
    }

    mutating func add(_ row: [ReportValue]) {
        guard !isImpossible else { return }
        rowCount += 1
        let key = currency.map { row[$0] } ?? .null
        let index = sums.firstIndex { $0.currency == key } ?? sums.count
        if index == sums.count {
            guard sums.count < Self.maximumCurrencies else { return isImpossible = true }
            sums.append((key, [:]))
        }
        for place in places {
            guard let sum = Self.sum(sums[index].values[place] ?? .null, row[place]) else { return isImpossible = true }
            sums[index].values[place] = sum
        }
    }

    private static func sum(_ first: ReportValue, _ second: ReportValue) -> ReportValue? {
        func checked(_ first: Int64, _ second: Int64) -> Int64? {
            let (sum, isTooGreat) = first.addingReportingOverflow(second)
            return isTooGreat ? nil : sum
        }
        switch (first, second) {
        case (.null, _): return second
        case (_, .null): return first
        case (.integer(let first), .integer(let second)): return checked(first, second).map(ReportValue.integer)
        case (.integer, .real), (.real, .integer), (.real, .real):
            return first.number.flatMap { one in second.number.map { .real(one + $0) } }
        case (.money(let first), .money(let second)):
            return checked(first.milliunits, second.milliunits).map {
                .money(MoneyAmount(milliunits: $0, digits: max(first.digits, second.digits)))
            }
        default: return nil
        }
    }

    /// A row of totals for each currency, with the shown columns; none if the report has a single row or no sums.
    ///
    /// - Parameter shown: indices of the columns. The first one without a sum holds the word ``label``.
    func rows(of shown: [Int]) -> [[ReportValue?]] {
        guard !isImpossible, rowCount > 1, shown.contains(where: places.contains) else { return [] }
        let label = shown.first { !places.contains($0) && $0 != currency }
        return sums.map { sum in
            shown.map { place in
                place == label ? .text(Self.label) : place == currency ? sum.currency : sum.values[place]
            }
        }
    }
}
