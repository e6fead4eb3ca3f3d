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

    /// The version that an owner got first: attribute 19 of receipts.
    func originalVersion(at time: CalendarTime, isSandbox: Bool) -> String {
        isSandbox ? "1.0" : releases[release(at: time)].version
    }

    /// When an owner got the app: attribute 18 of receipts, a fixed date in the sandbox.
    static func originalPurchase(at time: CalendarTime, isSandbox: Bool) -> CalendarTime {
        isSandbox ? CalendarTime(2013, 8, 1) + .hours(7) : time
    }

    /// The store's number of the release that was current at a time.
    func versionExternalID(at time: CalendarTime) -> Int64 { 811_000_000 + Int64(release(at: time)) * 1_013 }

    /// Whether the app still had a price.
    func isPaid(at time: CalendarTime) -> Bool { release(at: time) < firstFreeRelease }

    /// Index of the release that was current at a time.
    func release(at time: CalendarTime) -> Int { releases.lastIndex { $0.publishedAt <= time } ?? 0 }
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
        sells: ["pro.yearly", "pro.monthly", "team.monthly", "catalog.monthly", "catalog.once", "coins.100"])

    /// The app with a subscription that is bought as seats.
    var sellingSeats: App {
        var app = self
        app.products += Product.sold(["team.monthly"], by: bundleID)
        return app
    }

    /// - Parameter name: the end of a product's identifier.
    func product(_ name: String) -> Product {
        products.first { $0.id == bundleID + "." + name } ?? products[0]
    }

    /// A subscription with a longer period.
    func upgrade(of product: Product) -> Product? {
        products.first { $0.kind == .autoRenewable && $0.periodDays > product.periodDays }
    }

    private init(
        _ bundleID: String, _ platform: Platform, _ itemID: Int64, _ developerID: Int64, _ ageRating: String,
        _ releases: [Release], firstFree: Int, weight: Int, sells names: [String] = Product.usual
    ) {
        self.init(
            bundleID: bundleID, platform: platform, itemID: itemID, developerID: developerID, ageRating: ageRating,
            releases: releases, firstFreeRelease: firstFree, products: Product.sold(names, by: bundleID),
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

    /// All subscriptions of an app are of one group.
    var subscriptionGroup: String { String(21_000_000 + itemID % 1_000_000) }
}
