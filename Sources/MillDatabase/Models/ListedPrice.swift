package import GRDB

/// What a product costs, as the user lists it.
package struct ListedPrice: Sendable, Hashable {
    package let product, currency: String
    /// Of one, in thousandths of the currency.
    package let milliunits: Int64
    /// Of one at the introductory offer; nil where none is listed.
    package let introductoryMilliunits: Int64?
    /// The first day, `YYYY-MM-DD`; nil for as long as there is the product.
    package let validFrom: String?

    package init(
        product: String, currency: String, milliunits: Int64, introductoryMilliunits: Int64? = nil,
        validFrom: String? = nil
    ) {
        (self.product, self.currency, self.milliunits) = (product, currency, milliunits)
        (self.introductoryMilliunits, self.validFrom) = (introductoryMilliunits, validFrom)
    }

    /// Stores a list in place of the one stored. Within a transaction.
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
}
