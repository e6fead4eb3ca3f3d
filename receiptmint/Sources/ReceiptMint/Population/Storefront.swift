/// A country's store: what things cost there.
struct Storefront: Sendable, Changeable {
    /// ISO 3166-1 alpha-3.
    var country: String
    /// ISO 3166-1 alpha-2, as reports have it.
    var shortCountry: String
    var id: String
    /// ISO 4217.
    var currency: String
    /// What a dollar's price comes to, in tenths.
    private var tenths: Int64
    /// Prices are whole multiples of this, in milliunits.
    private var step: Int64
    /// Customers here, relative to the others.
    var weight: Int
    /// Ten-thousandths of the price without tax; 0 where the tax is added at checkout.
    private(set) var tax: Int64
    /// Thousandths of the store's commission.
    private(set) var levy: Int64

    /// The tax of Brazil follows from one real pair of price and proceeds.
    static let all: [Storefront] = [
        Storefront("USA", "US", id: "143441", "USD", tenths: 10, step: 10, weight: 30, tax: 0),
        Storefront("DEU", "DE", id: "143443", "EUR", tenths: 11, step: 10, weight: 12, tax: 1_900),
        Storefront("FRA", "FR", id: "143442", "EUR", tenths: 11, step: 10, weight: 8, tax: 2_000),
        Storefront("GBR", "GB", id: "143444", "GBP", tenths: 9, step: 10, weight: 12, tax: 2_000, levy: 20),
        Storefront("JPN", "JP", id: "143462", "JPY", tenths: 1_500, step: 10_000, weight: 12, tax: 1_000),
        Storefront("CAN", "CA", id: "143455", "CAD", tenths: 14, step: 10, weight: 7, tax: 0),
        Storefront("AUS", "AU", id: "143460", "AUD", tenths: 16, step: 10, weight: 6, tax: 1_000),
        Storefront("BRA", "BR", id: "143503", "BRL", tenths: 55, step: 10, weight: 6, tax: 1_444),
        Storefront("KOR", "KR", id: "143466", "KRW", tenths: 14_000, step: 100_000, weight: 4, tax: 1_000),
        Storefront("TUR", "TR", id: "143480", "TRY", tenths: 400, step: 10_000, weight: 3, tax: 2_000),
    ]

    private init(
        _ country: String, _ shortCountry: String, id: String, _ currency: String, tenths: Int64, step: Int64,
        weight: Int, tax: Int64, levy: Int64 = 0
    ) {
        (self.country, self.shortCountry, self.id, self.currency) = (country, shortCountry, id, currency)
        (self.tenths, self.step, self.weight, self.tax, self.levy) = (tenths, step, weight, tax, levy)
    }

    /// In milliunits of the currency: 1,990 is 1.99 dollars, 300,000 is 300 yen.
    func price(ofDollars milliunits: Int64) -> Int64 {
        let exact = milliunits * tenths / 10
        return milliunits == 0 ? 0 : max(step, (exact + step / 2) / step * step)
    }
}
