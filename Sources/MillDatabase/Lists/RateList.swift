package import MillSystem

/// Exchange rates by day, from a user's file with the columns `valid_from`, `currency`, `into_currency` and `rate`, or
/// from the European Central Bank's (``ReferenceRates``).
package struct RateList: Sendable, Hashable {
    package struct Rate: Sendable, Hashable {
        /// The first day on which the rate applies, in days since 1970, in the database's time zone. It applies until
        /// the next rate for the same two currencies.
        var firstDay: Int
        var currency: String
        var intoCurrency: String
        /// The number of units of the second currency for one unit of the first.
        var rate: Double
    }

    package let rates: [Rate]
    package let path: String

    /// Reads a file.
    ///
    /// - Parameter setting: the option or key by which the user names the file, for messages.
    /// - Throws: ``MillError`` with the line that can't be read as a rate.
    package init(path: String, named setting: String = "--rates") throws(MillError) {
        self.path = path
        do { rates = try ReferenceRates.read(path) ?? Self.rates(ofFile: path, named: setting) } catch {
            throw MillError(error, at: .reporting, path: path)
        }
    }

    private static func rates(ofFile path: String, named setting: String) throws -> [Rate] {
        let form = ListForm(
            option: setting, noun: "rate", required: ["valid_from", "currency", "into_currency", "rate"],
            example: "2025-01-01,USD,EUR,0.96")
        return try form.entries(ofFile: path) { line in
            guard let day = try line.day("valid_from"), let firstDay = CivilTime.dayNumber(of: day) else {
                throw line.fault("valid_from is empty")
            }
            let rate = Rate(
                firstDay: firstDay, currency: try line.currency("currency"),
                intoCurrency: try line.currency("into_currency"), rate: try line.amount("rate", "rate"))
            guard rate.rate > 0 else { throw line.fault("the rate is not above 0") }
            guard rate.currency != rate.intoCurrency else {
                throw line.fault("the rate is of \(rate.currency) into itself")
            }
            return (
                rate, [rate.currency, rate.intoCurrency, day],
                "\(rate.currency) has a rate into \(rate.intoCurrency) from \(day)"
            )
        }
    }
}
