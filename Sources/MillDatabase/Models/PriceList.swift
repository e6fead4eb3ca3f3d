package import MillSystem

/// Prices of products, which no receipt holds: a file of the user's with the columns
/// `product_id`, `currency`, `price` and, where there are any, `introductory_price` and
/// `valid_from`. A database keeps it, and models price with it what no document prices.
package struct PriceList: Sendable, Hashable {
    package struct Price: Sendable, Hashable {
        package var product: String
        package var currency: String
        /// In units of the currency, for one.
        var amount: Double
        /// The same at the introductory offer, nil where none is listed.
        var introductory: Double?
        /// The first day of the price, of the database's time zone; nil for as long as there is the product.
        var validFrom: String?
    }

    package let prices: [Price]

    private static let form = ListForm(
        option: "--prices", noun: "price", required: ["product_id", "currency", "price"],
        optional: ["introductory_price", "valid_from"], example: "com.example.gold,EUR,4.99")

    /// Reads a file.
    ///
    /// - Throws: ``MillError`` with the line that can't be read as a price.
    package init(path: String) throws {
        prices = try Self.form.entries(ofFile: path) { line in
            guard !line["product_id"].isEmpty else { throw line.fault("the product is empty") }
            var price = Price(
                product: line["product_id"], currency: try line.currency("currency"),
                amount: try line.amount("price", "price"))
            if !line["introductory_price"].isEmpty {
                price.introductory = try line.amount("introductory_price", "introductory price")
            }
            price.validFrom = try line.day("valid_from")
            let day = price.validFrom.map { " from \($0)" } ?? ""
            return (
                price, [price.product, price.currency, price.validFrom ?? ""],
                "\(price.product) has a price in \(price.currency)\(day)"
            )
        }
    }

    /// The prices as a database keeps them, to the nearest thousandth of the currency.
    private var listed: [ListedPrice] {
        let milliunits = { (amount: Double) in Int64((amount * 1000).rounded()) }
        return prices.map {
            ListedPrice(
                product: $0.product, currency: $0.currency, milliunits: milliunits($0.amount),
                introductoryMilliunits: $0.introductory.map(milliunits), validFrom: $0.validFrom)
        }
    }

    /// The prices of a file, as a database keeps them.
    package static func listed(inFile path: String) throws(MillError) -> [ListedPrice] {
        do { return try PriceList(path: path).listed } catch { throw MillError(error, at: .reporting, path: path) }
    }
}
