package import GRDB
package import MillSystem

/// A product's price from the user's list, since receipts state none. The list is a file with the columns `product_id`,
/// `currency`, `price` and optionally `introductory_price` and `valid_from`. The database stores the list, and models
/// use it if no document states a price.
package struct ListedPrice: Sendable, Hashable {
    package let product, currency: String
    /// The price of one unit, in thousandths of the currency.
    package let milliunits: Int64
    /// The price of one unit in the introductory offer; nil if none is listed.
    package let introductoryMilliunits: Int64?
    /// The first day on which the price applies, `YYYY-MM-DD` in the database's time zone; nil if it always applies.
    package let validFrom: String?

    package init(
        product: String, currency: String, milliunits: Int64, introductoryMilliunits: Int64? = nil,
        validFrom: String? = nil
    ) {
        (self.product, self.currency, self.milliunits) = (product, currency, milliunits)
        (self.introductoryMilliunits, self.validFrom) = (introductoryMilliunits, validFrom)
    }

    /// Replaces the stored list by the given one. For use within a transaction.
    package static func replace(with prices: [ListedPrice], _ db: Database) throws {
        try db.execute(sql: "DELETE FROM listed_price")
        let insert = try db.makeStatement(
            sql: """
                INSERT INTO listed_price (product_id, currency, price_milliunits, introductory_milliunits, valid_from)
                VALUES (?, ?, ?, ?, ?)
                """)
        for price in prices {
            try insert.execute(arguments: [
                price.product, price.currency, price.milliunits, price.introductoryMilliunits, price.validFrom ?? "",
            ])
        }
    }

    /// Reads the prices of a file, rounded to thousandths of the currency.
    ///
    /// - Parameter setting: the option or key by which the user names the file, for messages.
    /// - Throws: ``MillError`` with the number of the line that can't be read.
    package static func list(inFile path: String, named setting: String = "--prices") throws(MillError) -> [ListedPrice]
    {
        let form = ListForm(
            option: setting, noun: "price", required: ["product_id", "currency", "price"],
            optional: ["introductory_price", "valid_from"], example: "com.example.gold,EUR,4.99")
        do {
            return try form.entries(ofFile: path) { line in
                func milliunits(_ field: String, _ name: String) throws -> Int64 {
                    Int64((try line.amount(field, name) * 1000).rounded())
                }
                guard !line["product_id"].isEmpty else { throw line.fault("the product is empty") }
                let price = ListedPrice(
                    product: line["product_id"], currency: try line.currency("currency"),
                    milliunits: try milliunits("price", "price"),
                    introductoryMilliunits: line["introductory_price"].isEmpty
                        ? nil : try milliunits("introductory_price", "introductory price"),
                    validFrom: try line.day("valid_from"))
                let day = price.validFrom.map { " from \($0)" } ?? ""
                return (
                    price, [price.product, price.currency, price.validFrom ?? ""],
                    "\(price.product) has a price in \(price.currency)\(day)"
                )
            }
        } catch {
            throw MillError(error, at: .reporting, path: path)
        }
    }
}
