internal import Foundation
internal import GRDB

/// Prices of products, which no receipt holds: a file of the user's with the
/// columns `product_id`, `currency`, `price` (RFC 4180), one product a line.
public struct PriceList: Sendable, Hashable {
    struct Price: Sendable, Hashable {
        var product: String
        var currency: String
        /// In units of the currency.
        var amount: Double
    }

    let prices: [Price]

    /// Reads a file.
    ///
    /// - Throws: ``MillError`` with the line that can't be read as a price.
    public init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.greatestBytes,
            let text = String(data: data, encoding: .utf8)
        else {
            throw MillError(
                stage: .reporting, path: path, what: "no price list can be read here",
                hint: "give --prices a CSV file in UTF-8, of \(Self.greatestBytes >> 20) MiB at most",
                exitStatus: .missingInput)
        }
        func malformed(_ line: Int, _ what: String) -> MillError {
            MillError(
                stage: .reporting, path: path, line: line, what: what,
                hint: "write product_id,currency,price on the first line and one price on each that follows, "
                    + "such as: com.example.gold,EUR,4.99",
                exitStatus: .badData)
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let heading = lines.first.flatMap(Self.fields) ?? []
        let names = heading.map { $0.trimmed.lowercased() }
        guard let product = names.firstIndex(of: "product_id"), let currency = names.firstIndex(of: "currency"),
            let price = names.firstIndex(of: "price")
        else { throw malformed(1, "the first line does not name product_id, currency and price") }
        var prices: [Price] = []
        var seen: Set<[String]> = []
        for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
            guard let fields = Self.fields(line), fields.count == names.count else {
                throw malformed(index + 1, "the line has not the \(names.count) fields of the first")
            }
            guard let amount = Double(fields[price].trimmed), amount.isFinite, amount >= 0 else {
                throw malformed(index + 1, "the price \(fields[price].trimmed) is no number such as 4.99")
            }
            let entry = Price(product: fields[product].trimmed, currency: fields[currency].trimmed, amount: amount)
            guard !entry.product.isEmpty, !entry.currency.isEmpty else {
                throw malformed(index + 1, "the product or the currency is empty")
            }
            guard seen.insert([entry.product, entry.currency]).inserted else {
                throw malformed(index + 1, "\(entry.product) has a price in \(entry.currency) already")
            }
            prices.append(entry)
        }
        self.prices = prices
    }

    /// More than any store's catalogue.
    private static let greatestBytes = 64 << 20

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
