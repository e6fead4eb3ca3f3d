/// The columns that are read into fields of the database.
package enum StoreField: Int, CaseIterable, Sendable {
    case begins, ends, transacted, settled
    case sku, parent, appleID, developer, title, productType, country, region
    case units, price, currency, share, extended, shareCurrency, saleOrReturn
    case subscription, period, promoCode, orderType, proceedsReason, preservedPricing
    case day, event, appAppleID, appName, subscriptionName, subscriberID

    /// The names by which a header states each field, in the form of ``ReportText/normalized(_:)``; and, of the texts of
    /// a sale, their columns in the table `store_sale`.
    private static let table: [(field: StoreField, names: [String], column: String?)] = [
        (.begins, ["begindate", "startdate"], nil), (.ends, ["enddate"], nil), (.transacted, ["transactiondate"], nil),
        (.settled, ["settlementdate"], nil), (.sku, ["sku", "vendoridentifier"], nil),
        (.parent, ["parentidentifier"], "parent_sku"), (.appleID, ["appleidentifier", "appleid"], nil),
        (.developer, ["developer", "developername", "artistshowdeveloperauthor"], nil),
        (.title, ["title", "titleepisodeseason"], "title"),
        (.productType, ["producttypeidentifier", "producttype"], "product_type"),
        (.country, ["countrycode", "countryofsale", "country", "territory"], "country"),
        (.region, ["region"], "region"), (.units, ["units", "quantity"], nil), (.price, ["customerprice"], nil),
        (.currency, ["customercurrency"], "currency"),
        (.share, ["developerproceeds", "royaltyprice", "partnershare"], nil),
        (.extended, ["extendedpartnershare"], nil),
        (
            .shareCurrency, ["currencyofproceeds", "proceedscurrency", "royaltycurrency", "partnersharecurrency"],
            "proceeds_currency"
        ),
        (.saleOrReturn, ["saleorreturn", "salesorreturn", "salereturn", "salesreturn", "salesorreturns"], nil),
        (.subscription, ["subscription"], "subscription"), (.period, ["period"], "period"),
        (.promoCode, ["promocode"], "promo_code"), (.orderType, ["ordertype"], "order_type"),
        (.proceedsReason, ["proceedsreason"], "proceeds_reason"),
        (.preservedPricing, ["preservedpricing"], "preserved_pricing"), (.day, ["eventdate", "date"], nil),
        (.event, ["event"], nil), (.appAppleID, ["appappleid"], nil), (.appName, ["appname"], nil),
        (.subscriptionName, ["subscriptionname"], nil), (.subscriberID, ["subscriberid"], nil),
    ]

    /// The texts of a sale, with their columns in the table `store_sale`.
    package static let texts = table.compactMap { row in row.column.map { (field: row.field, column: $0) } }

    static let byName: [[UInt8]: StoreField] = Dictionary(
        uniqueKeysWithValues: table.flatMap { row in row.names.map { (Array($0.utf8), row.field) } })

    /// Whether the text is a code of a country or currency, which is stored in capital letters.
    var isCode: Bool { self == .country || self == .currency || self == .shareCurrency }
}

/// The columns of a report, identified by the names in the header, which may be in any order.
struct StoreFileColumns {
    let kind: StoreReportKind
    /// The columns' names as in the file, made unique.
    let names: [String]
    /// The columns whose nonempty cells have to be numbers.
    let counts: [Int]
    /// In a report of counts, the last count that every row has.
    let lastNeededCount: Int?
    private let header: Header

    /// The column of a field; nil if the file has none.
    subscript(_ field: StoreField) -> Int? { header[field] }

    /// The text of a row in the column of a field; nil if the column is absent or its cell empty.
    func text(_ row: StoreFileLine, _ field: StoreField) -> String? { header[field].flatMap(row.text) }

    /// The columns that contain numbers, which together show how the file writes numbers.
    var numbers: [Int] {
        switch kind {
        case .sales, .financial, .financeDetail:
            [.units, .price, .share, .extended].compactMap { (field: StoreField) in self[field] }
        default: counts
        }
    }

    /// - Parameter row: the cells of a line; the initializer fails if they are not a header of a report.
    init?(_ row: StoreFileLine) {
        guard let header = Header(row), let kind = header.kind else { return nil }
        self.kind = kind
        names = Self.unique((0..<row.width).map { row.text($0) ?? "column \($0 + 1)" })
        self.header = header
        let ends = { (place: Int, endings: [String]) in
            let name = String(decoding: header.names[place], as: UTF8.self)
            return endings.contains { name.hasSuffix($0) }
        }
        counts = header.names.indices.filter { ends($0, Self.countEndings) }
        lastNeededCount = counts.last { !ends($0, Self.lateCountEndings) }
    }

    /// Counts that were later added after the others, and that older rows don't state.
    private static let lateCountEndings = ["subscribers", "winbackoffers"]

    private static let countEndings = [
        "subscriptions", "winbackoffers", "marketingoptins", "billingretry", "graceperiod", "subscribers", "quantity",
        "units", "redemptions", "ordered", "canceled", "cancelled", "customerprice", "developerproceeds",
    ]

    /// Repeated names get a number, because names become the members of an object.
    static func unique(_ names: [String]) -> [String] {
        var seen: [String: Int] = [:]
        return names.map { name in
            let number = (seen[name] ?? 0) + 1
            seen[name] = number
            return number == 1 ? name : "\(name) (\(number))"
        }
    }

    /// The names of a line's cells, and the report whose header they are.
    struct Header {
        let names: [[UInt8]]
        private let places: [Int]

        init?(_ row: StoreFileLine) {
            guard row.width > 3 else { return nil }
            names = (0..<row.width).map { ReportText.normalized(row.cell($0)) }
            var places = [Int](repeating: -1, count: StoreField.allCases.count)
            for (place, name) in names.enumerated() {
                guard let field = StoreField.byName[name], places[field.rawValue] < 0 else { continue }
                places[field.rawValue] = place
            }
            self.places = places
        }

        /// The column of a field; nil if there is none.
        subscript(_ field: StoreField) -> Int? {
            let place = places[field.rawValue]
            return place < 0 ? nil : place
        }

        private func has(_ fields: StoreField...) -> Bool { fields.allSatisfy { places[$0.rawValue] >= 0 } }
        private func has(_ name: String) -> Bool { names.contains(Array(name.utf8)) }
        private func has(prefix: String) -> Bool { names.contains { $0.starts(with: prefix.utf8) } }

        /// The report; nil if the names are not the header of a report.
        var kind: StoreReportKind? {
            let hasShare = has(.share) || has(.extended)
            return if has(.transacted, .settled, .units), hasShare {
                .financeDetail
            } else if has(prefix: "preorderstartdate") || has(prefix: "cumulativeordered") {
                .preOrder
            } else if has(.begins, .units), hasShare, has(.sku) || has(.appleID) {
                // Of these two, only the financial report states shares of partners.
                has("partnershare") || has("extendedpartnershare") ? .financial : .sales
            } else if has(.subscriberID), has(.day) || has("purchasedate") {
                .subscriber
            } else if has(.event, .day, .units) {
                .subscriptionEvent
            } else if has("redemptions"), has("offercode") || has("offerreferencename") || has(.subscriptionName) {
                .offerCode
            } else if has(.subscriptionName) || has("subscriptionappleid"), has(prefix: "active") {
                .subscription
            } else {
                nil
            }
        }

        /// Whether the names are the header of the sums by country and currency at the end of a financial report.
        var isOfSums: Bool { has(.country, .shareCurrency, .units, .extended) && !has(.begins) && !has(.transacted) }
    }
}
