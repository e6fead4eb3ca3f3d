/// An amount of money in whole thousandths of a currency, and the number of decimals of the currency.
package struct MoneyAmount: Sendable, Hashable {
    package var milliunits: Int64
    /// The number of decimals, by ISO 4217.
    package var digits: Int

    package init(milliunits: Int64, digits: Int) {
        (self.milliunits, self.digits) = (milliunits, digits)
    }

    /// The decimal text with the decimals of the currency, or more if the amount has more, such as `9.99` or `1200`.
    package var text: String {
        let (whole, thousandths) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1000)
        var fraction = String(thousandths + 1000).dropFirst()
        while fraction.count > digits, fraction.last == "0" { fraction.removeLast() }
        let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
        return (milliunits < 0 ? "-" : "") + String(whole) + (fraction.isEmpty && zeros.isEmpty ? "" : ".")
            + fraction + zeros
    }

    /// The amount rounded to the decimals of the currency, half away from zero.
    package var rounded: MoneyAmount {
        let unit = [1000, 100, 10, 1][min(digits, 3)] as Int64
        let (quotient, rest) = milliunits.quotientAndRemainder(dividingBy: unit)
        let whole = quotient + (rest.magnitude * 2 >= unit.magnitude ? rest.signum() : 0)
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        return overflow ? self : MoneyAmount(milliunits: product, digits: digits)
    }

    /// The amount in units of the currency, for drawing.
    package var number: Double { Double(milliunits) / 1000 }
}
