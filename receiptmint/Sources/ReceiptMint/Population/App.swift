/// An app of the population: what the store sells in it, and its history of versions.
struct App: Sendable {
    var bundleID: String
    var platform: Platform
    /// The store's number of the app (attribute 1), and its developer's (attribute 11).
    var itemID: Int64
    var developerID: Int64
    var ageRating: String
    /// Oldest first. On iOS the texts are build numbers (CFBundleVersion), on
    /// macOS short versions: what attribute 19 holds there.
    var releases: [Release]
    /// Index of the first release that was free to install.
    var firstFreeRelease: Int
    var products: [Product]
    /// Share of the population that has this app, relative to the others.
    var weight: Int

    enum Platform: String, Sendable { case ios, macos }

    struct Release: Sendable {
        var version: String
        var publishedAt: CalendarTime
    }

    /// Index of the release that was current at a time.
    func release(at time: CalendarTime) -> Int { releases.lastIndex { $0.publishedAt <= time } ?? 0 }
}

struct Product: Sendable {
    var id: String
    var kind: Kind
    /// Days from one renewal to the next; 0 where nothing renews.
    var periodDays: Int

    /// Attribute 1707.
    enum Kind: Int64, Sendable {
        case nonConsumable = 0
        case consumable = 1
        case nonRenewing = 2
        case autoRenewable = 3
    }
}

extension App {
    static let all: [App] = [
        App("com.example.lumen", .ios, 1_015_440_001, 284_417_001, "4+", buildNumbers, firstFree: 33, weight: 45),
        App("com.example.tideline", .ios, 1_202_190_002, 284_417_001, "9+", dottedBuilds, firstFree: 20, weight: 30),
        App("com.example.chord", .ios, 1_357_900_003, 284_417_002, "12+", datedBuilds, firstFree: 45, weight: 15),
        App(
            "com.example.lumen.mac", .macos, 1_015_440_004, 284_417_001, "4+", shortVersions, firstFree: 28, weight: 10),
    ]

    /// Another developer's app, whose genuine receipts are presented as ours.
    static let foreign = App(
        "com.example.elsewhere", .ios, 1_500_000_009, 399_000_009, "4+", buildNumbers, firstFree: 33, weight: 0)

    /// Sells what the store sells since 2026, and nothing else: what becomes of its customers is known to the end.
    static let of2026 = App(
        "com.example.atlas", .ios, 6_740_000_005, 284_417_003, "4+", dottedBuilds, firstFree: 0, weight: 0,
        products: [
            Product(id: "com.example.atlas.pro.yearly", kind: .autoRenewable, periodDays: 365),
            Product(id: "com.example.atlas.pro.monthly", kind: .autoRenewable, periodDays: 30),
            Product(id: "com.example.atlas.team.monthly", kind: .autoRenewable, periodDays: 30),
            Product(id: "com.example.atlas.catalog.monthly", kind: .autoRenewable, periodDays: 30),
            Product(id: "com.example.atlas.catalog.once", kind: .consumable, periodDays: 0),
            Product(id: "com.example.atlas.coins.100", kind: .consumable, periodDays: 0),
        ])

    /// The app with a subscription that is bought as seats.
    var sellingSeats: App {
        var app = self
        app.products.append(Product(id: bundleID + ".team.monthly", kind: .autoRenewable, periodDays: 30))
        return app
    }

    /// - Parameter name: the end of a product's identifier.
    func product(_ name: String) -> Product {
        products.first { $0.id == bundleID + "." + name } ?? products[0]
    }

    private init(
        _ bundleID: String, _ platform: Platform, _ itemID: Int64, _ developerID: Int64, _ ageRating: String,
        _ releases: [Release], firstFree: Int, weight: Int, products: [Product]? = nil
    ) {
        self.init(
            bundleID: bundleID, platform: platform, itemID: itemID, developerID: developerID, ageRating: ageRating,
            releases: releases, firstFreeRelease: firstFree, products: products ?? Self.products(bundleID),
            weight: weight)
    }

    /// Every app has an older version than the one of this time.
    static let secondRelease = launch + .days(57)

    var firstFreeVersion: String { releases[firstFreeRelease].version }

    private static let launch = CalendarTime(2016, 3, 1)

    /// A release every eight weeks.
    private static func releases(_ count: Int, _ version: (Int) -> String) -> [Release] {
        (0..<count).map {
            Release(version: version($0), publishedAt: launch + Int64($0) * 56 * CalendarTime.day)
        }
    }

    /// 1, 4, 7, … 100, …: as text, "97" would come after "100".
    private static let buildNumbers = releases(63) { String($0 * 3 + 1) }
    /// 1.0, 1.0.1, 1.1, … 1.9.1, 1.10, …: as text, "1.10" would come before "1.9".
    private static let dottedBuilds = releases(63) { $0 % 2 == 0 ? "1.\($0 / 2)" : "1.\($0 / 2).1" }
    /// Build numbers of four parts that begin with the year.
    private static let datedBuilds = releases(63) { "\(2016 + $0 / 7).\($0 % 7 + 1).0.\(1_000 + $0 * 17)" }
    /// 2.0, … 2.13, 3.0, …
    private static let shortVersions = releases(63) { "\(2 + $0 / 14).\($0 % 14)" }

    private static func products(_ prefix: String) -> [Product] {
        func sold(_ kind: Product.Kind, _ names: [String]) -> [Product] {
            names.map { Product(id: prefix + "." + $0, kind: kind, periodDays: 0) }
        }
        let periods = [("weekly", 7), ("monthly", 30), ("yearly", 365)]
        return sold(.consumable, ["coins.100", "coins.500", "coins.2500"])
            + sold(.nonConsumable, ["noads", "filters", "pro.lifetime"]) + sold(.nonRenewing, ["season_pass"])
            + periods.map { Product(id: prefix + ".pro." + $0.0, kind: .autoRenewable, periodDays: $0.1) }
    }
}
