/// Who the customers are, and how much of their histories the app's server logs.
struct Population: Sendable {
    var apps: [App]
    var storefronts: [Storefront]
    /// Shorter subscriptions are not sold.
    var shortestPlanDays = 0
    /// Whether most subscriptions begin with a trial, after which four of ten customers leave.
    var triesFirst = false
    /// Whether receipts state subscriptions, whose price nobody knows.
    var receiptsStateSubscriptions = true
    /// Whether more customers join late than early.
    var grows = false
    /// Days before the last documents are signed, in which no customer joins.
    var daysWithoutNew: Int64 = 40
    /// Whether a page of the store's server interface holds a customer's purchases, in place of a line for each purchase
    /// and renewal.
    var logsPages = false
    /// The app whose customers live the stories of what the store signs since 2026.
    var storyApp = App.of2026
    /// A new price for all subscribers of a product; nil if prices stay.
    var priceRise: PriceRise?

    struct PriceRise: Sendable {
        var product: String
        /// From then on new subscribers pay it, and present ones from their next renewal.
        var at: CalendarTime
        /// In thousandths of a dollar.
        var dollars: Int64
        /// The share of present subscribers who agree.
        var acceptance = 0.9
    }

    /// All apps and countries, whose customers join at an even rate.
    static let broad = Population(apps: App.all, storefronts: Storefront.all)

    /// One company with two apps, in three countries, that grows. Few lines hold two years of its subscriptions.
    static let company = Population(
        apps: [App.all[0], App.all[1]],
        storefronts: Storefront.all.compactMap { storefront in
            ["USA": 75, "DEU": 17, "GBR": 8][storefront.country].map { weight in
                storefront.with { $0.weight = weight }
            }
        }, shortestPlanDays: 30, triesFirst: true, receiptsStateSubscriptions: false, grows: true,
        daysWithoutNew: 1, logsPages: true, storyApp: App.all[1].sellingSeats,
        priceRise: PriceRise(
            product: App.all[0].product("pro.monthly").id, at: CalendarTime(2026, 3, 1), dollars: 8_990))

    /// What a product costs a new subscriber, in thousandths of a dollar.
    func dollars(of product: Product, at time: CalendarTime) -> Int64 {
        guard let priceRise, priceRise.product == product.id, time >= priceRise.at else { return product.dollars }
        return priceRise.dollars
    }

    /// A moment of so many milliseconds.
    func moment(of span: Int, _ random: inout SeededRandom) -> Int64 {
        let moment = random.below(span)
        return Int64(grows ? max(moment, random.below(span)) : moment)
    }
}
