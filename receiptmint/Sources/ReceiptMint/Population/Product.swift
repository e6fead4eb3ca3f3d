/// What an app sells.
struct Product: Sendable {
    var id: String
    var kind: Kind
    /// Days from one renewal to the next; 0 where nothing renews.
    var periodDays: Int
    /// The price, in thousandths of a dollar.
    var dollars: Int64

    /// Attribute 1707.
    enum Kind: Int64, Sendable {
        case nonConsumable = 0
        case consumable = 1
        case nonRenewing = 2
        case autoRenewable = 3
    }

    /// All that any app sells, by the end of its identifier.
    private static let catalog: [(name: String, kind: Kind, periodDays: Int, dollars: Int64)] = [
        ("coins.100", .consumable, 0, 990), ("coins.500", .consumable, 0, 4_990),
        ("coins.2500", .consumable, 0, 19_990), ("noads", .nonConsumable, 0, 2_990),
        ("filters", .nonConsumable, 0, 1_990), ("pro.lifetime", .nonConsumable, 0, 79_990),
        ("season_pass", .nonRenewing, 0, 7_990), ("pro.weekly", .autoRenewable, 7, 1_990),
        ("pro.monthly", .autoRenewable, 30, 6_990), ("pro.yearly", .autoRenewable, 365, 49_990),
        ("team.monthly", .autoRenewable, 30, 9_990), ("catalog.monthly", .autoRenewable, 30, 990),
        ("catalog.once", .consumable, 0, 990),
    ]

    /// What an app sells unless it is made for what the store sells since 2026.
    static let usual = catalog.prefix(10).map(\.name)

    static func sold(_ names: [String], by bundleID: String) -> [Product] {
        names.compactMap { name in catalog.first { $0.name == name } }.map {
            Product(id: bundleID + "." + $0.name, kind: $0.kind, periodDays: $0.periodDays, dollars: $0.dollars)
        }
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
