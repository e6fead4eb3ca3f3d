/// An amount of money: a whole number of thousandths of a currency, and the number of decimals of its currency.
package struct MoneyAmount: Sendable, Hashable {
    package var milliunits: Int64
    /// Number of decimals, by ISO 4217.
    package var digits: Int

    package init(milliunits: Int64, digits: Int) {
        (self.milliunits, self.digits) = (milliunits, digits)
    }

    /// Decimal text with the decimals of the currency, and with more only where the amount has more: `9.99`, `1200`.
    package var text: String {
        let (whole, thousandths) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1000)
        var fraction = String(thousandths + 1000).dropFirst()
        while fraction.count > digits, fraction.last == "0" { fraction.removeLast() }
        let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
        return (milliunits < 0 ? "-" : "") + String(whole) + (fraction.isEmpty && zeros.isEmpty ? "" : ".")
            + fraction + zeros
    }

    /// The amount in whole units of the currency, to be drawn.
    package var number: Double { Double(milliunits) / 1000 }
}
