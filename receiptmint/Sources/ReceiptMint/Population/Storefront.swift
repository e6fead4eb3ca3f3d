/// A country's store: what things cost there.
struct Storefront: Sendable {
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

    static let all: [Storefront] = [
        Storefront(country: "USA", shortCountry: "US", id: "143441", currency: "USD", tenths: 10, step: 10, weight: 30),
        Storefront(country: "DEU", shortCountry: "DE", id: "143443", currency: "EUR", tenths: 11, step: 10, weight: 12),
        Storefront(country: "FRA", shortCountry: "FR", id: "143442", currency: "EUR", tenths: 11, step: 10, weight: 8),
        Storefront(country: "GBR", shortCountry: "GB", id: "143444", currency: "GBP", tenths: 9, step: 10, weight: 12),
        Storefront(
            country: "JPN", shortCountry: "JP", id: "143462", currency: "JPY", tenths: 1_500, step: 10_000, weight: 12),
        Storefront(country: "CAN", shortCountry: "CA", id: "143455", currency: "CAD", tenths: 14, step: 10, weight: 7),
        Storefront(country: "AUS", shortCountry: "AU", id: "143460", currency: "AUD", tenths: 16, step: 10, weight: 6),
        Storefront(country: "BRA", shortCountry: "BR", id: "143503", currency: "BRL", tenths: 55, step: 10, weight: 6),
        Storefront(
            country: "KOR", shortCountry: "KR", id: "143466", currency: "KRW", tenths: 14_000, step: 100_000, weight: 4),
        Storefront(
            country: "TUR", shortCountry: "TR", id: "143480", currency: "TRY", tenths: 400, step: 10_000, weight: 3),
    ]

    /// In milliunits of the currency: 1,990 is 1.99 dollars, 300,000 is 300 yen.
    func price(ofDollars milliunits: Int64) -> Int64 {
        let exact = milliunits * tenths / 10
        return milliunits == 0 ? 0 : max(step, (exact + step / 2) / step * step)
    }
}

extension Product {
    /// In thousandths of a dollar.
    var dollars: Int64 {
        let prices: [(suffix: String, price: Int64)] = [
            (".coins.100", 990), (".coins.500", 4_990), (".coins.2500", 19_990), (".noads", 2_990), (".filters", 1_990),
            (".pro.lifetime", 79_990), (".season_pass", 7_990), (".pro.weekly", 1_990), (".pro.monthly", 6_990),
            (".pro.yearly", 49_990), (".team.monthly", 9_990),
        ]
        return prices.first { id.hasSuffix($0.suffix) }?.price ?? 990
    }

    /// ISO 8601, as offers state it.
    var period: String { [7: "P1W", 30: "P1M", 365: "P1Y"][periodDays] ?? "P1D" }

    /// Name of the kind in signed data.
    var typeName: String {
        switch kind {
        case .nonConsumable: "Non-Consumable"
        case .consumable: "Consumable"
        case .nonRenewing: "Non-Renewing Subscription"
        case .autoRenewable: "Auto-Renewable Subscription"
        }
    }
}

extension App {
    /// All subscriptions of an app are of one group.
    var subscriptionGroup: String { String(21_000_000 + itemID % 1_000_000) }
}
