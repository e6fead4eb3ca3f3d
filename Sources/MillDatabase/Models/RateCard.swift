package import GRDB
internal import ReceiptSQL

/// Apple's commission on sales, as a user's rate card states it: a rule for each storefront, kind of product, year of
/// paid service and span of days. The database stores the card, and reports of proceeds join it to sales.
package struct RateCard: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable { case subscription, other }

    /// How the share from one sale is rounded to the digits of its currency.
    package enum Rounding: String, Sendable, Hashable, CaseIterable { case nearest, up }

    /// The parts of a price, in millionths.
    package struct Rates: Sendable, Hashable {
        /// The commission, as a share of the price without tax.
        package var commission: Int
        /// The tax in the price, as a share of the price without tax; 0 if the tax is added to the price.
        package var tax: Int
        /// The amount added to the commission, as a share of the commission.
        package var levy: Int
        package var rounding: Rounding

        package init(commission: Int, tax: Int, levy: Int, rounding: Rounding) {
            (self.commission, self.tax, self.levy, self.rounding) = (commission, tax, levy, rounding)
        }
    }

    package struct Rule: Sendable, Hashable {
        package var storefront: String
        package var kind: Kind
        /// 2 after a year of paid service, otherwise 1.
        package var paidYear: Int
        /// Days since 1970; the upper bound is excluded.
        package var days: Range<Int>
        package var rates: Rates

        package init(storefront: String, kind: Kind, paidYear: Int, days: Range<Int>, rates: Rates) {
            (self.storefront, self.kind, self.paidYear, self.days, self.rates) = (
                storefront, kind, paidYear, days, rates
            )
        }
    }

    /// The days of a rule without bounds; no day has a greater number.
    package static let allDays = 0..<10_000_000

    package var rules: [Rule]
    /// The number of decimals by currency, if the card states them.
    package var digits: [String: Int]

    package init(rules: [Rule], digits: [String: Int]) { (self.rules, self.digits) = (rules, digits) }

    /// The tables that store a card.
    package static let tables = ["rate_rule", "rate_currency"]

    /// Replaces the stored card by this one. For use within a transaction.
    package func replace(in schema: String = "main", _ db: Database) throws {
        for table in Self.tables { try db.execute(sql: "DELETE FROM \(schema).\(table)") }
        let insert = try db.makeStatement(
            sql: """
                INSERT INTO \(schema).rate_rule (
                    storefront, kind, paid_year, from_day, until_day, commission_ppm, tax_ppm, levy_ppm, rounding)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for rule in rules {
            try insert.execute(arguments: [
                rule.storefront, rule.kind.rawValue, rule.paidYear, rule.days.lowerBound, rule.days.upperBound,
                rule.rates.commission, rule.rates.tax, rule.rates.levy, rule.rates.rounding.rawValue,
            ])
        }
        for (currency, digits) in digits {
            try db.execute(
                sql: "INSERT INTO \(schema).rate_currency (currency, digits) VALUES (?, ?)",
                arguments: [currency, digits])
        }
    }

    /// Countries for which there may be a storefront, by the three letters of ISO 3166.
    package static let storefronts: [String] = {
        let text = SQLFile.views.first { $0.name == "internal_countries" }?.text ?? ""
        // Comments before the rows contain apostrophes. Each row has two texts in single quotes, the first of which has
        // the three letters.
        let rows = text.firstRange(of: "VALUES").map { text[$0.upperBound...] } ?? ""
        let texts = rows.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter {
            $0.offset % 2 == 1
        }
        return texts.map { String($0.element) }.filter { $0.count == 3 }
    }()
}
