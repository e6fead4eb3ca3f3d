/// The content of a line of a report file.
package enum StoreReportItem: Sendable, Hashable {
    /// A row of a SALES, FINANCIAL or FINANCE_DETAIL report.
    case sale(StoreSale)
    /// A row of any other report.
    case row(StoreRow)
    /// A row that can't be read. The reason is a code, and the detail is for people.
    case rejection(line: Int, reason: String, detail: String)
    /// A fact that a person should know although no row is lost, such as a total that disagrees with the rows.
    case warning(line: Int, String)
}

/// A row of a SALES, FINANCIAL or FINANCE_DETAIL report. Texts are trimmed; nil if the file has none.
package struct StoreSale: Sendable, Hashable {
    /// The line's number in the whole file, from 1.
    package var line: Int
    /// Days since 1970-01-01, as the file states them. In FINANCE_DETAIL, the days of the transaction and of the
    /// settlement.
    package var beginsDay, endsDay: Int
    /// The SKU or vendor identifier; for in-app purchases, the product identifier.
    package var sku: String
    package var appleID: Int64?
    package var developer: String?
    /// The texts of ``StoreField/texts``, in the same order.
    package var texts = [String?](repeating: nil, count: StoreField.texts.count)
    /// Units, gross and proceeds are negative in refunds.
    package var unitsThousandths: Int64
    /// The price of one unit, never negative.
    package var priceMilliunits: Int64
    package var grossMilliunits: Int64
    /// The proceeds of all units.
    package var proceedsMilliunits: Int64

    /// One of ``texts``, such as the customer's currency, or Apple's product type identifier `IAY`.
    package subscript(_ field: StoreField) -> String? {
        StoreField.texts.firstIndex { $0.field == field }.flatMap { texts[$0] }
    }

    package init(line: Int, beginsDay: Int, endsDay: Int, sku: String) {
        (self.line, self.beginsDay, self.endsDay, self.sku) = (line, beginsDay, endsDay, sku)
        (unitsThousandths, priceMilliunits, grossMilliunits, proceedsMilliunits) = (0, 0, 0, 0)
    }
}

/// A row of a report that counts subscriptions, subscribers, offers or pre-orders, or of a list of payments.
package struct StoreRow: Sendable, Hashable {
    /// The line's number in the whole file, from 1.
    package var line: Int
    /// An ISO date; nil if the file states none.
    package var day: String?
    package var appAppleID: Int64?
    /// The subscription's or title's name; in payments, the region.
    package var product: String?
    package var country: String?
    /// Apple's random number of a subscriber.
    package var subscriberID: String?
    /// A JSON object with the names of the file's columns and their texts. Empty columns are left out.
    package var fields: String

    package init(line: Int, fields: String) { (self.line, self.fields) = (line, fields) }
}
