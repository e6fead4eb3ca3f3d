internal import MillSystem
internal import ReceiptFormat

/// Values of signed data in words.
enum SignedWords {
    /// Numbers by the names of their fields (Apple, App Store Server API: offerType,
    /// expirationIntent, autoRenewStatus, priceIncreaseStatus, revocationReason, status).
    static let numbers: [DocumentText: [Int64: String]] = [
        "offerType": [1: "introductory offer", 2: "promotional offer", 3: "offer code", 4: "win-back offer"],
        "expirationIntent": [
            1: "the customer cancelled", 2: "billing error", 3: "the customer did not consent to a price increase",
            4: "the product was not available", 5: "another reason",
        ],
        "autoRenewStatus": [0: "off: it ends with the period", 1: "on: it renews"],
        "priceIncreaseStatus": [
            0: "the customer has not answered", 1: "the customer consented, or was only notified",
        ],
        "revocationReason": [0: "another reason, such as an accidental purchase", 1: "an issue with the app"],
        "status": [1: "active", 2: "expired", 3: "in billing retry", 4: "in billing grace period", 5: "revoked"],
    ]

    /// A number, and what it means where that is known.
    static func text(_ number: Int64, of field: DocumentText) -> String {
        numbers[field]?[number].map { "\(number) (\($0))" } ?? String(number)
    }

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
