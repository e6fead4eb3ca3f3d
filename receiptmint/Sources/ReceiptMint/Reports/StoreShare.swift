/// What the store passes on of a price: of the price without tax, less its commission and, in some
/// countries, a levy on the commission.
///
/// The rates are those that a developer outside any programme had, as far as they are public. The tax of
/// Brazil follows from one real pair of price and proceeds.
struct StoreShare: Sendable {
    /// Ten-thousandths of the price without tax; 0 where the tax is added at checkout.
    private var tax: Int64
    /// Thousandths of the commission.
    private var levy: Int64 = 0

    private static let byCountry: [String: StoreShare] = [
        "USA": StoreShare(tax: 0), "DEU": StoreShare(tax: 1_900), "FRA": StoreShare(tax: 2_000),
        "GBR": StoreShare(tax: 2_000, levy: 20), "JPN": StoreShare(tax: 1_000), "CAN": StoreShare(tax: 0),
        "AUS": StoreShare(tax: 1_000), "BRA": StoreShare(tax: 1_444), "KOR": StoreShare(tax: 1_000),
        "TUR": StoreShare(tax: 2_000),
    ]

    /// Since then, the first year's commission is lower in Japan.
    private static let japaneseChange = StoreDay(2025, 12, 18)

    /// In thousandths of the price without tax.
    private static func commission(in country: String, on day: StoreDay, isSecondYear: Bool) -> Int64 {
        if isSecondYear { return 150 }
        return country == "JPN" && day >= japaneseChange ? 260 : 300
    }

    /// Proceeds of one, in milliunits of the currency.
    ///
    /// - Parameter price: in milliunits.
    static func proceeds(
        of price: Int64, in storefront: Storefront, on day: StoreDay, isSecondYear: Bool
    ) -> Int64 {
        let share = byCountry[storefront.country] ?? StoreShare(tax: 0)
        let commission = commission(in: storefront.country, on: day, isSecondYear: isSecondYear)
        let step = storefront.minorUnit
        // price ÷ (1 + tax) × (1 − commission) ÷ (1 + levy × commission), in one fraction of whole numbers.
        let above = price * (1_000 - commission) * 10_000_000
        let below = (10_000 + share.tax) * (1_000_000 + share.levy * commission) * step
        // Of the whole commission, the store rounds up in the United States.
        let roundsUp = storefront.country == "USA" && commission == 300
        return (roundsUp ? (above + below - 1) / below : (2 * above + below) / (2 * below)) * step
    }
}

extension Storefront {
    /// The minimum amount of the currency, in milliunits.
    var minorUnit: Int64 { currency == "JPY" || currency == "KRW" ? 1_000 : 10 }

    /// The region under which the store pays.
    var financeRegion: String { currency == "EUR" ? "EU" : shortCountry }
}
