internal import MillJSON

/// Rows of the list of payments, which Apple writes in the language of the person who downloads it.
///
/// If the header has English names, they identify the columns. Otherwise the number of columns does: the first is the
/// region with its currency, the second counts units, and the last two are proceeds and the currency of the bank
/// account.
struct PaymentTable {
    private let names: [String]
    private let units, earned, owed, rate, proceeds, bank: Int?
    /// The month in the title, such as `2014-09`; nil if the title states none or it is not understood.
    private let month: String?
    private let notation: ReportNumber.Notation
    /// The sums of proceeds since the header, by the currency of the bank account.
    private var sums: [String: Int64] = [:]

    /// The possible numbers of columns; a list with balances has the most.
    private static let widths = 9...13

    /// - Parameters:
    ///   - row: the cells of a line; the initializer fails if they are not a header of payments.
    ///   - title: the text before the header, which has the month in parentheses.
    ///   - notation: how the file writes its numbers.
    init?(_ row: StoreFileLine, title: String, _ notation: ReportNumber.Notation) {
        let width = row.width
        guard Self.widths.contains(width), let first = row.text(0), Self.currency(of: first) == nil,
            Self.parentheses(in: first) != nil
        else { return nil }
        guard (0..<width).allSatisfy({ !(row.cell($0).first?.asDigit != nil) }) else { return nil }
        names = StoreFileColumns.unique((0..<width).map { row.text($0) ?? "column \($0 + 1)" })
        let known = (0..<width).map { String(decoding: ReportText.normalized(row.cell($0)), as: UTF8.self) }
        if let proceeds = known.firstIndex(of: "proceeds") {
            (units, earned) = (known.firstIndex(of: "unitssold"), known.firstIndex(of: "earned"))
            (owed, rate) = (known.firstIndex(of: "totalowed"), known.firstIndex(of: "exchangerate"))
            (self.proceeds, bank) = (proceeds, known.firstIndex(of: "bankaccountcurrency"))
        } else {
            // Lists of 11 or more columns also state a balance, before the units or after them. Lists of ten columns
            // are unknown.
            let isWhole = width >= 11
            (units, earned) = ([9, 11].contains(width) ? 1 : nil, isWhole ? width - 9 : nil)
            (owed, rate) = (isWhole ? width - 4 : nil, isWhole ? width - 3 : nil)
            (proceeds, bank) = (width - 2, width - 1)
        }
        month = PaymentMonth(of: title).text
        self.notation = notation
    }

    /// Whether a line is the title of a table: its text states a year. Lines of the account and of totals differ in
    /// that their first cell is empty.
    static func isTitle(_ row: StoreFileLine, _ text: String) -> Bool {
        guard row.width <= 3, let first = row.text(0), currency(of: first) == nil else { return false }
        return PaymentMonth(of: text) != .none
    }

    /// The columns of numbers, which together show how the file writes numbers; none if the line is not a row.
    static func numbers(of row: StoreFileLine) -> Range<Int> {
        currency(of: row.text(0) ?? "") == nil ? 0..<0 : 1..<max(1, row.width)
    }

    /// The meaning of a line below the header.
    enum Read {
        case row(StoreRow)
        /// A total, the account or a heading; with a warning if a total disagrees with the rows.
        case remark(warning: String?)
    }

    mutating func read(_ row: StoreFileLine, line: Int) throws(ReportFault) -> Read {
        guard let first = row.text(0) else { return .remark(warning: total(row)) }
        if Self.currency(of: first) != nil {
            // Headings name regions, too, but a row that ends before its amounts is not one of them.
            let last = max(proceeds ?? 0, bank ?? 0)
            guard last < row.cells.count else { throw .short(row, before: names[last]) }
            guard row.width > 1 else { return .remark(warning: nil) }
        } else if row.width <= 2 {
            return .remark(warning: total(row))
        }
        guard row.width <= names.count else { throw .wide(row, header: names) }
        guard let currency = Self.currency(of: first) else {
            throw ReportFault(.text, "\(ReportFault.shown(row.cell(0))) does not end with a currency in parentheses")
        }
        let account = bank.flatMap(row.text)
        guard account == nil || account?.utf8.count == 3 else {
            throw ReportFault(.text, "\(ReportFault.shown(row.cell(bank ?? 0))) is no currency of a bank account")
        }
        for column in 1..<names.count where column != bank && !row.cell(column).isEmpty {
            guard ReportNumber.thousandths(row.cell(column), notation, isCount: column == units) != nil else {
                throw .noNumber(names[column], row.cell(column), notation)
            }
        }
        if let account, let proceeds {
            let amount = ReportNumber.thousandths(row.cell(proceeds), notation) ?? 0
            let (sum, isTooLarge) = sums[account, default: 0].addingReportingOverflow(amount)
            guard !isTooLarge else { throw ReportFault(.range, "the sum of proceeds is too large") }
            sums[account] = sum
        }
        var found = StoreRow(line: line, fields: fields(row, currency))
        found.day = month
        found.product = Self.region(of: first)
        return .row(found)
    }

    /// The cells as the file has them; and in `read` the same values under English names, with a decimal point.
    private func fields(_ row: StoreFileLine, _ currency: String) -> String {
        var fields = JSONWriter()
        fields.open()
        CountRows.write(row, names: names, to: &fields)
        fields.open("read")
        fields.key("currency")
        fields.value(currency)
        write("units", row, units, to: &fields)
        write("earned", row, earned, to: &fields)
        write("total_owed", row, owed, to: &fields)
        if let rate, let text = row.text(rate) {
            fields.key("exchange_rate")
            fields.value(ReportNumber.plain(text, notation))
        }
        write("proceeds", row, proceeds, to: &fields)
        if let account = bank.flatMap(row.text) {
            fields.key("bank_currency")
            fields.value(account)
        }
        fields.close()
        fields.close()
        return fields.text
    }

    private func write(_ name: StaticString, _ row: StoreFileLine, _ column: Int?, to fields: inout JSONWriter) {
        guard let column, let number = ReportNumber.thousandths(row.cell(column), notation, isCount: column == units)
        else { return }
        fields.key(name)
        fields.value(ReportNumber.text(number))
    }

    /// A warning if a line states a total of proceeds, such as `234.58 EUR`, that differs from the sum of the rows
    /// above.
    private mutating func total(_ row: StoreFileLine) -> String? {
        for cell in row.cells.indices.map(row.cell) where cell.count > 4 {
            let currency = cell.suffix(3)
            guard currency.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) else { continue }
            var number = cell.dropLast(3)
            while number.last == UInt8(ascii: " ") || number.last == 0xa0 || number.last == 0xc2 {
                number = number.dropLast()
            }
            guard let stated = ReportNumber.thousandths(number, notation, isCount: true) else { continue }
            let name = String(decoding: currency, as: UTF8.self)
            guard let sum = sums.removeValue(forKey: name), sum != stated else { return nil }
            return "the total is \(ReportNumber.text(stated)) \(name), and that of the rows \(ReportNumber.text(sum))"
        }
        return nil
    }

    // MARK: Regions

    /// The currency at the end of a text such as `Switzerland (CHF)`; nil if the text ends otherwise.
    static func currency(of text: String) -> String? {
        guard let inside = parentheses(in: text), inside.utf8.count == 3,
            inside.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
        else { return nil }
        return String(inside)
    }

    private static func region(of text: String) -> String {
        guard let open = text.lastIndex(where: { $0 == "(" || $0 == "（" }) else { return text }
        let region = text[..<open]
        return String(region.last == " " ? region.dropLast() : region)
    }

    /// The content of the parentheses at the end of a text.
    private static func parentheses(in text: String) -> Substring? {
        guard let last = text.last, last == ")" || last == "）",
            let open = text.lastIndex(where: { $0 == "(" || $0 == "（" })
        else { return nil }
        return text[text.index(after: open)...].dropLast()
    }
}
