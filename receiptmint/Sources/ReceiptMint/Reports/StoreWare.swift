/// A product of an app in a country: what a row of a report is about.
struct StoreWare: Hashable, Sendable {
    private var appIndex, productIndex, storefrontIndex: Int

    var app: App { App.all[appIndex] }
    var product: Product { app.products[productIndex] }
    var storefront: Storefront { Storefront.all[storefrontIndex] }

    /// Nothing for apps that aren't the developer's own, and for those of 2026.
    init?(_ transaction: StoreTransaction) {
        let customer = transaction.customer
        guard let app = App.all.firstIndex(where: { $0.bundleID == customer.app.bundleID }),
            let product = App.all[app].products.firstIndex(where: { $0.id == transaction.product.id }),
            let storefront = Storefront.all.firstIndex(where: { $0.country == customer.storefront.country })
        else { return nil }
        (appIndex, productIndex, storefrontIndex) = (app, product, storefront)
    }

    init(app: Int, product: Int, storefront: Int) {
        (appIndex, productIndex, storefrontIndex) = (app, product, storefront)
    }

    /// The SKU of the app, which is no bundle identifier.
    var appSKU: String { app.bundleID.split(separator: ".").dropFirst(2).joined(separator: "-").uppercased() }
    /// The number of the purchase itself, not of its app.
    var appleID: Int64 { app.itemID * 10 + 1_000 + Int64(productIndex) }
    var title: String { product.id.split(separator: ".").suffix(2).joined(separator: " ") }
    var isSubscription: Bool { product.kind == .autoRenewable }

    /// The store's product type identifier.
    var type: String {
        let suffix = app.platform == .macos ? "-M" : ""
        return switch product.kind {
        case .autoRenewable: "IAY" + suffix
        case .nonRenewing: "IA9" + suffix
        case .nonConsumable, .consumable: app.platform == .macos ? "FI1" : "IA1"
        }
    }

    var period: String { [7: "7 Days", 30: "1 Month", 365: "1 Year"][product.periodDays] ?? " " }
    var subscriptionName: String { product.id.hasSuffix("yearly") ? "Pro Annually" : "Pro " + title }
}
