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
        do throws(TextFile.Fault) {
            text = try TextFile.read(path, atMost: Self.greatestBytes)
        } catch {
            throw MillError(
                stage: .reporting, path: path, line: error.line, what: error.what,
                hint: error.isMissing ? "give --prices a CSV file: product_id,currency,price" : error.hint,
                exitStatus: error.isMissing ? .missingInput : .badData)
        }
        do throws(PriceList.Fault) {
            prices = try Self.prices(in: text)
        } catch {
            throw MillError(
                stage: .reporting, path: path, line: error.line, what: error.what,
                hint: "write product_id,currency,price on the first line and one price on each that follows, "
                    + "such as: com.example.gold,EUR,4.99",
                exitStatus: .badData)
        }
    }

    private struct Fault: Error {
        var line: Int
        var what: String
    }

    /// More than any store's catalogue.
    private static let greatestBytes = 64 << 20

    private static func prices(in text: String) throws(Fault) -> [Price] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let heading = try columns(lines.first ?? "")
        var prices: [Price] = []
        var seen: [[String]: Int] = [:]
        for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
            let number = index + 1
            guard let fields = fields(line) else {
                throw Fault(line: number, what: "a quote is not closed on its line")
            }
            guard fields.count == heading.count else {
                throw Fault(line: number, what: "the line has \(fields.count) fields, the first \(heading.count)")
            }
            let price = try price(
                product: fields[heading.product].trimmed, currency: fields[heading.currency].trimmed,
                amount: fields[heading.price].trimmed, line: number)
            if let first = seen.updateValue(number, forKey: [price.product, price.currency]) {
                throw Fault(
                    line: number, what: "\(price.product) has a price in \(price.currency) already, on line \(first)")
            }
            prices.append(price)
        }
        return prices
    }

    /// Where the first line names the columns, and how many it names.
    private static func columns(
        _ line: Substring
    ) throws(Fault) -> (product: Int, currency: Int, price: Int, count: Int) {
        let names = (fields(line) ?? []).map { $0.trimmed.lowercased() }
        guard let product = names.firstIndex(of: "product_id"), let currency = names.firstIndex(of: "currency"),
            let price = names.firstIndex(of: "price")
        else {
            let other = [";": "semicolons", "\t": "tabs"].first { names.count == 1 && line.contains($0.key) }
            throw Fault(
                line: 1,
                what: other.map { "the fields are separated by \($0.value), not by commas" }
                    ?? "the first line does not name product_id, currency and price")
        }
        for name in ["product_id", "currency", "price"] where names.count(where: { $0 == name }) > 1 {
            throw Fault(line: 1, what: "the first line names \(name) twice")
        }
        return (product, currency, price, names.count)
    }

    private static func price(
        product: String, currency: String, amount: String, line: Int
    ) throws(Fault) -> Price {
        guard !product.isEmpty else { throw Fault(line: line, what: "the product is empty") }
        guard currency.utf8.count == 3, currency.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw Fault(
                line: line, what: "the currency '\(currency)' is not three letters of ISO 4217 such as EUR")
        }
        guard !amount.hasPrefix("-") else { throw Fault(line: line, what: "the price \(amount) is negative") }
        guard let value = decimal(amount) else {
            throw Fault(line: line, what: "the price '\(amount)' is no number such as 4.99")
        }
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

    /// Puts the list where reports look for it: in a temporary table of the
    /// connection's, which hides the empty view of the same name.
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

    /// What to tell where the list can't change a report's answer.
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
            if character == "\"" {
                if !isQuoted, wasQuote { fields[fields.count - 1].append(character) }
                isQuoted.toggle()
                wasQuote = true
                continue
            }
            if character == ",", !isQuoted {
                fields.append("")
            } else {
                fields[fields.count - 1].append(character)
            }
            wasQuote = false
        }
        return isQuoted ? nil : fields
    }
}
