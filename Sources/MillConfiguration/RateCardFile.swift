internal import MillDatabase
internal import MillSystem

/// A rate card as a user writes it: Apple's commission by programme, storefront and day.
///
/// If several entries of a list apply to the same storefront and day, the last one counts.
struct RateCardFile: ConfigurationSection {
    var sellerCountry = ""
    var taxCategory = "software"
    var programs: [EnrolledProgram] = []
    var commissions: [CommissionRate] = []
    var taxes: [TaxRate] = []
    var rounding: [RoundingRule] = []
    var digits: [CurrencyDigits] = []

    static var keys: [Key] {
        [
            Key(
                "seller_country", \.sellerCountry, .storefront, isRequired: true,
                "Country in which the seller is established: some taxes depend on it."),
            Key("tax_category", \.taxCategory, .text("a word"), "The store's tax category of the products."),
            Key(
                "programs", \.programs, .filledList("programmes, each with the key program", of: .section),
                isRequired: true, "Programmes by which the store took its commission, and since when."),
            Key(
                "commissions", \.commissions, .filledList("commissions", of: .section), isRequired: true,
                "What the store keeps of the price without tax, by programme, storefront and day."),
            Key(
                "taxes", \.taxes, .filledList("taxes", of: .section), isRequired: true,
                "The tax in prices, by storefront and day. Where none is stated, no proceeds are computed."),
            Key(
                "rounding", \.rounding, .list("rules of rounding", of: .section),
                "How the share of one is rounded; to the nearest where no rule holds."),
            Key(
                "digits", \.digits, .list("digits of currencies", of: .section),
                "Digits behind the point of proceeds, where they differ from ISO 4217."),
        ]
    }

    func check(_ written: ConfigurationNode) throws(MillError) {
        for (index, span) in programs.enumerated() where !commissions.contains(where: { $0.program == span.program }) {
            throw written["programs"][index]["program"].fault(
                "no commission is stated for \(span.program.rawValue)", hint: "add one under commissions")
        }
    }
}

/// An Apple programme that decides the rate of commission.
enum StoreProgram: String, Sendable, CaseIterable {
    case standard, news, video
    case smallBusiness = "small_business"
    case miniApps = "mini_apps"
}

/// An entry of a rate card that applies on some days.
protocol DatedEntry: ConfigurationSection {
    /// Days since 1970; nil means unbounded.
    var from: Int? { get set }
    var until: Int? { get set }
}

extension DatedEntry {
    static var dayKeys: [Key] {
        [
            Key("from", \.from, .day, "The first Pacific day; since ever where absent."),
            Key("until", \.until, .day, "The last Pacific day; for ever where absent."),
        ] + sourceKeys
    }

    /// - Throws: ``MillError`` if the last day is before the first.
    func check(_ written: ConfigurationNode) throws(MillError) {
        guard let from, let until, until < from else { return }
        throw written["until"].fault("is before from", hint: "until is the last day on which the entry holds")
    }

    func holds(on day: Int) -> Bool { (from.map { $0 <= day } ?? true) && (until.map { $0 >= day } ?? true) }

    /// The days on which the entry begins to apply, or no longer applies.
    var edges: [Int] { [from, until.map { $0 + 1 }].compactMap(\.self) }
}

extension ConfigurationSection {
    /// The source of an entry, for a person who checks the card. No figure depends on it.
    fileprivate static var sourceKeys: [Key] {
        [
            Key("source", .text("a text"), "Where this was read."),
            Key("checked", .day, "The day on which the source said so."),
        ]
    }
}

struct EnrolledProgram: DatedEntry {
    var program = StoreProgram.standard
    var from, until: Int?

    static var keys: [Key] {
        [Key("program", \.program, .word, isRequired: true, "The programme.")] + dayKeys
    }
}

struct CommissionRate: DatedEntry {
    var program = StoreProgram.standard
    var storefronts: [String]?
    /// The commission in millionths of the price without tax.
    var subscription = 0
    var subscriptionAfterAYear = 0
    var other = 0
    var from, until: Int?

    static var keys: [Key] {
        [
            Key("program", \.program, .word, isRequired: true, "The programme."),
            Key("storefronts", \.storefronts, .storefronts, "Storefronts; all where absent."),
            Key(
                "subscription", \.subscription, .commission, isRequired: true,
                "Of auto-renewing subscriptions, in percent."),
            Key(
                "subscription_after_a_year", \.subscriptionAfterAYear, .commission, isRequired: true,
                "Of auto-renewing subscriptions after a year of paid service, in percent."),
            Key("other", \.other, .commission, isRequired: true, "Of all else, in percent."),
        ] + dayKeys
    }
}

struct TaxRate: DatedEntry {
    var storefronts: [String]?
    /// The tax in millionths of the price without tax.
    var tax = 0
    /// Millionths of the commission.
    var levy = 0
    var taxCategories: [String]?
    var sellersOf: [String]?
    var sellersNotOf: [String]?
    var from, until: Int?

    static var keys: [Key] {
        [
            Key("storefronts", \.storefronts, .storefronts, "Storefronts; all where absent."),
            Key(
                "tax", \.tax, .percentage(upTo: 100), isRequired: true,
                "Tax in the price, in percent of the price without it; 0 where it is added to the price, or there is none."
            ),
            Key("levy", \.levy, .percentage(upTo: 100), "What the store adds to its commission, in percent of that."),
            Key(
                "tax_categories", \.taxCategories, .filledList("tax categories", of: .text("a word")),
                "Tax categories for which this holds; all where absent."),
            Key(
                "sellers_of", \.sellersOf, .storefronts,
                "Countries of the sellers for whom this holds; all where absent."),
            Key("sellers_not_of", \.sellersNotOf, .storefronts, "Countries of sellers for whom this does not hold."),
        ] + dayKeys
    }
}

struct RoundingRule: DatedEntry {
    var round = RateCard.Rounding.nearest
    var storefronts: [String]?
    /// The commission, in millionths, to which the rule applies.
    var commission: Int?
    var from, until: Int?

    static var keys: [Key] {
        [
            Key("round", \.round, .word, isRequired: true, "To the nearest amount, or up."),
            Key("storefronts", \.storefronts, .storefronts, "Storefronts; all where absent."),
            Key(
                "commission", \.commission, .commission,
                "The commission at which this holds, in percent; any where absent."),
        ] + dayKeys
    }
}

struct CurrencyDigits: ConfigurationSection {
    var currencies: [String] = []
    var digits = 0

    static var keys: [Key] {
        [
            Key(
                "currencies", \.currencies, .filledList("currencies", of: .currency), isRequired: true,
                "The currencies."),
            // Amounts are thousandths.
            Key("digits", \.digits, .number(0...3, "digits"), isRequired: true, "Digits behind the point."),
        ] + sourceKeys
    }
}
