/// Sums of a financial report's rows, which are compared with the totals that the file states. A file of all
/// territories may consist of several reports in sequence, with totals for each or for all.
struct ReportTotals {
    /// A country and a currency of proceeds. They are bytes, because hashing a `String` from strangers can be slow.
    private struct Key: Hashable {
        let country, currency: UInt64

        /// - Returns: nil for texts longer than any code; they could fill the memory.
        init?(_ country: String?, _ currency: String?) {
            guard let country = Self.packed(country), let currency = Self.packed(currency) else { return nil }
            (self.country, self.currency) = (country, currency)
        }

        private static func packed(_ text: String?) -> UInt64? {
            guard let bytes = text?.utf8 else { return 0 }
            return bytes.count > 8 ? nil : bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private struct Sums {
        var rows = 0
        var units: Int64 = 0
        var amount: Int64 = 0
        var isTooLarge = false

        mutating func add(_ units: Int64, _ amount: Int64) {
            let (allUnits, overUnits) = self.units.addingReportingOverflow(units)
            let (allAmount, overAmount) = self.amount.addingReportingOverflow(amount)
            (rows, self.units, self.amount) = (rows + 1, allUnits, allAmount)
            isTooLarge = isTooLarge || overUnits || overAmount
        }
    }

    /// The sums of a section, or of the whole file.
    private struct Part {
        var all = Sums()
        var byKey: [Key: Sums] = [:]
        /// The number of rows that could not be read.
        var rejected = 0

        mutating func add(_ read: SaleRows.Read) {
            all.add(read.statedUnits, read.statedAmount)
            guard let key = Key(read.sale[.country], read.sale[.shareCurrency]) else { return }
            byKey[key, default: Sums()].add(read.statedUnits, read.statedAmount)
        }
    }

    private let notation: ReportNumber.Notation
    private var section = Part()
    private var whole = Part()
    /// Whether a total was read after the last row, so that the next row begins a section.
    private var isAfterTotals = false

    init(_ notation: ReportNumber.Notation) { self.notation = notation }

    mutating func add(_ read: SaleRows.Read) {
        beginSectionAfterTotals()
        section.add(read)
        whole.add(read)
    }

    mutating func noteRejected() {
        beginSectionAfterTotals()
        section.rejected += 1
        whole.rejected += 1
    }

    private mutating func beginSectionAfterTotals() {
        if isAfterTotals { (section, isAfterTotals) = (Part(), false) }
    }

    /// Compares a line such as `Total_Units` with a number to the sums of the rows.
    ///
    /// - Returns: a warning; an empty text if the total agrees; nil if the line states no total.
    mutating func compare(_ row: StoreFileLine) -> String? {
        guard let first = row.cells.indices.first(where: { !row.cells[$0].isEmpty }) else { return nil }
        var (name, value) = (row.cell(first), row.cell(first + 1))
        // Files from before June 2010 have a text such as `Total_Amount:32.68` in one cell.
        if let colon = name.firstIndex(of: UInt8(ascii: ":")) {
            value = name[(colon + 1)...]
            while value.first == UInt8(ascii: " ") { value = value.dropFirst() }
            name = name[..<colon]
        }
        let total = String(decoding: ReportText.normalized(name), as: UTF8.self)
        guard ["totalrows", "totalamount", "totalunits", "total", "grandtotal"].contains(total) else { return nil }
        isAfterTotals = true
        // A total of several cells ends the sums by country and currency. It adds amounts of different currencies, so
        // it is not compared.
        guard !total.hasSuffix("total") || row.width - first <= 2 else { return "" }
        // Files from before February 2009 have `Total`, and an amount with its currency.
        let number = value.prefix { $0 != UInt8(ascii: " ") && !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0) }
        let stated = ReportNumber.thousandths(number, notation, isCount: true)
        let shownName = ReportText.decoded(name)
        guard let stated else {
            return value.isEmpty ? "" : ReportFault.noNumber(shownName, value, notation).detail
        }
        func found(_ part: Part) -> Int64 {
            switch total {
            case "totalrows": Int64(part.all.rows + part.rejected) * 1000
            case "totalunits": part.all.units
            default: part.all.amount
            }
        }
        guard !whole.all.isTooLarge, stated != found(section), stated != found(whole) else { return "" }
        return difference("\(shownName) is \(ReportNumber.text(stated))", found(section))
    }

    /// Compares a line of sums by country and currency with the sums of the rows.
    ///
    /// - Returns: a warning; an empty text if the sums agree; nil if the line has no sums.
    mutating func compare(_ row: StoreFileLine, _ columns: StoreFileColumns.Header) -> String? {
        func number(_ field: StoreField) -> Int64? {
            columns[field].flatMap { ReportNumber.thousandths(row.cell($0), notation, isCount: true) }
        }
        guard let units = number(.units), let amount = number(.extended) else { return nil }
        isAfterTotals = true
        let country = SaleRows.code(columns[.country].flatMap(row.text) ?? "")
        let currency = SaleRows.code(columns[.shareCurrency].flatMap(row.text) ?? "")
        guard let key = Key(country, currency) else { return "" }
        let (ofSection, ofWhole) = (section.byKey[key] ?? Sums(), whole.byKey[key] ?? Sums())
        guard !whole.all.isTooLarge, (units, amount) != (ofSection.units, ofSection.amount),
            (units, amount) != (ofWhole.units, ofWhole.amount)
        else { return "" }
        let stated = "\(ReportNumber.text(units)) units and \(ReportNumber.text(amount)) \(currency)"
        return difference(
            "the sum of \(country) is \(stated)", ofWhole.units, and: " units and \(ReportNumber.text(ofWhole.amount))")
    }

    private func difference(_ stated: String, _ found: Int64, and rest: String = "") -> String {
        let unread = whole.rejected == 0 ? "" : ", of which \(whole.rejected) could not be read"
        return "\(stated), and that of the rows \(ReportNumber.text(found))\(rest)\(unread)"
    }
}
