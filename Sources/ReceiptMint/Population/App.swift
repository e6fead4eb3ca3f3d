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
    func release(at time: CalendarTime) -> Int {
        var (low, high) = (0, releases.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if releases[middle].publishedAt <= time { low = middle } else { high = middle - 1 }
        }
        return low
    }
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
        App(
            bundleID: "com.example.lumen", platform: .ios, itemID: 1_015_440_001, developerID: 284_417_001,
            ageRating: "4+", releases: buildNumbers, firstFreeRelease: 33, products: products("com.example.lumen"),
            weight: 45),
        App(
            bundleID: "com.example.tideline", platform: .ios, itemID: 1_202_190_002, developerID: 284_417_001,
            ageRating: "9+", releases: dottedBuilds, firstFreeRelease: 20, products: products("com.example.tideline"),
            weight: 30),
        App(
            bundleID: "com.example.chord", platform: .ios, itemID: 1_357_900_003, developerID: 284_417_002,
            ageRating: "12+", releases: datedBuilds, firstFreeRelease: 45, products: products("com.example.chord"),
            weight: 15),
        App(
            bundleID: "com.example.lumen.mac", platform: .macos, itemID: 1_015_440_004, developerID: 284_417_001,
            ageRating: "4+", releases: shortVersions, firstFreeRelease: 28,
            products: products("com.example.lumen.mac"), weight: 10),
    ]

    /// Somebody else's app, whose genuine receipts are presented as ours.
    static let foreign = App(
        bundleID: "com.example.elsewhere", platform: .ios, itemID: 1_500_000_009, developerID: 399_000_009,
        ageRating: "4+", releases: buildNumbers, firstFreeRelease: 33, products: products("com.example.elsewhere"),
        weight: 0)

    /// Every app has an older version than the one of this time.
    static let secondRelease = launch + 57 * CalendarTime.day

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
        [
            Product(id: prefix + ".coins.100", kind: .consumable, periodDays: 0),
            Product(id: prefix + ".coins.500", kind: .consumable, periodDays: 0),
            Product(id: prefix + ".coins.2500", kind: .consumable, periodDays: 0),
            Product(id: prefix + ".noads", kind: .nonConsumable, periodDays: 0),
            Product(id: prefix + ".filters", kind: .nonConsumable, periodDays: 0),
            Product(id: prefix + ".pro.lifetime", kind: .nonConsumable, periodDays: 0),
            Product(id: prefix + ".season_pass", kind: .nonRenewing, periodDays: 0),
            Product(id: prefix + ".pro.weekly", kind: .autoRenewable, periodDays: 7),
            Product(id: prefix + ".pro.monthly", kind: .autoRenewable, periodDays: 30),
            Product(id: prefix + ".pro.yearly", kind: .autoRenewable, periodDays: 365),
        ]
    }
}
