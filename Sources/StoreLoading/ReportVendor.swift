internal import GRDB
internal import MillSystem

/// The developer account whose sales a report file states. The account's number is stated only in the file names that
/// Apple gives, and files may be renamed. So two files that state a product with the same Apple ID belong to one
/// account.
struct ReportVendor {
    private let db: Database
    /// The account's number in the file's name; nil if the name has none.
    private let number: String?
    private var products: Set<String> = []

    /// The maximum number of products that are stored to recognise an account; one common product is enough.
    private static let maximumProducts = 10_000
    private static let unnumbered = "product "

    init(_ db: Database, fileName name: String) { (self.db, number) = (db, Self.number(in: name)) }

    /// The vendor number in names such as `S_D_80012345_20260331.txt.gz` and `80012345_0226_ZZ.txt`: eight or nine
    /// digits that are not a date, followed by a date.
    static func number(in name: String) -> String? {
        let parts = name.prefix { $0 != "." }.split(separator: "_")
        for (part, next) in zip(parts, parts.dropFirst()) {
            let digits = Array(part.utf8)
            guard (8...9).contains(digits.count), digits.allSatisfy(isDigit), !isDate(part),
                next.utf8.count >= 4, next.utf8.prefix(4).allSatisfy(isDigit)
            else { continue }
            return String(part)
        }
        return nil
    }

    /// Whether eight digits are a date such as `20260331`.
    private static func isDate(_ digits: Substring) -> Bool {
        digits.hasPrefix("20")
            && CivilTime.isDay("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6))")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    mutating func note(product appleID: Int64?, of developer: String? = nil) {
        guard let appleID, products.count < Self.maximumProducts else { return }
        products.insert(developer.map { "\(appleID) \($0)" } ?? "\(appleID)")
    }

    /// The account that the database assigns to the file. If the file has products of several accounts without numbers,
    /// these are one account.
    func resolved() throws -> String {
        let find = try db.makeStatement(sql: "SELECT vendor FROM store_product WHERE product = ?")
        var known: Set<String> = []
        for product in products {
            if let vendor = try String.fetchOne(find, arguments: [product]) { known.insert(vendor) }
        }
        let unnumbered = known.filter { $0.hasPrefix(Self.unnumbered) }
        let new = products.min().map { Self.unnumbered + $0 }
        guard let vendor = number ?? known.subtracting(unnumbered).min() ?? unnumbered.min() ?? new else { return "" }
        for other in unnumbered where other != vendor {
            for table in ["store_file", "store_product"] {
                try db.execute(sql: "UPDATE \(table) SET vendor = ? WHERE vendor = ?", arguments: [vendor, other])
            }
        }
        let insert = try db.makeStatement(sql: "INSERT OR REPLACE INTO store_product (product, vendor) VALUES (?, ?)")
        for product in products { try insert.execute(arguments: [product, vendor]) }
        return vendor
    }
}
