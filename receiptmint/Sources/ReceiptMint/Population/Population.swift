/// Who the customers are, and how much of their histories the app's server logs.
struct Population: Sendable {
    var apps: [App]
    var storefronts: [Storefront]
    /// Shorter subscriptions are not sold.
    var shortestPlanDays = 0
    /// Whether most subscriptions begin with a trial.
    var triesFirst = false
    /// Whether more customers join late than early.
    var grows = false
    /// Whether a page of the store's server interface holds a customer's purchases, in place of a line for each purchase
    /// and renewal.
    var logsPages = false

    /// All apps and countries, whose customers join at an even rate.
    static let broad = Population(apps: App.all, storefronts: Storefront.all)

    /// One company with two apps, in three countries, that grows. Few lines hold two years of its subscriptions.
    static let company = Population(
        apps: [App.all[0], App.all[1]],
        storefronts: [("USA", 75), ("DEU", 17), ("GBR", 8)].compactMap { country, weight in
            guard var storefront = Storefront.all.first(where: { $0.country == country }) else { return nil }
            storefront.weight = weight
            return storefront
        }, shortestPlanDays: 30, triesFirst: true, grows: true, logsPages: true)

    /// A moment of so many milliseconds.
    func moment(of span: Int, _ random: inout SeededRandom) -> Int64 {
        let moment = random.below(span)
        return Int64(grows ? max(moment, random.below(span)) : moment)
    }
}
