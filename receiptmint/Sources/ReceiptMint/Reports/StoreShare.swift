/// What the store passes on of a price.
///
/// The rates are those that a developer outside any programme had, as far as they are public.
extension Storefront {
    /// Since then, the first year's commission is lower in Japan.
    private static let japaneseChange = StoreDay(2025, 12, 18)

    /// In thousandths of the price without tax.
    private func commission(on day: StoreDay, isSecondYear: Bool) -> Int64 {
        if isSecondYear { return 150 }
        return country == "JPN" && day >= Self.japaneseChange ? 260 : 300
    }

    /// Proceeds of one, in milliunits of the currency: of the price without tax, less the store's commission and, in
    /// some countries, a levy on the commission.
    ///
    /// - Parameter price: in milliunits.
    func proceeds(of price: Int64, on day: StoreDay, isSecondYear: Bool) -> Int64 {
        let commission = commission(on: day, isSecondYear: isSecondYear)
        // price ÷ (1 + tax) × (1 − commission) ÷ (1 + levy × commission), in one fraction of whole numbers.
        let above = price * (1_000 - commission) * 10_000_000
        let below = (10_000 + tax) * (1_000_000 + levy * commission) * minorUnit
        // Of the whole commission, the store rounds up in the United States.
        let roundsUp = country == "USA" && commission == 300
        return (roundsUp ? (above + below - 1) / below : (2 * above + below) / (2 * below)) * minorUnit
    }

    /// The minimum amount of the currency, in milliunits.
    var minorUnit: Int64 { currency == "JPY" || currency == "KRW" ? 1_000 : 10 }

    /// The region under which the store pays.
    var financeRegion: String { currency == "EUR" ? "EU" : shortCountry }
}
