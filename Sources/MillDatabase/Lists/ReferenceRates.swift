internal import MillSystem

/// The euro's reference rates in the format of the European Central Bank's `eurofxref-hist.csv`: one line for each day,
/// one column for each currency. A value is the number of the currency's units for one euro; `N/A` if there is none.
enum ReferenceRates {
    private static let maximumBytes = 64 << 20

    /// - Returns: the file's rates; nil if the file has another beginning, or can't be read.
    /// - Throws: ``MillError`` with the line that can't be read.
    static func read(_ path: String) throws -> [RateList.Rate]? {
        guard let text = try? TextFile.read(path, atMost: maximumBytes), text.hasPrefix("Date,") else { return nil }
        // Works on bytes, since characters would take a second for the rates of twenty-five years.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let heading = cells(of: lines[0]).dropFirst()
        let currencies = (heading.last == "" ? heading.dropLast() : heading).map { CurrencyCode(String($0))?.letters }
        guard Set(currencies).count == currencies.count else { throw fault(path, 1, "a currency has two columns") }
        var rates: [RateList.Rate] = []
        var days: Set<String> = []
        for (index, line) in lines.enumerated().dropFirst() {
            let cells = cells(of: line)
            guard cells != [""] else { continue }
            let day = String(cells[0])
            guard let number = CivilTime.dayNumber(of: day) else {
                throw fault(path, index + 1, "'\(day)' is no day such as 2024-02-29")
            }
            guard days.insert(day).inserted else { throw fault(path, index + 1, "\(day) has a line already") }
            for (currency, cell) in zip(currencies, cells.dropFirst()) where cell != "" && cell != "N/A" {
                guard let currency, let rate = ListForm.decimal(cell), rate > 0 else {
                    throw fault(path, index + 1, "'\(cell)' is no rate of a currency above 0")
                }
                rates.append(RateList.Rate(firstDay: number, currency: "EUR", intoCurrency: currency, rate: rate))
            }
        }
        return rates
    }

    /// A line's cells without surrounding blanks, and without the line end.
    private static func cells(of line: Substring.UTF8View) -> [Substring] {
        line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { cell in
            let start = cell.drop { $0 <= UInt8(ascii: " ") }
            return Substring(
                start[..<(start.lastIndex { $0 > UInt8(ascii: " ") }.map(start.index(after:)) ?? start.startIndex)])
        }
    }

    private static func fault(_ path: String, _ line: Int, _ what: String) -> MillError {
        MillError(
            stage: .reporting, path: path, line: line, what: what,
            hint: "give --rates the bank's file as it is", exitStatus: .badData)
    }
}
