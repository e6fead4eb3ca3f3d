/// Converts numbers of signed data into words.
enum SignedWords {
    /// An amount in milliunits as a text, such as `1.99 USD` for 1990. It has no decimals for whole units, three if the
    /// third is not zero, otherwise two.
    static func amount(ofMilliunits milliunits: Int64, currency: String?) -> String {
        let (units, rest) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1000)
        var decimals = ""
        if rest != 0 {
            decimals = "." + String(String(1000 + rest).dropFirst())
            if rest % 10 == 0 { decimals.removeLast() }
        }
        return (milliunits < 0 ? "-" : "") + "\(units)\(decimals)" + (currency.map { " \($0)" } ?? "")
    }

    /// A share in thousandths of a percent, such as `67.932 %` for 67932.
    static func share(ofMilliPercent share: Int64) -> String {
        amount(ofMilliunits: share, currency: "%")
    }
}
