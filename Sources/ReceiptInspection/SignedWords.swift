/// Numbers of signed data in words.
enum SignedWords {
    /// Milliunits in units: `1.99 USD` of 1990. Two decimals but for whole amounts, three
    /// where the third is not zero.
    static func amount(ofMilliunits milliunits: Int64, currency: String?) -> String {
        let (units, rest) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1000)
        var decimals = ""
        if rest != 0 {
            decimals = "." + String(String(1000 + rest).dropFirst())
            if rest % 10 == 0 { decimals.removeLast() }
        }
        return (milliunits < 0 ? "-" : "") + "\(units)\(decimals)" + (currency.map { " \($0)" } ?? "")
    }

    /// Thousandths of a percent: `67.932 %` of 67932.
    static func share(ofMilliPercent share: Int64) -> String {
        amount(ofMilliunits: share, currency: "%")
    }
}
