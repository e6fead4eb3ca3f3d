internal import Foundation
internal import TestSupport
internal import Testing

@testable import MillConfiguration
@testable import MillDatabase
@testable import MillSystem

@Suite("A rate card") struct RateCardTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func card(_ text: String) throws -> RateCard {
        try RateCard(path: workdir.write(text, to: "card.yaml"))
    }

    private static let head: String = "seller_country: DEU\nprograms:\n  - program: standard\n"
    private static let commission: String =
        "  - {program: standard, subscription: 30, subscription_after_a_year: 15, other: 30}\n"
    private static let taxes: String = "taxes:\n  - {storefronts: [DEU], tax: 19}\n"
    private static let least: String = head + "commissions:\n" + commission + taxes

    private func rules(_ text: String, _ kind: RateCard.Kind = .subscription, year: Int = 1) throws -> [String] {
        try card(text).rules.filter { $0.storefront == "DEU" && $0.kind == kind && $0.paidYear == year }.map {
            let rates = $0.rates
            return "\($0.days): \(rates.commission) \(rates.tax) \(rates.levy) \(rates.rounding)"
        }
    }

    @Test("has a rule for each storefront whose tax is stated, each kind of product and each year of paid service")
    func least() throws {
        let card = try card(Self.least)
        #expect(card.rules.count == 3 && Set(card.rules.map(\.storefront)) == ["DEU"])
        #expect(try rules(Self.least) == ["0..<10000000: 300000 190000 0 nearest"])
        #expect(try rules(Self.least, year: 2) == ["0..<10000000: 150000 190000 0 nearest"])
        #expect(try rules(Self.least, .other) == ["0..<10000000: 300000 190000 0 nearest"])
    }

    @Test("has a rule for each span of days in which nothing changes; of entries that hold the last counts")
    func spans() throws {
        // 2026-01-01 is day 20454, 2026-03-15 day 20527.
        let text =
            Self.head + "  - {program: small_business, from: 2026-01-01}\ncommissions:\n" + Self.commission
            + "  - {program: small_business, subscription: 15, subscription_after_a_year: 15, other: 15}\n"
            + "  - {program: small_business, storefronts: [DEU], subscription: 12, subscription_after_a_year: 12, "
            + "other: 12, from: 2026-03-15}\n" + Self.taxes
            + "  - {storefronts: [DEU], tax: 8.1, levy: 2.73, until: 2025-12-31}\n"
            + "rounding:\n  - {round: up, commission: 30}\n"
        #expect(
            try rules(text) == [
                "0..<20454: 300000 81000 27300 up", "20454..<20527: 150000 190000 0 nearest",
                "20527..<10000000: 120000 190000 0 nearest",
            ])
    }

    @Test("takes taxes by category and by the country of the seller")
    func conditions() throws {
        let text =
            "tax_category: books\n" + Self.least + "  - {storefronts: [DEU], tax: 7, tax_categories: [books]}\n"
            + "  - {storefronts: [DEU], tax: 1, sellers_of: [USA]}\n  - {storefronts: [DEU], tax: 2, sellers_not_of: [DEU]}\n"
        #expect(try rules(text) == ["0..<10000000: 300000 70000 0 nearest"])
        #expect(
            try rules(text.replacing("seller_country: DEU", with: "seller_country: USA"))
                == ["0..<10000000: 300000 20000 0 nearest"])
    }

    private static let malformedCards: [(text: String, line: Int, what: String)] = [
        ("seller_country: GER\n", 1, "seller_country: expected a country by the three letters of ISO 3166"),
        (head + "commissions:\n" + commission, 1, "taxes: is missing"),
        (least + "discount: 3\n", 8, "discount: there is no such key"),
        (
            head + "  - program: news\ncommissions:\n" + commission + taxes, 4,
            "programs[1].program: no commission is stated for news"
        ),
        (
            head + "commissions:\n" + commission.replacing("30", with: "30.12345") + taxes, 5,
            "commissions[0].subscription: expected a percentage from 0 to 99 such as 15 or 8.1"
        ),
        (
            head + "commissions:\n" + commission.replacing("30", with: "100") + taxes, 5,
            "commissions[0].subscription: expected a percentage from 0 to 99"
        ),
        (least + "  - {tax: -1}\n", 8, "taxes[1].tax: expected a percentage from 0 to 100"),
        (least + "  - {tax: 1, from: 2026-02-30}\n", 8, "taxes[1].from: expected a day such as 2026-03-15"),
        (least + "  - {tax: 1, from: 2026-02-02, until: 2026-02-01}\n", 8, "taxes[1].until: is before from"),
        (least + "rounding:\n  - round: down\n", 9, "rounding[0].round: expected nearest or up"),
        (least + "digits:\n  - {currencies: [EURO], digits: 0}\n", 9, "digits[0].currencies[0]: expected a currency"),
        (least + "taxes: []\n", 8, "this is no YAML"),
    ]

    @Test(
        "that can't be right is refused with file, line and key",
        arguments: malformedCards)
    func malformed(text: String, line: Int, what: String) throws {
        let error = try #require(throws: MillError.self) { try card(text) }
        #expect(error.what.hasPrefix(what), "\(error.what)")
        #expect(error.line == line && error.path == workdir.path("card.yaml"))
        #expect(error.exitStatus == .configuration)
    }

    @Test("that ships can be read, and says of every entry where it was read, and when")
    func example() throws {
        let file = Repository.file("pipelines/rate-card.yaml")
        let read = try ConfigurationFile(path: file.path, environment: [:]).read(as: RateCardFile.self)
        let text = try String(contentsOf: file, encoding: .utf8)
        let rates = try #require(text.components(separatedBy: "\ncommissions:\n").last)
        let entries = ("\n" + rates).components(separatedBy: "\n  - ").dropFirst()
        let lists = [read.commissions.count, read.taxes.count, read.rounding.count, read.digits.count]
        #expect(entries.count > 60 && entries.count == lists.reduce(0, +))
        #expect(entries.allSatisfy { $0.contains("\n    source: ") && $0.contains("\n    checked: ") })
        let card = read.card
        // The store has 175 storefronts.
        #expect(Set(card.rules.map(\.storefront)).count == 175)
        #expect(card.digits["JPY"] == 0 && card.digits["USD"] == nil)
        func commission(_ storefront: String, _ kind: RateCard.Kind, _ year: Int, _ day: Int) -> Int? {
            card.rules.first {
                $0.storefront == storefront && $0.kind == kind && $0.paidYear == year && $0.days.contains(day)
            }?.rates.commission
        }
        // 2025-12-31, and 2026-11-26.
        #expect(
            ["USA", "CHN", "JPN", "DEU", "BRA"].map { commission($0, .other, 1, 20_453) } == [
                300_000, 300_000, 260_000, 300_000, 300_000,
            ])
        #expect(
            ["USA", "CHN", "JPN", "DEU", "BRA"].map { commission($0, .other, 1, 20_783) } == [
                300_000, 250_000, 260_000, 260_000, 260_000,
            ])
        #expect(
            ["USA", "CHN", "JPN", "DEU", "BRA"].map { commission($0, .subscription, 2, 20_783) } == [
                150_000, 120_000, 150_000, 150_000, 150_000,
            ])
    }

    @Test("that is missing is a missing input")
    func missing() {
        let error = #expect(throws: MillError.self) { try RateCard(path: workdir.path("none.yaml")) }
        #expect(error?.exitStatus == .missingInput)
    }
}
