internal import Foundation
package import GRDB
internal import MillSystem

/// Prices of products, which no receipt holds: a file of the user's with the
/// columns `product_id`, `currency`, `price` (RFC 4180), one product a line.
package struct PriceList: Sendable, Hashable {
    package struct Price: Sendable, Hashable {
        package var product: String
        package var currency: String
        /// In units of the currency.
        var amount: Double
    }

    package let prices: [Price]

    /// Reads a file.
    ///
    /// - Throws: ``MillError`` with the line that can't be read as a price.
    package init(path: String) throws {
        let text: String
        do throws(TextFile.Fault) { text = try TextFile.read(path, atMost: Self.greatestBytes) } catch {
            throw MillError(
                stage: .reporting, path: path, line: error.line, what: error.what,
                hint: error.isMissing ? "give --prices a CSV file: product_id,currency,price" : error.hint,
                exitStatus: error.isMissing ? .missingInput : .badData)
        }
        do throws(MillError) { prices = try Self.prices(in: text) } catch {
            var error = error
            error.path = path
            throw error
        }
    }

    private static func fault(_ line: Int, _ what: String) -> MillError {
        MillError(
            stage: .reporting, line: line, what: what,
            hint: "write product_id,currency,price on the first line and one price on each that follows, "
                + "such as: com.example.gold,EUR,4.99",
            exitStatus: .badData)
    }

    /// More than any store's catalogue.
    private static let greatestBytes = 64 << 20

    private static func prices(in text: String) throws(MillError) -> [Price] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let heading = (fields(lines.first ?? "") ?? []).map { $0.trimmed.lowercased() }
        let columns = try columns(heading, of: lines.first ?? "")
        var prices: [Price] = []
        var seen: [[String]: Int] = [:]
        for (index, content) in lines.enumerated().dropFirst() where !content.allSatisfy(\.isWhitespace) {
            let line = index + 1
            guard let fields = fields(content) else { throw fault(line, "a quote is not closed on its line") }
            guard fields.count == heading.count else {
                throw fault(line, "the line has \(fields.count) fields, the first \(heading.count)")
            }
            let price = try price(columns.map { fields[$0].trimmed }, line: line)
            if let first = seen.updateValue(line, forKey: [price.product, price.currency]) {
                throw fault(line, "\(price.product) has a price in \(price.currency) already, on line \(first)")
            }
            prices.append(price)
        }
        return prices
    }

    /// The columns of product, currency and price.
    private static func columns(_ heading: [String], of line: Substring) throws(MillError) -> [Int] {
        let names = ["product_id", "currency", "price"]
        let columns = names.compactMap(heading.firstIndex(of:))
        guard columns.count == names.count else {
            let other = [";": "semicolons", "\t": "tabs"].first { heading.count == 1 && line.contains($0.key) }
            throw fault(
                1,
                other.map { "the fields are separated by \($0.value), not by commas" }
                    ?? "the first line does not name product_id, currency and price")
        }
        if let twice = names.first(where: { name in heading.count { $0 == name } > 1 }) {
            throw fault(1, "the first line names \(twice) twice")
        }
        return columns
    }

    /// - Parameter fields: product, currency and price.
    private static func price(_ fields: [String], line: Int) throws(MillError) -> Price {
        let (product, currency, amount) = (fields[0], fields[1], fields[2])
        guard !product.isEmpty else { throw fault(line, "the product is empty") }
        guard currency.utf8.count == 3, currency.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw fault(line, "the currency '\(currency)' is not three letters of ISO 4217 such as EUR")
        }
        guard !amount.hasPrefix("-") else { throw fault(line, "the price \(amount) is negative") }
        guard let value = decimal(amount) else { throw fault(line, "the price '\(amount)' is no number such as 4.99") }
        return Price(product: product, currency: currency.uppercased(), amount: value)
    }

    /// Digits, and more behind a full stop: neither signs, exponents, hexadecimal
    /// digits, words, nor a mark between thousands. 15 digits are exact as a real.
    private static func decimal(_ text: String) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, text.utf8.count <= 16,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return Double(text)
    }

    /// Puts the list into a temporary table of the connection, which hides the empty view of the same name.
    func offer(to queue: DatabaseQueue) throws {
        try queue.inDatabase { database in
            try database.execute(
                sql: """
                    DROP TABLE IF EXISTS temp.product_prices;
                    CREATE TEMP TABLE product_prices (product_id TEXT, currency TEXT, price REAL)
                    """)
            let insert = try database.makeStatement(sql: "INSERT INTO temp.product_prices VALUES (?, ?, ?)")
            for price in prices { try insert.execute(arguments: [price.product, price.currency, price.amount]) }
        }
    }

    /// A warning where the list can't change a report's answer.
    package func warning(for report: Report, on queue: DatabaseQueue) throws -> ReportWarning? {
        guard report.readsPrices else { return nil }
        let isSold = try queue.inDatabase { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM temp.product_prices
                        CROSS JOIN main.product ON product.product_id = product_prices.product_id)
                    """) ?? false
        }
        guard !isSold else { return nil }
        return ReportWarning(
            what: "no product of the database is in the price list",
            hint: prices.first.map { "the first in the list is \($0.product); are these the products of another app?" }
                ?? "the list is empty")
    }

    /// The fields of a line, nil where quotes are amiss.
    private static func fields(_ line: Substring) -> [String]? {
        var fields = [""]
        var isQuoted = false
        var wasQuote = false
        for character in line {
            if character == ",", !isQuoted {
                fields.append("")
            } else if character != "\"" || (wasQuote && !isQuoted) {
                fields[fields.count - 1].append(character)
            }
            wasQuote = character == "\""
            if wasQuote { isQuoted.toggle() }
        }
        return isQuoted ? nil : fields
    }
}
